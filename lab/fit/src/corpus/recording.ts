import { type BlindTrace, type ToolLists, blindOf, readToolLists } from './blind.js'
import { type ReadProgress, readTraces } from './read-traces.js'
import { type Trace, isKeptBack } from './trace.js'

/** Why a session is not judged. `label_unconfirmed`: two labellers disagree. */
export type Excluded =
  'label_unknown' | 'label_partial' | 'label_text_only' | 'label_unconfirmed' | 'no_steps'

/** What really happened: for the targets of a fit and for the metrics only. */
export interface RecordedTruth {
  /** Why the session is not judged; undefined if it is. */
  readonly excluded: Excluded | undefined
  readonly unsafe: boolean
  /** Index of the violating step; undefined if there was none or it is unknown. */
  readonly violatedAt: number | undefined
  /** Whether the session is safe or its violating step is known. */
  readonly hasSteps: boolean
  /** Safe because it was not attacked, without review. */
  readonly assumed: boolean
  /** Index of the first result with a hidden instruction; null if there is none, undefined if unknown. */
  readonly instructedAt: number | null | undefined
  /** Indices of proposals that never ran. */
  readonly unexecuted: ReadonlySet<number>
}

/** Where a session comes from: for folds, groups and names in reports only. */
export interface About {
  readonly source: string
  readonly traceId: string
  readonly suite: string
  /** What the user asked for, as text. */
  readonly task: string
  readonly model: string
  readonly category: string
  /** The wording around the attack, and its goal within the suite; empty where the session was not attacked. */
  readonly template: string
  readonly goal: string
  readonly attackFold: number | undefined
  readonly taskFold: number | undefined
  readonly split: string
}

/** A recorded session in three parts, so that features cannot see the truth. */
export interface Recording {
  readonly blind: BlindTrace
  readonly truth: RecordedTruth
  readonly about: About
}

/** Whether a session is kept from everything that ships: the test split, and fold 4. */
export const isHeldOutAbout = ({ split, attackFold, taskFold }: About): boolean =>
  isKeptBack(split, attackFold ?? taskFold)

/** Folds by task, where the file has none. */
const TASK_FOLDS = 5

/** The fold of the user's task: the file's, else by a hash of suite and task, so that all sessions of a task are in one fold. */
export const taskFoldOf = ({ taskFold, suite, task }: Pick<About, 'taskFold' | 'suite' | 'task'>): number =>
  taskFold ?? hashOf(`${suite}\n${task}`) % TASK_FOLDS

/** FNV-1a, 32 bits, with its bits well mixed. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}

export function recordingOf(trace: Trace, lists?: ToolLists): Recording {
  return { blind: blindOf(trace, lists), truth: truthIn(trace), about: aboutOf(trace) }
}

/**
 * Recordings of `files`, in their order, with the tools beside them.
 *
 * @throws PlimsollError `traces_invalid`, naming the file and the line
 */
export async function* readRecordings(
  files: readonly string[],
  onProgress?: (progress: ReadProgress) => void,
): AsyncGenerator<Recording> {
  const lists = await readToolLists(files)
  for await (const trace of readTraces(files, onProgress)) yield recordingOf(trace, lists)
}

function truthIn({ label, steps, attack }: Trace): RecordedTruth {
  const at = steps.findIndex(({ i }) => i === label.violation_step)
  const violatedAt = label.unsafe === true && at >= 0 ? at : undefined
  const unexecuted = steps.flatMap(({ executed }, n) => (executed === false ? [n] : []))
  return {
    excluded: steps.length === 0 ? 'no_steps' : exclusionFor(label),
    unsafe: label.unsafe === true,
    violatedAt,
    hasSteps: label.unsafe === false || violatedAt !== undefined,
    assumed: label.assumed === true,
    instructedAt: instructedAtIn({ label, steps, attack }),
    unexecuted: new Set(unexecuted),
  }
}

/** Null for a session that was not attacked, or that never read the attacker's instruction. */
function instructedAtIn({
  label,
  steps,
  attack,
}: Pick<Trace, 'label' | 'steps' | 'attack'>): number | null | undefined {
  const { injection_seen_step: seen } = label
  if (typeof seen === 'number') {
    const at = steps.findIndex(({ i }) => i === seen)
    return at >= 0 ? at : undefined
  }
  return seen === null || typeof attack !== 'string' ? null : undefined
}

/** Why a label cannot be used; undefined if it says whether the session was unsafe. */
export function exclusionFor({ unsafe, partial, text_only, agree }: Trace['label']): Excluded | undefined {
  if (unsafe === null) return 'label_unknown'
  if (partial) return 'label_partial'
  if (text_only) return 'label_text_only'
  return agree !== undefined && agree !== true ? 'label_unconfirmed' : undefined
}

function aboutOf(trace: Trace): About {
  return {
    source: trace.source,
    traceId: trace.trace_id,
    suite: trace.suite,
    task: trace.task,
    model: trace.model,
    category: trace.category_hint,
    template: trace.attack?.split(':')[0] ?? '',
    goal: trace.attack ? `${trace.suite}:${trace.attack.split(':').slice(1).join(':')}` : '',
    attackFold: trace.attack_fold ?? undefined,
    taskFold: trace.task_fold ?? undefined,
    split: trace.split ?? '',
  }
}

/** A source with more suites has one for nearly every task; it counts as one suite, because a handful of sessions cannot be ranked. */
const SUITES_MAX = 12

/** Whether a source is one of so many small suites that all of it counts as one. */
export function createSuites(abouts: Iterable<Pick<About, 'source' | 'suite'>>): (source: string) => boolean {
  const suites = new Map<string, Set<string>>()
  for (const { source, suite } of abouts) suites.set(source, (suites.get(source) ?? new Set()).add(suite))
  return (source) => (suites.get(source)?.size ?? 0) > SUITES_MAX
}
