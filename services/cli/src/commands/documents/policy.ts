import { readFile, writeFile } from 'node:fs/promises'
import { PlimsollError } from '@plimsoll/contracts'
import {
  type HazardRow,
  type LocatedFinding,
  type Severity,
  type Traceability,
  PACKS_FOLDER,
  PACK_NAMES,
  findCases,
  lintText,
  readDocument,
  readTextFile,
  runCase,
  shippedPack,
  traceabilityOf,
} from '@plimsoll/policy'
import { assertWritable } from '../../assert-writable.js'
import { defineCommand, json, text } from '../../command.js'
import { jsonLine, plainText } from '../../format/text.js'
import { catalogueOf, toolsOptions } from './tools-from.js'

/** `policy.yaml:6:12: error requirement-without-spec: …`, a line each, as editors and terminals follow it; then how many there are. */
export function findingsText(findings: readonly LocatedFinding[], file: string): string {
  const lines = findings.map(({ severity, code, place, part, path, message }) => {
    const at = place ? `${place.line}:${place.column}` : path.join('.')
    const where = part === undefined ? '' : ` (${part})`
    // The other messages name what they are about.
    const member = code === 'invalid' && path.length > 0 ? `${path.join('.')}: ` : ''
    return `${plainText(`${file}:${at}: ${severity} ${code}${where}: ${member}${message}`)}\n`
  })
  return `${lines.join('')}${sumText(findings)}\n`
}

export function sumText(findings: readonly LocatedFinding[]): string {
  const count = (severity: Severity) => findings.filter((each) => each.severity === severity).length
  return `${count('error')} errors, ${count('warning')} warnings, ${count('note')} notes`
}

export const policyLint = defineCommand({
  name: 'policy lint',
  summary: 'checks a policy: its form, its analysis from losses to specs, specs that conflict',
  description:
    'Lists errors and likely mistakes, each with its line and what to do. With tools given, also patterns that match none of them. Writes the matrix from losses, hazards and unsafe control actions to requirements and specs. Fails if there are errors. What each code means: docs/reference/policies.md.',
  operands: [['<FILE>', 'a policy, YAML or JSON']],
  options: {
    ...toolsOptions,
    markdown: text('OUT.md', 'writes the traceability matrix as Markdown'),
    json,
  },
  examples: [
    ['policy.yaml', 'what to fix'],
    ['policy.yaml --tools catalogue.yaml --markdown matrix.md', 'with the matrix, for a review'],
  ],
  async run(options, [file = ''], { stdout }) {
    const { tools, catalogue: catalogues, markdown, json } = options
    if (markdown !== undefined) await assertWritable(markdown)
    const isGiven = tools !== undefined || catalogues.length > 0
    const catalogue = isGiven ? await catalogueOf(options) : undefined
    const { findings, policy } = lintText(await readTextFile(file, `policy \`${file}\``), file, catalogue)
    const trace = policy && traceabilityOf(policy)
    if (markdown !== undefined && policy && trace)
      await writeFile(markdown, traceMarkdown(policy.name, trace, findings))
    stdout.write(json ? jsonLine({ file, findings, traceability: trace }) : findingsText(findings, file))
    return findings.some(({ severity }) => severity === 'error') ? 1 : 0
  },
})

/** From losses to specs, as Markdown. */
export function traceMarkdown(
  name: string,
  { hazards, requirements, specs }: Traceability,
  findings: readonly LocatedFinding[],
): string {
  const parts = [
    `# ${cell(name)}: from losses to specs`,
    ...(hazards.length > 0 ? ['', ...hazardTable(hazards)] : []),
    ...(specs.length > 0
      ? [
          '',
          '## Requirements and specs',
          '',
          ...table(['spec', 'tier', ...requirements.map(({ id }) => cell(id))], specRows()),
        ]
      : []),
    '',
    '## Findings',
    '',
    ...(findings.length === 0 ? ['None.'] : findings.map(findingLine)),
  ]
  return `${parts.join('\n')}\n`

  function specRows(): string[][] {
    return specs.map((spec) => [
      code(spec.id),
      spec.tier,
      ...requirements.map(({ id }) => (spec.requirements.includes(id) ? '●' : '')),
    ])
  }
}

const hazardTable = (hazards: readonly HazardRow[]): string[] =>
  table(
    ['losses', 'hazard', 'can be verified', 'unsafe control actions', 'requirements', 'specs'],
    hazards.map(({ losses, hazard, isReached, actions, requirements, specs }) => [
      items(losses),
      items([hazard]),
      isReached ? 'yes' : 'no',
      items(actions),
      items(requirements),
      specs.map(code).join(', '),
    ]),
  )

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)]
}

const items = (list: readonly { readonly id: string; readonly text: string }[]): string =>
  list.map(({ id, text }) => `**${cell(id)}** ${cell(text)}`).join('<br>')

const findingLine = ({ severity, code: found, place, part, message }: LocatedFinding): string =>
  `- ${severity} \`${found}\`${place ? `, line ${place.line}` : ''}${part === undefined ? '' : `, ${plainText(part)}`}: ${plainText(message)}`

const code = (id: string): string => `\`${id}\``

/** What Markdown would read as its own. */
const cell = (text: string): string => plainText(text).replaceAll(/[\\|`*_<>[\]]/g, String.raw`\$&`)

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
  summary: 'plays cases (sessions with expected answers) and shows where a policy answers differently',
  description:
    'A case is a YAML or JSON file with `policy`, `events` and `expect`: docs/reference/policies.md. Plays all cases in a folder. Predictions come from the case; the engine is that of the monitors.',
  operands: [['<FILE...>', 'a case, or a folder of them']],
  options: {
    policy: text(
      'FILE',
      'the policy of cases that name none, and the base of others; default: the shipped one',
    ),
    ...toolsOptions,
    json,
  },
  examples: [
    ['test/cases', "the project's own"],
    ['cases --policy policy.yaml --tools catalogue.yaml', 'a policy before it is published'],
  ],
  async run(options, places, { stdout }) {
    const { policy, json } = options
    const base = {
      policy: await readDocument('policy', policy),
      catalogue: await catalogueOf(options),
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

export const policyPacks = defineCommand({
  name: 'policy packs',
  summary: 'lists the policy packs that ship, or shows one',
  description:
    'A policy includes packs by name, as in `packs: [baseline, payments]`. Without a name this lists each pack with its specs; with a name it prints the file of the pack. What each spec is for: docs/reference/packs.md.',
  operands: [['[NAME]', 'the pack to show']],
  options: { json },
  examples: [
    ['', 'the names of all packs and specs'],
    ['payments', 'the file of one, to copy a spec from'],
  ],
  async run({ json }, [name], { stdout }) {
    if (name !== undefined && !shippedPack(name))
      throw new PlimsollError(
        'usage_invalid',
        `there is no pack \`${name}\`: name one of ${PACK_NAMES.join(', ')}`,
      )
    const packs = (name === undefined ? PACK_NAMES : [name]).flatMap((each) => shippedPack(each) ?? [])
    if (json) stdout.write(jsonLine({ packs }))
    else if (name === undefined) stdout.write(packs.map(listed).join('\n'))
    else stdout.write(await readFile(new URL(`${name}.yaml`, PACKS_FOLDER), 'utf8'))
    return 0
  },
})

type Pack = NonNullable<ReturnType<typeof shippedPack>>

/** The name of a pack, then a line for each spec. */
const listed = ({ name, specs }: Pack): string =>
  [name, ...specs.map(({ id, tier }) => `  ${tier.padEnd(12)} ${id}`), ''].join('\n')
