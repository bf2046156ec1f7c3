import { createBackoff, pause } from '@plimsoll/runtime'
import {
  PROTOCOLS,
  type Endpoint,
  type Prompt,
  type ProtocolName,
  type Reading,
  type TokenCount,
} from '../protocols/index.js'
import { attempt, RETRYABLE } from './attempt.js'
import { ATTEMPTS_MAX, urlOf } from './model.js'

export interface AskerOptions extends Endpoint {
  readonly protocol: ProtocolName
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Bound of the first pause between attempts; 500 ms by default. */
  readonly firstPauseMs?: number
}

/** Result of a request, and its cost. */
export type Asked = (Reading | { readonly kind: 'unavailable' | 'rejected' }) & {
  /** Calls of the endpoint, retries included. */
  readonly calls: number
  /** Of the last call, if the endpoint reports them. */
  readonly tokens?: TokenCount | undefined
}

/** Asks a model for an answer of a given shape. Never rejects; makes up to three attempts. */
export function createAsker(options: AskerOptions): (prompt: Prompt) => Promise<Asked> {
  const { timeoutMs, signal, firstPauseMs = 500 } = options
  const protocol = PROTOCOLS[options.protocol]
  const call = {
    url: urlOf(options.url, protocol),
    headers: protocol.headers(options),
    timeoutMs,
    signal,
    now: () => Date.now(),
  }
  return async (prompt) => {
    const body = JSON.stringify(protocol.body(prompt, options))
    const backoff = createBackoff({ firstMs: firstPauseMs, maxMs: 8_000 })
    for (let calls = 1; ; calls++) {
      const { outcome, json, waitMs = 0 } = await attempt({ ...call, body })
      if (outcome === 'ok') return { ...protocol.read(json), calls, tokens: protocol.tokens(json) }
      if (outcome === 'invalid' || outcome === 'rejected') return { kind: outcome, calls }
      if (calls === ATTEMPTS_MAX || signal.aborted || !RETRYABLE.has(outcome))
        return { kind: 'unavailable', calls }
      await pause(Math.min(PAUSE_MS_MAX, Math.max(waitMs, backoff.next())), signal)
    }
  }
}

const PAUSE_MS_MAX = 20_000
