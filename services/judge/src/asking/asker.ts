import { createBackoff, pause } from '@plimsoll/runtime'
import { PROTOCOLS, type Endpoint, type Prompt, type ProtocolName, type Reading } from '../protocols/index.js'
import { attempt, RETRYABLE } from './attempt.js'
import { ATTEMPTS_MAX, urlOf } from './model.js'

export interface AskerOptions extends Endpoint {
  readonly protocol: ProtocolName
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Bound of the first pause between attempts; 500 ms by default. */
  readonly firstPauseMs?: number
}

/** Result of a request. */
export type Asked = Reading | { readonly kind: 'unavailable' | 'rejected' }

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
    for (let tries = 1; ; tries++) {
      const { outcome, json, waitMs = 0 } = await attempt({ ...call, body })
      if (outcome === 'ok') return protocol.read(json)
      if (outcome === 'invalid' || outcome === 'rejected') return { kind: outcome }
      if (tries === ATTEMPTS_MAX || signal.aborted || !RETRYABLE.has(outcome)) return { kind: 'unavailable' }
      await pause(Math.min(PAUSE_MS_MAX, Math.max(waitMs, backoff.next())), signal)
    }
  }
}

const PAUSE_MS_MAX = 20_000
