import { MODES, PlimsollError } from '@plimsoll/contracts'
import { proposeLabels } from '@plimsoll/labels'
import {
  type Observed,
  type ObservedReason,
  type ObservedTool,
  counted,
  createDecisionTally,
  readAppeals,
  readDecisionsTopic,
} from '@plimsoll/operations'
import { kafkaSettings } from '@plimsoll/runtime'
import { choice, defineCommand, duration, environmentOf, flag, integer, json } from '../../command.js'
import { readAppealsHere } from '../../appeals-file.js'
import { decisionsFile, readDecisions } from '../../decisions-file.js'
import { configOf, openLog, signedSettings, within } from '../../deployment.js'
import { jsonLine, leftTable, percent, plainText, timeText } from '../../format/text.js'
import { labelsText } from '../documents/catalogue-text.js'

/** What changes a verdict of a reason: a line of a catalogue or of a policy, or what to tell Plimsoll. */
export function settlementOf(tool: string, { source, code, verdict }: ObservedReason): string {
  switch (source) {
    case 'unlabelled':
      return `label it in your catalogue: ${catalogueLine(tool)}`
    case 'line':
      return verdict === 'block'
        ? 'if what was read is not sensitive, say so in the catalogue entry of the tool that returned it; a line that asks: `line.present: confirm` in the policy'
        : 'report results, so that Plimsoll knows what was read; or `line.unknown: warn` in the policy'
    case 'integrity':
      return `\`trust: trusted\` in the catalogue entry of the tool that returned the text, if no stranger writes it; or \`integrity.${INTEGRITY[code] ?? 'irreversible'}\` in the policy`
    case 'irreversible':
      return `report the task, so that Plimsoll knows what is wanted; \`reversibility: partial\` for \`${tool}\` in your catalogue, if it can be undone; or \`irreversible: warn\` in the policy`
    case 'hazard':
      return '`hazard` in the policy: a verdict for each of the three thresholds'
    case 'forward':
      return '`forward.verdicts` in the policy'
    case 'blocklist':
    case 'flow':
    case 'mustlist':
      return `the spec \`${code}\` of the policy: narrow its tools or conditions, if it means something else`
    case 'confirmation':
      return `the spec \`${code}\` of the policy, or an allowlist spec with \`lifts: [confirmation]\``
    case 'malformed':
    case 'stop':
    case 'approval':
      return 'nothing in catalogue or policy'
  }
}

const INTEGRITY: Readonly<Record<string, string>> = {
  directed_by_untrusted: 'untrusted',
  directed_by_instructions: 'instructed',
  given_by_others: 'instructed',
  amount_multiplied: 'instructed',
}

/** An entry as `plimsoll label` proposes it from the name alone. */
function catalogueLine(tool: string): string {
  const [labelling] = proposeLabels([{ name: tool }]).labellings
  return labelling
    ? `\`- { tools: [${JSON.stringify(tool)}], labels: ${labelsText(labelling.labels)} }\`, by its name alone; \`plimsoll label\` knows more`
    : '`plimsoll label` proposes an entry'
}

const shareOf = (n: number, of: number, noun: string): string =>
  `${n} of ${counted(of, noun)}${of > 0 ? ` (${percent(n / of)})` : ''}`

/** A report for a human. */
export function observedText(observed: Observed, limit: number): string {
  const { mode, steps, sessions, asked, blocked, askedSessions, blockedSessions, tools } = observed
  const { otherMode, fromMs, toMs } = observed
  const other = mode === 'observe' ? 'enforce' : 'observe'
  const others =
    otherMode === 0 ? '' : `${otherMode} decisions of mode ${other} are left out: \`--mode ${other}\`\n`
  if (fromMs === undefined || toMs === undefined) {
    const appealed = tools.slice(0, limit).map((tool) => `\n${toolText(tool, sessions)}`)
    return [`no steps of mode ${mode}\n`, others, ...appealed].join('')
  }
  const would = mode === 'observe' ? 'would have been' : 'were'
  const more = tools.length > limit ? `${tools.length - limit} more tools: \`--limit\`\n` : ''
  return [
    `${counted(steps, 'step')} of ${counted(sessions, 'session')}, ${timeText(fromMs)} to ${timeText(toMs)}\n`,
    `${would} blocked: ${shareOf(blocked, steps, 'step')}, in ${shareOf(blockedSessions, sessions, 'session')}\n`,
    `${would} asked about: ${shareOf(asked, steps, 'step')}, in ${shareOf(askedSessions, sessions, 'session')}\n`,
    ...tools.slice(0, limit).map((tool) => `\n${toolText(tool, sessions)}`),
    ...(tools.length === 0 ? ['\nnothing to settle: enforcing would stop and ask nothing\n'] : []),
    more,
    isMostlyCode(observed) ? WORLD : '',
    others,
  ].join('')
}

const WORLD =
  '\nmost are about code that may send: if its machine reaches no other host, say so in your catalogue: `world: { network: none }`\n'

/** Whether more than half of what was asked and blocked is code whose effect is not known. */
function isMostlyCode({ asked, blocked, tools }: Observed): boolean {
  const code = tools
    .flatMap(({ reasons }) => reasons)
    .filter((reason) => reason.code === 'unknown_code_after_sensitive')
    .reduce((sum, { steps }) => sum + steps, 0)
  return code * 2 > asked + blocked
}

/** What people said of its decisions. */
function appealsText({
  appealedAllow,
  appealedBlock,
}: Pick<ObservedTool, 'appealedAllow' | 'appealedBlock'>): string {
  const parts = [
    ...(appealedAllow > 0 ? [`${appealedAllow} for nothing`] : []),
    ...(appealedBlock > 0 ? [`${appealedBlock} that did harm`] : []),
  ]
  return parts.length === 0 ? '' : `; appealed: ${parts.join(', ')}`
}

function toolText(
  { tool, steps, asked, blocked, sessions, reasons, ...appeals }: ObservedTool,
  all: number,
): string {
  const head = `${plainText(tool)}: ${asked} asked, ${blocked} blocked of ${counted(steps, 'step')}, in ${shareOf(sessions, all, 'session')}${appealsText(appeals)}\n`
  const rows = reasons.flatMap((reason) => [
    [`${reason.steps}`, reason.verdict, `${reason.source} ${reason.code}: ${reason.message}`],
    ['', '', `to settle: ${settlementOf(tool, reason)}`],
  ])
  return head + leftTable(rows, '  ')
}

/** Without a key nothing shows who wrote an appeal in the log. */
const topicSettings = { ...kafkaSettings, signingKey: { ...signedSettings.signingKey, isRequired: false } }

export const observed = defineCommand({
  name: 'observed',
  summary:
    'shows what observing has found: by tool, what would have been asked and blocked, and what settles it',
  description:
    'Reads the decisions that `plimsoll mcp --observe` records, or with `--topic` those of a fleet in mode observe. Shows for each tool how many steps would have been asked about or blocked, in what share of the sessions, for which reasons, and which line of catalogue or policy would change that. With `--mode enforce` it shows what was asked and blocked. It counts the appeals of this machine (`plimsoll appeal`), and with `--topic` and `PLIMSOLL_SIGNING_KEY` those of the log.',
  operands: [['[FILE]', 'a file of recorded decisions; default: the file of `plimsoll mcp --observe`']],
  options: {
    topic: flag('reads the decisions of the monitors from Kafka'),
    since: duration('how far back; default: everything'),
    mode: choice(MODES, 'counts decisions of this mode', 'observe'),
    limit: integer('N', 'shows at most so many tools', { min: 1, max: 1_000, default: 20 }),
    json,
  },
  environment: environmentOf(topicSettings),
  examples: [
    ['', 'what `plimsoll mcp --observe` has recorded for you'],
    ['--since 7d --topic', 'the last week of the fleet'],
  ],
  async run({ topic, since, mode, limit, json }, [file], { env, stdout, signal }) {
    if (topic && file !== undefined)
      throw new PlimsollError('usage_invalid', 'give a file or `--topic`, not both')
    const tally = createDecisionTally(mode)
    const fromMs = since === undefined ? undefined : Date.now() - since
    if (topic)
      await within(async (onRelease) => {
        const config = configOf(topicSettings, env)
        const { log, topics } = openLog(config, onRelease)
        await readDecisionsTopic({ log, topics, fromMs, signal }, tally.add)
        const { signingKey } = config
        if (signingKey !== undefined)
          await readAppeals({ log, topics, signingKey, fromMs, signal }, tally.addAppeal)
      })
    else {
      if (file === undefined)
        await readAppealsHere(env, (appeal) => {
          if (appeal.time >= (fromMs ?? 0)) tally.addAppeal(appeal)
        })
      const hasAppeals = tally.figures().tools.length > 0
      await readDecisions(file ?? decisionsFile(env), (decision) => {
        if (decision.time >= (fromMs ?? 0)) tally.add(decision)
      }).catch((error: unknown) => {
        // Without `--observe` nothing but what was stopped is recorded, and appealed against.
        if (!hasAppeals) throw error
      })
    }
    const figures = tally.figures()
    const settled = figures.tools.map(({ reasons, ...tool }) => ({
      ...tool,
      reasons: reasons.map((reason) => ({ ...reason, settlement: settlementOf(tool.tool, reason) })),
    }))
    stdout.write(json ? jsonLine({ ...figures, tools: settled }) : observedText(figures, limit))
    return 0
  },
})
