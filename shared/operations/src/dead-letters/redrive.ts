import { createHash } from 'node:crypto'
import {
  PlimsollError,
  PROOF_HEADER,
  REDRIVEN_HEADER,
  TENANT_HEADER,
  tenantOf,
  type Topics,
} from '@plimsoll/contracts'
import type { EventLog, OutgoingRecord } from '@plimsoll/runtime'
import type { DeadLetter } from './dead-letter.js'
import { eachDeadLetter, positionText, readDeadLetters, type DeadLetterFilter } from './find-dead-letters.js'

/** Why a dead letter is left where it is. */
export type Left = 'cut' | 'no_text_key' | 'no_origin' | 'other_topic' | 'same_record'

export interface RedrivePlan {
  /** In the order in which they lay in the log. */
  readonly letters: readonly DeadLetter[]
  readonly left: readonly { readonly letter: DeadLetter; readonly why: Left }[]
}

/** What is held in memory at most: a dead letter's value has up to 512 KiB. */
const PLAN_BYTES_MAX = 128 * 1024 * 1024
const PLAN_LETTERS_MAX = 100_000

/**
 * What of the dead letters that `filter` lets through can be written again. Throws `usage_invalid` where it is more than a plan
 * holds.
 */
export async function planRedrive(
  log: Pick<EventLog, 'read' | 'describe' | 'offsetAt'>,
  topics: Topics,
  filter: DeadLetterFilter,
  signal?: AbortSignal,
): Promise<RedrivePlan> {
  const { positions, ...conditions } = filter
  const found: DeadLetter[] = positions
    ? [...(await readDeadLetters(log, topics.deadLetters, positions, signal))]
    : []
  let bytes = 0
  const take = (letter: DeadLetter) => {
    bytes += letter.value?.length ?? 0
    // Beyond the limit letters are only counted, and the plan is refused. The copy of a value releases the rest of its fetch.
    if (bytes <= PLAN_BYTES_MAX && found.length <= PLAN_LETTERS_MAX)
      found.push({ ...letter, value: letter.value && Buffer.from(letter.value) })
  }
  if (!positions) await eachDeadLetter(log, topics.deadLetters, conditions, take, signal)
  if (bytes > PLAN_BYTES_MAX || found.length > PLAN_LETTERS_MAX)
    throw new PlimsollError(
      'usage_invalid',
      `more than ${PLAN_LETTERS_MAX} dead letters or ${PLAN_BYTES_MAX >> 20} MiB match: narrow them by code, session or time`,
    )
  return planOf(found, topics)
}

/**
 * Of `found` what can be written again, in the order of the log it came from. A record that was set aside several times, because it
 * was redriven or because a monitor died before it could commit, is written once.
 */
export function planOf(found: readonly DeadLetter[], topics: Pick<Topics, 'events'>): RedrivePlan {
  const letters: DeadLetter[] = []
  const left: { letter: DeadLetter; why: Left }[] = []
  const seen = new Set<string>()
  for (const letter of found.toSorted(byOrigin)) {
    const why = obstacleOf(letter, topics) ?? (seen.has(recordHash(letter)) ? 'same_record' : undefined)
    if (why) left.push({ letter, why })
    else {
      seen.add(recordHash(letter))
      letters.push(letter)
    }
  }
  return { letters, left }
}

function obstacleOf(letter: DeadLetter, topics: Pick<Topics, 'events'>): Left | undefined {
  if (letter.valueCutFrom !== undefined || letter.keyCutFrom !== undefined) return 'cut'
  if (!letter.origin) return 'no_origin'
  // Headers can be forged: nothing is written to another topic because of them.
  if (letter.origin.topic !== topics.events) return 'other_topic'
  // Its bytes were no UTF-8, and what they were is not known any more.
  if (letter.key?.includes('\ufffd')) return 'no_text_key'
  return undefined
}

function byOrigin(a: DeadLetter, b: DeadLetter): number {
  if (!a.origin || !b.origin) return Number(!a.origin) - Number(!b.origin)
  return a.origin.partition - b.origin.partition || Number(a.origin.offset - b.origin.offset)
}

function recordHash({ key, value }: DeadLetter): string {
  const hash = createHash('sha256')
    .update(JSON.stringify(key))
    .update(value ? '1' : '0')
  return hash.update(value ?? '').digest('base64')
}

/** Records handed over at a time, and bytes: well within what the log lets wait. */
const SLICE_RECORDS_MAX = 500
const SLICE_BYTES_MAX = 4 * 1024 * 1024

/**
 * Writes `letters` to the events topic again, key and bytes as they were, in their order; `onWritten` gets the count
 * after each slice. Rejects as `produce` does: then the counted letters are written, and some of the next slice may be.
 */
export async function redrive(
  log: Pick<EventLog, 'produce'>,
  topics: Pick<Topics, 'events'>,
  letters: readonly DeadLetter[],
  onWritten: (count: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  let written = 0
  for (const slice of slicesOf(letters)) {
    if (signal?.aborted) return
    await log.produce(topics.events, slice.map(recordOf))
    written += slice.length
    onWritten(written)
  }
}

function recordOf(letter: DeadLetter): OutgoingRecord {
  const { key, value } = letter
  const proof = letter.headers[PROOF_HEADER]
  const headers = {
    ...(proof !== undefined && { [PROOF_HEADER]: proof }),
    ...(key !== null && { [TENANT_HEADER]: tenantOf(key) }),
    [REDRIVEN_HEADER]: positionText(letter),
  }
  return { key, value, headers }
}

function slicesOf(letters: readonly DeadLetter[]): DeadLetter[][] {
  const slices: DeadLetter[][] = []
  let bytes = Infinity
  for (const letter of letters) {
    const slice = slices.at(-1)
    bytes += letter.value?.length ?? 0
    if (slice && slice.length < SLICE_RECORDS_MAX && bytes <= SLICE_BYTES_MAX) slice.push(letter)
    else {
      slices.push([letter])
      bytes = letter.value?.length ?? 0
    }
  }
  return slices
}
