import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { PlimsollError, formatIssues, parseJson } from '@plimsoll/contracts'
import { z } from 'zod'
import type { Trace } from './trace.js'

/** One step as the client that reports it sees it: before it runs the tool and its arguments, then what came of it. */
export interface BlindStep {
  readonly tool: string
  /** As the tool's owner describes it to the agent, where that is known. */
  readonly description?: string
  readonly args: Readonly<Record<string, unknown>>
  /** Any JSON; undefined where nothing came back. */
  readonly result: unknown
  readonly error: boolean
}

/**
 * A recorded session with everything left out that no client could know at the time: label, attack, taint, execution, utility, folds,
 * suite, model and ids. Whatever is computed for a step is computed from this.
 */
export interface BlindTrace {
  readonly task: string
  /** The category as the agent declares it. */
  readonly category: string
  /** Names of the tools that the agent could use, if known; one object for each list. */
  readonly tools?: readonly string[]
  readonly steps: readonly BlindStep[]
}

/** The tools that go by a `toolsRef`: their names, and what their owner says of each. */
export interface ToolLists {
  readonly names: (toolsRef: string) => readonly string[] | undefined
  readonly describe: (toolsRef: string, tool: string) => string | undefined
}

const NO_TOOL_LISTS: ToolLists = { names: () => undefined, describe: () => undefined }

export function blindOf(trace: Trace, lists: ToolLists = NO_TOOL_LISTS): BlindTrace {
  const { task, category_hint, tools_ref } = trace
  const steps = trace.steps.map(({ tool, args = {}, result, error }): BlindStep => {
    const description = typeof tools_ref === 'string' ? lists.describe(tools_ref, tool) : undefined
    return { tool, ...(description !== undefined && { description }), args, result, error: error === true }
  })
  const tools = typeof tools_ref === 'string' ? lists.names(tools_ref) : undefined
  return { task, category: category_hint, ...(tools && { tools }), steps }
}

/** The same for equal steps. */
export const stepKey = ({ tool, description, args, result, error }: BlindStep): string =>
  // No result and the result `null` are written alike.
  JSON.stringify([tool, error, description, args, result, result === undefined])

/** What of steps is kept, in two halves: the newer is filled while the older is still looked up in. */
export interface RecentLimits {
  readonly steps: number
  /** Characters of their texts. */
  readonly chars: number
}

/** Of recorded sessions three steps in four are found among the last four thousand that differ. */
export const RECENT: RecentLimits = { steps: 8_192, chars: 16_000_000 }

/** Sessions whose steps are one object where they are equal to a recent one, in memory that does not grow. */
export function createRecentSteps(most: RecentLimits = RECENT): (trace: BlindTrace) => BlindTrace {
  let newer = new Map<string, BlindStep>()
  let older = new Map<string, BlindStep>()
  let chars = 0
  const recent = (step: BlindStep): BlindStep => {
    const key = stepKey(step)
    const known = newer.get(key)
    if (known) return known
    const kept = older.get(key) ?? step
    newer.set(key, kept)
    chars += key.length
    if (newer.size >= most.steps / 2 || chars >= most.chars / 2) {
      older = newer
      newer = new Map()
      chars = 0
    }
    return kept
  }
  return (trace) => ({ ...trace, steps: trace.steps.map(recent) })
}

const listSchema = z.record(
  z.string(),
  z.array(z.looseObject({ name: z.string(), description: z.string().nullish() })),
)

/**
 * The tools in `tools.json` beside each file of recordings; none where there is no such file.
 *
 * @throws PlimsollError `traces_invalid` where it is there and is no list of tools
 */
export async function readToolLists(files: readonly string[]): Promise<ToolLists> {
  const folders = [...new Set(files.map((file) => path.dirname(path.resolve(file))))]
  const lists = await Promise.all(folders.map((folder) => readList(path.join(folder, 'tools.json'))))
  const names = new Map<string, readonly string[]>()
  const known = new Map<string, string>()
  for (const list of lists)
    for (const [ref, tools] of Object.entries(list)) {
      names.set(
        ref,
        tools.map(({ name }) => name),
      )
      for (const { name, description } of tools) if (description) known.set(keyOf(ref, name), description)
    }
  return { names: (ref) => names.get(ref), describe: (ref, tool) => known.get(keyOf(ref, tool)) }
}

async function readList(file: string): Promise<z.infer<typeof listSchema>> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return {}
  const result = listSchema.safeParse(parseJson(text))
  if (result.success) return result.data
  throw new PlimsollError(
    'traces_invalid',
    `\`${file}\` is no list of tools by name: ${formatIssues(result.error)}`,
  )
}

const keyOf = (ref: string, tool: string): string => `${ref}\n${tool}`
