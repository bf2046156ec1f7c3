import { DEAD_LETTER_HEADERS, ERRORS } from '@plimsoll/contracts'
import type { LogRecord } from '@plimsoll/runtime'

/** A record that the monitor set aside, with why. */
export interface DeadLetter {
  /** Where it lies in the topic of dead letters. */
  readonly partition: number
  readonly offset: bigint
  readonly timeMs: number
  readonly code: string
  readonly message: string
  /** Where it came from, if its headers say so. */
  readonly origin: Origin | undefined
  /** The key of the record it was: the session's id, if it was of a session. */
  readonly key: string | null
  readonly value: Buffer | null
  /** Bytes of the original value, if only its beginning was kept. */
  readonly valueCutFrom: number | undefined
  /** Bytes of the original key, if it was not kept. */
  readonly keyCutFrom: number | undefined
  readonly headers: Readonly<Record<string, string>>
}

export interface Origin {
  readonly topic: string
  readonly partition: number
  readonly offset: bigint
}

const NUMBER = /^\d{1,18}$/

/** The dead letter in `record`. Headers may be missing or forged: invalid ones are left out. */
export function deadLetterOf(record: LogRecord): DeadLetter {
  const { partition, offset, timeMs, key, value, headers } = record
  const header = (name: keyof typeof DEAD_LETTER_HEADERS) => headers[DEAD_LETTER_HEADERS[name]]
  const count = (name: keyof typeof DEAD_LETTER_HEADERS) => {
    const text = header(name)
    return text !== undefined && NUMBER.test(text) ? Number(text) : undefined
  }
  return {
    partition,
    offset,
    timeMs,
    code: header('code') ?? '',
    message: header('message') ?? '',
    origin: originOf(header('topic'), header('partition'), header('offset')),
    key,
    value,
    valueCutFrom: count('cutFrom'),
    keyCutFrom: count('keyCutFrom'),
    headers,
  }
}

function originOf(
  topic: string | undefined,
  partition: string | undefined,
  offset: string | undefined,
): Origin | undefined {
  if (topic === undefined || !NUMBER.test(partition ?? '') || !NUMBER.test(offset ?? '')) return undefined
  return { topic, partition: Number(partition), offset: BigInt(offset ?? 0) }
}

/** What to do about a fault of this code; undefined for a code that this release does not know. */
export function helpOnCode(code: string): string | undefined {
  return Object.hasOwn(ERRORS, code) ? ERRORS[code as keyof typeof ERRORS].help : undefined
}
