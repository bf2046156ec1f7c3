import type { ToolLabels } from '@plimsoll/contracts'
import type { Operations, Proposal, Source, ToolDefinition, ToolLabelling } from '@plimsoll/labels'
import { plainText } from '../../format/text.js'

/** Characters of a description that are shown in the catalogue. */
const DESCRIPTION_CHARS_MAX = 110

/**
 * A proposal as a catalogue in YAML that a human edits: one line a tool, its reasons and doubts above it as comments, the doubtful first.
 * Names and descriptions come from servers: nothing of them can be taken for YAML, nor reach a terminal that shows the file.
 *
 * @param folder the working folder of the agents, proposed as a part of their world
 */
export function catalogueText(
  name: string,
  { labellings, refused }: Proposal,
  tools: readonly ToolDefinition[],
  folder?: string,
): string {
  const descriptions = new Map(tools.map(({ name, description = '' }) => [name, description]))
  const doubtful = labellings.filter(({ doubts }) => doubts.length > 0)
  const clear = labellings.filter(({ doubts }) => doubts.length === 0)
  const entries = (labellings: readonly ToolLabelling[]) =>
    labellings.flatMap((labelling) => entryLines(labelling, descriptions.get(labelling.tool) ?? ''))
  return [
    '# Proposed: read it, and change what is wrong. Where you have looked, take `guessed: true` away: `plimsoll label check` fails until then.',
    ...refused.map(({ tool, why }) => comment(`left out: ${JSON.stringify(tool).slice(0, 100)}, ${why}`)),
    'schema: 1',
    'kind: plimsoll.catalogue',
    `name: ${JSON.stringify(name)}`,
    ...(folder === undefined ? [] : worldLines(folder)),
    '',
    labellings.length === 0 ? 'tools: []' : 'tools:',
    ...(doubtful.length > 0 ? ['  # --- doubtful', ...entries(doubtful)] : []),
    ...(clear.length > 0 ? ['  # --- clear, the least sure first', ...entries(clear)] : []),
    '',
  ].join('\n')
}

/** Only the user knows whether the rest is true; a container alone does not show it. */
const worldLines = (folder: string): string[] => [
  'world:',
  `  folder: ${JSON.stringify(folder)}`,
  '  # Uncomment what is true of the machine of your agents: thrown away after each session; no other host can be reached from it.',
  '  # disposable: true',
  '  # network: none',
]

function entryLines(
  { tool, labels, perLabel, doubts, operations }: ToolLabelling,
  description: string,
): string[] {
  const shown = description.trim().slice(0, DESCRIPTION_CHARS_MAX)
  return [
    ...(shown ? [`  ${comment(`says: ${shown}`)}`] : []),
    `  ${comment(evidenceText(perLabel))}`,
    ...doubts.map((doubt) => `  ${comment(`DOUBT ${doubt}`)}`),
    `  - tools: [${JSON.stringify(tool)}]`,
    `    labels: ${labelsText(labels)}`,
    ...(operations ? operationLines(operations) : []),
    ...(doubts.length > 0 ? ['    guessed: true'] : []),
  ]
}

/** What single operations are, of those that an argument chooses from or a request makes; every other value counts as the worst. */
const operationLines = ({ least, choices, arguments: readings = [] }: Operations): string[] => [
  `    least: ${labelsText(least)}`,
  ...(readings.length > 0
    ? [
        `    arguments: [${readings.map(({ in: name, as }) => `{ in: ${JSON.stringify(name)}, as: ${as} }`).join(', ')}]`,
      ]
    : []),
  ...(choices.length > 0 ? ['    when:'] : []),
  ...choices.map(
    ({ argument, value, labels: { capability, reversibility } }) =>
      `      - { in: ${JSON.stringify(argument)}, equals: ${JSON.stringify(value)}, labels: { capability: ${capability}, reversibility: ${reversibility} } }`,
  ),
]

/** What each label rests on: `write, partial: \`edit\` in its name; internal, untrusted: gives back what it changed`. */
export function evidenceText(perLabel: ToolLabelling['perLabel']): string {
  const values = new Map<string, string[]>()
  for (const label of ['capability', 'reversibility', 'confidentiality', 'trust'] as const) {
    const { value, source, reason } = perLabel[label]
    const why = source === 'heuristics' ? reason : `${SOURCE_WORDS[source]}: ${reason}`
    values.set(why, [...(values.get(why) ?? []), value === 'none' ? 'nothing of note' : value])
  }
  return [...values].map(([why, values]) => `${values.join(', ')}: ${why}`).join('; ')
}

const SOURCE_WORDS: Readonly<Record<Exclude<Source, 'heuristics'>, string>> = {
  catalogue: 'catalogue',
  meta: '`_meta`',
  annotations: 'hint',
  unknown: 'a guess',
}

const comment = (text: string): string => `# ${plainText(text.replaceAll(/\s+/g, ' '))}`

export function labelsText({ capability, confidentiality, trust, reversibility, tags }: ToolLabels): string {
  const members = [
    ['capability', capability],
    ['confidentiality', confidentiality ?? 'none'],
    ['trust', trust ?? 'trusted'],
    ['reversibility', reversibility],
    ['tags', tags && JSON.stringify(tags)],
  ].filter(([, value]) => value !== undefined)
  return `{ ${members.map(([name, value]) => `${name}: ${value}`).join(', ')} }`
}
