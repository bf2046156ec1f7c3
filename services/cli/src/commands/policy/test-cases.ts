import { findCases, readDocument, runCase } from '@plimsoll/policy'
import { defineCommand } from '../../command.js'
import { jsonLine, plainText } from '../../format/text-table.js'

export interface PlayedCase {
  readonly file: string
  readonly name: string
  /** Where the answers are others than expected; empty where they are not. */
  readonly problems: readonly string[]
}

export function casesText(
  played: readonly PlayedCase[],
  { passed, failed }: { passed: number; failed: number },
): string {
  const lines = played.flatMap(({ file, name, problems }) => [
    `${problems.length > 0 ? 'not ok' : 'ok'}  ${file}: ${name}`,
    ...problems.map((problem) => `        ${problem}`),
  ])
  return `${[...lines, `${passed} passed, ${failed} failed`].map(plainText).join('\n')}\n`
}

export const policyTest = defineCommand({
  name: 'policy test',
  summary: 'plays cases (sessions with expected answers) and shows where a policy answers otherwise',
  description: [
    'A case is a file, YAML or JSON, with `policy`, `events` and `expect`; how to write one: docs/reference/policies.md. Of folders all such',
    'files are played, documents left aside. Nothing is predicted but what a case says; the engine is the one that monitors run.',
  ],
  operands: { name: 'FILE', help: 'a case, or a folder of them', min: 1, max: 1000 },
  options: {
    policy: {
      type: 'text',
      value: 'FILE',
      help: 'the policy of cases that name none, and what others differ from; that of Plimsoll if left out',
    },
    tools: { type: 'text', value: 'CATALOGUE', help: 'likewise the catalogue, this file alone' },
    json: { type: 'flag', help: 'one JSON object on stdout' },
  },
  examples: [
    ['test/cases', "the project's own"],
    ['cases --policy policy.yaml --tools catalogue.yaml', 'a policy before it is published'],
  ],
  async run({ policy, tools, json }, places, { stdout }) {
    const base = {
      policy: await readDocument('policy', policy),
      catalogue: await readDocument('catalogue', tools),
    }
    const files = await findCases(places, base)
    const played = files.flatMap(({ file, cases }) =>
      cases.map((each): PlayedCase => ({ file, name: each.name, problems: runCase(each) })),
    )
    const failed = played.filter(({ problems }) => problems.length > 0).length
    const figures = { passed: played.length - failed, failed }
    stdout.write(json ? jsonLine({ ...figures, cases: played }) : casesText(played, figures))
    return failed > 0 ? 1 : 0
  },
})
