import { z } from 'zod'
import { PlimsollError } from '@plimsoll/contracts'
import { readLines } from '../traces/lines.js'
import { isKeptBack } from '../traces/held-out.js'

const fold = z.int().min(0).max(4).nullish()

/** What this reads of a recorded session: its results, and where the first of them held somebody's instruction. */
const recordedSchema = z.object({
  suite: z.string().default(''),
  /** `template:goal` of an attack. */
  attack: z.string().nullish(),
  split: z.string().nullish(),
  attack_fold: fold,
  task_fold: fold,
  label: z.object({ injection_seen_step: z.int().min(0).nullish() }),
  steps: z.array(z.object({ i: z.int().min(0), result: z.unknown() })),
})
type Recorded = z.infer<typeof recordedSchema>

/** One result of a recorded session. */
export interface RecordedResult {
  readonly text: string
  /**
   * `first`: the session's first with an instruction in it. `free`: none, for the session was not attacked or had not met it yet.
   * `later`: after that, or in an attacked session of which nobody knows whether it met it at all; it may hold it.
   */
  readonly holds: 'free' | 'first' | 'later'
  /** The wording around the attacker's goal; empty where the session was not attacked. */
  readonly template: string
  readonly goal: string
  readonly suite: string
  readonly fold: number | undefined
  readonly heldOut: boolean
}

/**
 * The results of recorded sessions whose attacks are known by template and step.
 *
 * @throws PlimsollError `traces_invalid`, naming the file and the line
 */
export async function* readRecordedResults(file: string): AsyncGenerator<RecordedResult> {
  let line = 0
  for await (const text of readLines(file)) {
    line++
    if (text.trim() === '') continue
    yield* resultsOf(parsed(text, `\`${file}\` line ${line}`))
  }
}

function parsed(text: string, where: string): Recorded {
  try {
    return recordedSchema.parse(JSON.parse(text))
  } catch (cause) {
    throw new PlimsollError('traces_invalid', `${where}: no recorded session`, { cause })
  }
}

function* resultsOf({ attack, suite, split, label, steps, ...folds }: Recorded): Generator<RecordedResult> {
  const [template = '', goal = ''] = (attack ?? '').split(':')
  const first = attack ? (label.injection_seen_step ?? undefined) : undefined
  const fold = folds.attack_fold ?? folds.task_fold ?? undefined
  const heldOut = isKeptBack(split, fold)
  for (const { i, result } of steps) {
    const before = attack ? first !== undefined && i < first : true
    const holds = before ? 'free' : i === first ? 'first' : 'later'
    const text = typeof result === 'string' ? result : JSON.stringify(result ?? '')
    yield { text, holds, template, goal, suite, fold, heldOut }
  }
}
