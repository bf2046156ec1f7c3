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
  parseJson,
} from '@plimsoll/contracts'
import type { LogRecord, OutgoingRecord } from '@plimsoll/runtime'
import { z } from 'zod'

/** What one event publishes: a decision (its JSON), a dead letter for its fault, or both. */
export interface Emission {
  readonly offset: bigint
  readonly decision: string | undefined
  readonly fault: Fault | undefined
}

/** A longer key is no session id; it would only make the dead letter too large. */
const DEAD_LETTER_KEY_BYTES_MAX = 1024

/**
 * Emissions as the text of an outbox, empty for none. Each line is `<offset> d <decision>` or `<offset> f <fault>`, both JSON, which has no
 * line breaks: a decision is stored as it is published, encoded once.
 */
export function encodeOutbox(emissions: readonly Emission[]): string {
  const lines: string[] = []
  for (const { offset, decision, fault } of emissions) {
    if (decision !== undefined) lines.push(`${offset} d ${decision}`)
    if (fault) lines.push(`${offset} f ${JSON.stringify(fault)}`)
  }
  return lines.join('\n')
}

/** The emissions in `outbox`; undefined if it is unreadable. */
export function decodeOutbox(outbox: string): Emission[] | undefined {
  if (outbox === '') return []
  const emissions = new Map<string, Emission>()
  for (const line of outbox.split('\n')) {
    const [head, offset, kind] = /^(\d+) ([df]) /.exec(line) ?? []
    if (head === undefined || offset === undefined) return undefined
    const text = line.slice(head.length)
    const { decision, fault } = emissions.get(offset) ?? {}
    const own = kind === 'd' ? { decision: text, fault } : { decision, fault: parseFault(text) }
    if (kind === 'f' && !own.fault) return undefined
    emissions.set(offset, { offset: BigInt(offset), ...own })
  }
  return [...emissions.values()]
}

export const faultSchema = z.object({
  code: z.custom<Fault['code']>((code) => typeof code === 'string' && code in ERRORS),
  message: z.string(),
})

const parseFault = (text: string): Fault | undefined => faultSchema.safeParse(parseJson(text)).data

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

/** The records to publish for `answered`, by topic, in log order. */
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

/** A decision carries the trace of its event. */
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
      // A header of another length is no proof.
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
