import { createGuard } from '@plimsoll/client'
import type { Documents, Verdict } from '@plimsoll/contracts'
import { type ToolDefinition, createEntryFinder } from '@plimsoll/labels'

type Schema = Readonly<Record<string, unknown>>

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

/** Values for texts, by the name of the argument. */
const TEXTS: readonly (readonly [name: RegExp, value: string])[] = [
  [/mail|recipient|^to$|^cc$|user/i, 'ann@example.com'],
  [/url|uri|link|href/i, 'https://example.com/page'],
  [/path|file|dir|folder/i, 'notes/today.txt'],
  [/sql|statement/i, 'SELECT name FROM customers LIMIT 5'],
  [/command|cmd|shell|script/i, 'ls notes'],
  [/date|time|since|until/i, '2026-01-15'],
]

const DEPTH_MAX = 4

/** A plausible value for a JSON schema: `text` for a text that nothing else is known of. */
function sampleOf(schema: unknown, name: string, text: string, depth = 0): unknown {
  if (!isSchema(schema) || depth > DEPTH_MAX) return text
  const { enum: values, const: constant, default: byDefault, type, items, properties } = schema
  const [first] = Array.isArray(values) ? (values as unknown[]) : []
  const given = constant ?? byDefault ?? first
  if (given !== undefined) return given
  const [kind] = [type].flat()
  if (kind === 'number' || kind === 'integer')
    return typeof schema['minimum'] === 'number' ? schema['minimum'] : 1
  if (kind === 'boolean') return false
  if (kind === 'array') return [sampleOf(items, name, text, depth + 1)]
  if (kind !== 'object' && !isSchema(properties)) return TEXTS.find(([of]) => of.test(name))?.[1] ?? text
  return sampleObject(schema, text, depth + 1)
}

function sampleObject({ properties, required }: Schema, text: string, depth = 0): Record<string, unknown> {
  const wanted: readonly unknown[] = Array.isArray(required) ? required : []
  const members = Object.entries(isSchema(properties) ? properties : {})
  // Texts that may be left out are given too: they are what a leak is in.
  const isGiven = (name: string, schema: unknown) =>
    wanted.includes(name) || (isSchema(schema) && schema['type'] === 'string')
  return Object.fromEntries(
    members
      .filter(([name, schema]) => isGiven(name, schema))
      .map(([name, schema]) => [name, sampleOf(schema, name, text, depth)]),
  )
}

/** Arguments for a tool by its input schema. */
export const sampleArguments = ({ inputSchema }: ToolDefinition, text: string): Record<string, unknown> =>
  isSchema(inputSchema) ? sampleObject(inputSchema, text) : {}

const HARMLESS = 'a short note'
/** Made up: the kind of text that must not leave. */
const CONFIDENTIAL = 'Case KX-48217: Ann Moor, account 7730194422, owes 1,240 EUR.'

/** A decision on a sample step. */
export interface SampleVerdict {
  readonly verdict: Verdict
  /** The message of the most severe reason; empty if there is none. */
  readonly why: string
}

export interface SampleOutcome {
  readonly tool: string
  /** The tool called once, by itself. */
  readonly alone: SampleVerdict
  /** After something sensitive was read, with that text in its arguments; not for tools that only read. */
  readonly afterRead?: SampleVerdict
}

/** Plays sample steps of each tool through the engine, in this process and without calling the tool. */
export async function observeSamples(
  tools: readonly ToolDefinition[],
  documents: Documents,
): Promise<readonly SampleOutcome[]> {
  const guard = await createGuard({ documents, mode: 'observe' })
  const entryOf = createEntryFinder(documents.catalogue)
  const play = async (tool: ToolDefinition, isAfterRead: boolean): Promise<SampleVerdict> => {
    const session = await guard.startSession({ task: 'work on the notes' })
    if (isAfterRead) {
      const read = await session.propose({ tool: 'read_file', arguments: { path: 'notes/case.txt' } })
      await session.complete(read, { result: CONFIDENTIAL, labels: { confidentiality: 'sensitive' } })
    }
    const args = sampleArguments(tool, isAfterRead ? CONFIDENTIAL : HARMLESS)
    const answer = await session.propose({ tool: tool.name, arguments: args })
    await session.complete(answer, { outcome: 'ok' })
    await session.end('completed')
    const { decision } = answer
    const verdict = decision?.verdict ?? answer.verdict
    const why = decision?.reasons.find((each) => each.verdict === verdict && each.liftedBy === undefined)
    return { verdict, why: why?.message ?? '' }
  }
  const outcomes: SampleOutcome[] = []
  try {
    for (const tool of tools) {
      const onlyReads = entryOf(tool.name)?.labels.capability === 'read'
      outcomes.push({
        tool: tool.name,
        alone: await play(tool, false),
        ...(!onlyReads && { afterRead: await play(tool, true) }),
      })
    }
  } finally {
    await guard.close()
  }
  return outcomes
}
