import {
  type Fault,
  type Topics,
  DEAD_LETTER_BYTES_MAX,
  DEAD_LETTER_HEADERS,
  DEFAULT_TENANT,
  ERRORS,
  PROOF_CHARS,
  PROOF_HEADER,
  TENANT_HEADER,
  tenantOf,
  traceHeadersOf,
} from '@plimsoll/contracts'
import type { LogRecord, OutgoingRecord } from '@plimsoll/runtime'
import { z } from 'zod'

/** What one event gives to the outside: a decision (its JSON), a dead letter, or both. */
export interface Emission {
  readonly offset: bigint
  readonly decision: string | undefined
  readonly fault: Fault | undefined
}

/** A key longer than any id is no session's; it would only make the dead letter too large. */
const DEAD_LETTER_KEY_BYTES_MAX = 1024

type Entry = readonly [offset: string, decision: string | null, code?: Fault['code'], message?: string]

/** Emissions as the text of an outbox; empty for none. */
export function encodeOutbox(emissions: readonly Emission[]): string {
  if (emissions.length === 0) return ''
  const entries = emissions.map(({ offset, decision, fault }): Entry =>
    fault
      ? [String(offset), decision ?? null, fault.code, fault.message]
      : [String(offset), decision ?? null],
  )
  return JSON.stringify(entries)
}

/** The emissions in `outbox`; undefined where it cannot be read. */
export function decodeOutbox(outbox: string): Emission[] | undefined {
  if (outbox === '') return []
  const entries = entriesOf(outbox)
  return entries?.map(([offset, decision, code, message]) => ({
    offset: BigInt(offset),
    decision: decision ?? undefined,
    fault: code === undefined ? undefined : { code, message: message ?? '' },
  }))
}

const entrySchema = z.union([
  z.tuple([z.string().regex(/^\d+$/), z.string().nullable()]),
  z.tuple([
    z.string().regex(/^\d+$/),
    z.string().nullable(),
    z.custom<Fault['code']>((code) => typeof code === 'string' && code in ERRORS),
    z.string(),
  ]),
])

function entriesOf(outbox: string): Entry[] | undefined {
  try {
    return z.array(entrySchema).safeParse(JSON.parse(outbox)).data
  } catch {
    return undefined
  }
}

/** One emission with the record that it answers. */
export interface Answered {
  readonly record: LogRecord
  readonly emission: Emission
  readonly sessionId: string | null
}

export interface Outgoing {
  readonly topic: string
  readonly records: readonly OutgoingRecord[]
}

/** The records to publish for `answered`, a list for each topic that has any, in log order. */
export function outgoingOf(answered: readonly Answered[], topics: Topics): Outgoing[] {
  const decisions: OutgoingRecord[] = []
  const deadLetters: OutgoingRecord[] = []
  for (const { record, emission, sessionId } of answered) {
    if (emission.fault) deadLetters.push(deadLetterOf(record, emission.fault))
    if (emission.decision !== undefined)
      decisions.push({
        key: sessionId,
        value: emission.decision,
        headers: headersOf(record, sessionId ?? ''),
      })
  }
  return [
    { topic: topics.decisions, records: decisions },
    { topic: topics.deadLetters, records: deadLetters },
  ].filter(({ records }) => records.length > 0)
}

/** A decision goes on with the trace of what it answers. */
function headersOf({ headers }: LogRecord, sessionId: string): Readonly<Record<string, string>> {
  const trace = traceHeadersOf(headers)
  return trace ? { ...tenantHeader(sessionId), ...trace } : tenantHeader(sessionId)
}

function tenantHeader(sessionId: string): Readonly<Record<string, string>> {
  const tenant = tenantOf(sessionId)
  return tenant === DEFAULT_TENANT ? OF_DEFAULT_TENANT : { [TENANT_HEADER]: tenant }
}

const OF_DEFAULT_TENANT = Object.freeze({ [TENANT_HEADER]: DEFAULT_TENANT })

function deadLetterOf(record: LogRecord, { code, message }: Fault): OutgoingRecord {
  const { topic, partition, offset, key, value } = record
  const keyBytes = Buffer.byteLength(key ?? '')
  const isKeyCut = keyBytes > DEAD_LETTER_KEY_BYTES_MAX
  const isCut = value !== null && value.length > DEAD_LETTER_BYTES_MAX
  const proof = record.headers[PROOF_HEADER]
  return {
    key: isKeyCut ? null : key,
    value: isCut ? value.subarray(0, DEAD_LETTER_BYTES_MAX) : value,
    headers: {
      // Whatever is no proof may be of any length.
      ...(proof?.length === PROOF_CHARS && { [PROOF_HEADER]: proof }),
      ...(isKeyCut && { [DEAD_LETTER_HEADERS.keyCutFrom]: String(keyBytes) }),
      ...(isCut && { [DEAD_LETTER_HEADERS.cutFrom]: String(value.length) }),
      [DEAD_LETTER_HEADERS.code]: code,
      [DEAD_LETTER_HEADERS.message]: message,
      [DEAD_LETTER_HEADERS.topic]: topic,
      [DEAD_LETTER_HEADERS.partition]: String(partition),
      [DEAD_LETTER_HEADERS.offset]: String(offset),
    },
  }
}
