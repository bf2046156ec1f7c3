import type { DecisionDiff, DiffExample } from '@plimsoll/trainer'
import { plainText } from '../plain-text.js'
import { leftTable, textTable } from '../text-table.js'
import { causeText, changeRows, specRows, toolRows, truthRows, verdictRows, type Rows } from './diff-rows.js'

/** Said with every diff: what it cannot tell. */
export const GOES_ON =
  'What happened goes on whatever is decided: each step is judged as if all that ran before it had run. What an agent that is stopped would do instead, no recording tells.'

/** A diff for a human. */
export function diffText(diff: DecisionDiff): string {
  const { sessions, steps, changed, otherReasons, safe, unknown } = diff
  const head = `${changed.steps} of ${steps} steps would be decided otherwise, in ${changed.sessions} of ${sessions} sessions; ${otherReasons} more alike for other reasons\n`
  const questions = `questions a safe session: ${safe.questions.old.toFixed(2)} old, ${safe.questions.candidate.toFixed(2)} new; of ${unknown} sessions nobody knows whether they did harm\n`
  return [
    head + unlabelledText(diff),
    textTable(changeRows(diff)),
    textTable(verdictRows(diff)),
    ...(diff.bySpec.length > 0 ? [table(specRows(diff)), table(toolRows(diff))] : []),
    leftTable(truthRows(diff)) + questions,
    examplesText(diff),
    `${GOES_ON}\n`,
  ].join('\n')
}

/** Nothing where the catalogue knows all tools. */
export function unlabelledText({ unlabelled, steps }: DecisionDiff): string {
  if (unlabelled.steps === 0) return ''
  const tools = unlabelled.tools === 1 ? '1 tool' : `${unlabelled.tools} tools`
  return `${unlabelled.steps} of ${steps} steps are of ${tools} that the catalogue does not label, which hides what specs by labels would change: \`plimsoll label check\` tells which tools; --catalogue takes another catalogue, sessions of the log go by the one that is active\n`
}

export const examplesText = ({ examples }: DecisionDiff): string => examples.map(exampleText).join('')

const table = (rows: Rows): string => textTable(rows.map((row) => row.map((cell) => plainText(String(cell)))))

function exampleText({ session, step, tool, truth, causes, old, candidate }: DiffExample): string {
  const reasons = (side: DiffExample['old']) =>
    side.reasons.map(({ source, code, verdict, message, liftedBy }) => {
      const lifted = liftedBy === undefined ? '' : `, lifted by ${liftedBy}`
      return `      ${source} ${code} (${verdict}${lifted}): ${message}`
    })
  return [
    `  ${session}, step ${step}, ${tool} (${truth}): ${causes.map(causeText).join('; ')}`,
    `    old: ${old.verdict}`,
    ...reasons(old),
    `    new: ${candidate.verdict}`,
    ...reasons(candidate),
  ]
    .map((line) => `${plainText(line)}\n`)
    .join('')
}
