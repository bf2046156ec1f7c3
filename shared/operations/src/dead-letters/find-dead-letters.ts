import { PlimsollError } from '@plimsoll/contracts'
import type { EventLog, LogRecord } from '@plimsoll/runtime'
import { rangesOf, type Range } from '../records.js'
import { deadLetterOf, type DeadLetter } from './dead-letter.js'

/** Which dead letters; each condition narrows. */
export interface DeadLetterFilter {
  readonly codes?: readonly string[] | undefined
  /** Session ids, as the records' keys have them. */
  readonly sessions?: readonly string[] | undefined
  /** Set aside then or later, milliseconds since 1970. */
  readonly sinceMs?: number | undefined
  /** These alone. */
  readonly positions?: readonly Position[] | undefined
}

/** A place in the topic of dead letters. */
export interface Position {
  readonly partition: number
  readonly offset: bigint
}

type Log = Pick<EventLog, 'read' | 'describe' | 'offsetAt'>

/** Hands every dead letter in `topic` that `filter` lets through to `onLetter`: of each partition in order. */
export async function eachDeadLetter(
  log: Log,
  topic: string,
  filter: DeadLetterFilter,
  onLetter: (letter: DeadLetter) => void,
  signal?: AbortSignal,
): Promise<void> {
  const { codes = [], sessions = [], sinceMs, positions } = filter
  const ranges = positions ? spansOf(positions) : await rangesOf(log, topic, { fromMs: sinceMs })
  if (ranges.length === 0) return
  const named = positions && new Set(positions.map(positionText))
  const isAsked = ({ partition, offset, code, key, timeMs }: DeadLetter) =>
    (named === undefined || named.has(positionText({ partition, offset }))) &&
    (codes.length === 0 || codes.includes(code)) &&
    (sessions.length === 0 || (key !== null && sessions.includes(key))) &&
    (sinceMs === undefined || timeMs >= sinceMs)
  const take = (record: LogRecord) => {
    const letter = deadLetterOf(record)
    if (isAsked(letter)) onLetter(letter)
  }
  await log.read(topic, take, { ranges, ...(signal && { signal }) })
}

/** A range for each partition, from the first of its positions to the last. */
function spansOf(positions: readonly Position[]): readonly Range[] {
  const spans = new Map<number, Range>()
  for (const { partition, offset } of positions) {
    const { from, to } = spans.get(partition) ?? { from: offset, to: offset + 1n }
    spans.set(partition, {
      partition,
      from: offset < from ? offset : from,
      to: offset >= to ? offset + 1n : to,
    })
  }
  return [...spans.values()]
}

/** A dead letter without what is large in it. */
export interface ListedLetter extends Omit<DeadLetter, 'value' | 'headers'> {
  /** Null where there was no value. */
  readonly valueBytes: number | null
}

export interface Listed {
  /** The latest first. */
  readonly letters: readonly ListedLetter[]
  /** How many there are, with those beyond the limit. */
  readonly count: number
}

/** The latest `limit` dead letters that `filter` lets through; no more of them are ever held. */
export async function listDeadLetters(
  log: Log,
  topic: string,
  filter: DeadLetterFilter,
  limit: number,
  signal?: AbortSignal,
): Promise<Listed> {
  let kept: ListedLetter[] = []
  let count = 0
  const keepLatest = () => {
    kept = kept.toSorted(latestFirst).slice(0, limit)
  }
  await eachDeadLetter(
    log,
    topic,
    filter,
    ({ value, headers: _headers, ...letter }) => {
      count++
      kept.push({ ...letter, valueBytes: value?.length ?? null })
      if (kept.length >= 2 * limit) keepLatest()
    },
    signal,
  )
  keepLatest()
  return { letters: kept, count }
}

const latestFirst = (a: ListedLetter, b: ListedLetter): number =>
  b.timeMs - a.timeMs || a.partition - b.partition || Number(b.offset - a.offset)

/** The dead letter at `position`. Throws `usage_invalid` where there is none. */
export async function readDeadLetter(
  log: Log,
  topic: string,
  position: Position,
  signal?: AbortSignal,
): Promise<DeadLetter> {
  const [letter] = await readDeadLetters(log, topic, [position], signal)
  if (!letter) throw new RangeError('there is one for each position')
  return letter
}

/** The dead letters at `positions`, in their order. Throws `usage_invalid`, naming those where there is none. */
export async function readDeadLetters(
  log: Log,
  topic: string,
  positions: readonly Position[],
  signal?: AbortSignal,
): Promise<readonly DeadLetter[]> {
  const described = await rangesOf(log, topic, {})
  const isThere = ({ partition, offset }: Position) =>
    described.some((each) => each.partition === partition && each.from <= offset && offset < each.to)
  const found = new Map<string, DeadLetter>()
  const take = (letter: DeadLetter) => found.set(positionText(letter), letter)
  await eachDeadLetter(log, topic, { positions: positions.filter(isThere) }, take, signal)
  const missing = positions.filter((position) => !found.has(positionText(position)))
  if (missing.length > 0)
    throw new PlimsollError(
      'usage_invalid',
      `no dead letter at \`${missing.map(positionText).join('`, `')}\` in \`${topic}\``,
    )
  return positions.flatMap((position) => found.get(positionText(position)) ?? [])
}

/** `PARTITION:OFFSET`. */
export const positionText = ({ partition, offset }: Position): string => `${partition}:${offset}`

/** The position that `text` (`PARTITION:OFFSET`) names. Throws `usage_invalid`. */
export function parsePosition(text: string): Position {
  const [, partition, offset] = /^(\d{1,9}):(\d{1,18})$/.exec(text) ?? []
  if (partition === undefined || offset === undefined)
    throw new PlimsollError('usage_invalid', `\`${text}\` is no PARTITION:OFFSET`)
  return { partition: Number(partition), offset: BigInt(offset) }
}
