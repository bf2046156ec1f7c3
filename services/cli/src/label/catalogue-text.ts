import type { ToolLabels } from '@plimsoll/contracts'
import type { Proposal, ToolDefinition, ToolLabelling } from '@plimsoll/labels'
import { plainText } from '../plain-text.js'

/** Characters of a description that are shown to whoever edits the labels. */
const DESCRIPTION_CHARS_MAX = 110

/**
 * A proposal as a catalogue in YAML that a human edits: one line a tool, its reasons and doubts above it as comments, the doubtful first.
 * Names and descriptions come from servers: nothing of them can be taken for YAML, nor reach a terminal that shows the file.
 */
export function catalogueText(
  name: string,
  { labellings, refused }: Proposal,
  tools: readonly ToolDefinition[],
): string {
  const descriptions = new Map(tools.map(({ name, description = '' }) => [name, description]))
  const doubtful = labellings.filter(({ doubts }) => doubts.length > 0)
  const clear = labellings.filter(({ doubts }) => doubts.length === 0)
  const entries = (labellings: readonly ToolLabelling[]) =>
    labellings.flatMap((labelling) => entryLines(labelling, descriptions.get(labelling.tool) ?? ''))
  return [
    `# Proposed: read it, and change what is wrong. \`plimsoll label check\` holds it against the tools.`,
    ...refused.map(({ tool, why }) => comment(`left out: ${JSON.stringify(tool).slice(0, 100)}, ${why}`)),
    'schema: 1',
    'kind: plimsoll.catalogue',
    `name: ${JSON.stringify(name)}`,
    '',
    labellings.length === 0 ? 'tools: []' : 'tools:',
    ...(doubtful.length > 0 ? ['  # --- doubtful', ...entries(doubtful)] : []),
    ...(clear.length > 0 ? ['  # --- clear, the least sure first', ...entries(clear)] : []),
    '',
  ].join('\n')
}

function entryLines({ tool, labels, perLabel, doubts }: ToolLabelling, description: string): string[] {
  const shown = description.trim().slice(0, DESCRIPTION_CHARS_MAX)
  return [
    ...(shown ? [`  ${comment(`says: ${shown}`)}`] : []),
    `  ${comment(reasonsText(perLabel))}`,
    ...doubts.map((doubt) => `  ${comment(`DOUBT ${doubt}`)}`),
    `  - tools: [${JSON.stringify(tool)}]`,
    `    labels: ${labelsText(labels)}`,
  ]
}

/** `write, partial: \`edit\`; internal, untrusted: gives back what it changed`. */
function reasonsText(perLabel: ToolLabelling['perLabel']): string {
  const values = new Map<string, string[]>()
  for (const label of ['capability', 'reversibility', 'confidentiality', 'trust'] as const) {
    const { value, source, reason } = perLabel[label]
    const why = source === 'heuristics' ? reason : `${source}, ${reason}`
    values.set(why, [...(values.get(why) ?? []), value === 'none' ? 'nothing of note' : value])
  }
  return [...values].map(([why, values]) => `${values.join(', ')}: ${why}`).join('; ')
}

const comment = (text: string): string => `# ${plainText(text.replaceAll(/\s+/g, ' '))}`

function labelsText({ capability, confidentiality, trust, reversibility, tags }: ToolLabels): string {
  const members = [
    ['capability', capability],
    ['confidentiality', confidentiality ?? 'none'],
    ['trust', trust ?? 'trusted'],
    ['reversibility', reversibility],
    ['tags', tags && JSON.stringify(tags)],
  ].filter(([, value]) => value !== undefined)
  return `{ ${members.map(([name, value]) => `${name}: ${value}`).join(', ')} }`
}
