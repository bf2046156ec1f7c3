import { parseJson } from '@plimsoll/contracts'
/** Milliseconds to wait by `Retry-After`, in seconds or as a date; undefined without a valid one. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

export type CallOutcome = 'ok' | 'timeout' | 'network' | 'rate_limited' | 'server' | 'rejected' | 'invalid'

/** Result of one HTTP call. */
export interface Attempt {
  readonly outcome: CallOutcome
  /** The JSON of a response with status 2xx. */
  readonly json?: unknown
  readonly status?: number
  /** Requested wait, milliseconds. */
  readonly waitMs?: number | undefined
}

export interface AttemptOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly now: () => number
}

/** Most bytes read of a response. */
const RESPONSE_BYTES_MAX = 256 * 1024

/** Outcomes worth a retry. */
export const RETRYABLE: ReadonlySet<CallOutcome> = new Set(['timeout', 'network', 'rate_limited', 'server'])

/** One POST of JSON, its response read to its end within `timeoutMs`. Never rejects. Does not follow redirects, because it sends a key. */
export async function attempt(options: AttemptOptions): Promise<Attempt> {
  const { url, headers, body, timeoutMs, signal, now } = options
  const late = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, late]),
    })
    const { status } = response
    if (status < 200 || status > 299) {
      await response.body?.cancel()
      return {
        outcome: outcomeOf(status),
        status,
        waitMs: retryAfterMs(response.headers.get('retry-after'), now()),
      }
    }
    const json = parseJson(await textOf(response))
    return json === undefined ? { outcome: 'invalid', status } : { outcome: 'ok', status, json }
  } catch {
    return { outcome: late.aborted ? 'timeout' : 'network' }
  }
}

function outcomeOf(status: number): CallOutcome {
  if (status === 429) return 'rate_limited'
  return status >= 500 || status === 408 ? 'server' : 'rejected'
}

/** Undefined if it exceeds the limit. */
async function textOf(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > RESPONSE_BYTES_MAX) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
