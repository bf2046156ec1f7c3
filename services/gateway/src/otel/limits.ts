/** Caps of reading spans; each can be set. */
export interface OtelLimits {
  /** Runs of tools that wait for others; beyond it nothing more is read until some have been told. */
  readonly heldMax: number
  /** Traces of agents that are known of, and of others, which are known apart from them: whatever else is traced forgets no agent. */
  readonly agentTracesMax: number
  readonly otherTracesMax: number
  /** Spans known of one trace; those that come later are told all the same, by the trace's conversation. */
  readonly traceSpansMax: number
  /** Spans by which repeated ones are known. */
  readonly seenMax: number
  /** Sessions that are known to have been started. */
  readonly sessionsMax: number
}

export const OTEL_LIMITS: OtelLimits = {
  heldMax: 10_000,
  agentTracesMax: 10_000,
  otherTracesMax: 5_000,
  traceSpansMax: 1_024,
  seenMax: 100_000,
  sessionsMax: 50_000,
}

/** One produce holds no more than this. Characters, of which UTF-8 makes 3 bytes at most: brokers take 1 MB by default. */
export const BATCH_EVENTS_MAX = 500
export const BATCH_CHARS_MAX = 256 * 1024

/** How often what has waited long enough is looked for. */
export const TICK_MS = 200

/** Bounds of the wait before a failed produce is tried again: the first, and every. */
export const RETRY = { firstMs: 50, maxMs: 5_000 } as const

/** What was read so long before the next record, by the log's clock, is read again at the start: it may have been held by anyone who ended. */
export const CATCH_UP_MARGIN_MS = 60_000
