import { decisionSchema, type Decision } from '@plimsoll/contracts'
import type { DecisionRecord } from './channel.js'
import type { Counters } from './counters.js'
import { RECENT_DECISIONS_MAX } from './limits.js'

export interface DecisionReaderOptions {
  /** Whether decisions on this session are ours to read. */
  readonly isOurs: (sessionId: string) => boolean
  /** Takes each decision once. */
  readonly onDecision: (decision: Decision) => void
  readonly counters: Pick<Counters, 'duplicates' | 'undecodable'>
}

/**
 * Reads records of the decisions topic. Those of other processes' sessions cost one look-up of their key; a decision published
 * again after a crash of the monitor is taken once, by its id; what cannot be read is counted.
 */
export function createDecisionReader(options: DecisionReaderOptions): (record: DecisionRecord) => void {
  const { isOurs, onDecision, counters } = options
  const recent = new Set<string>()

  function isNew(id: string): boolean {
    if (recent.has(id)) return false
    if (recent.size >= RECENT_DECISIONS_MAX) for (const oldest of recent) if (recent.delete(oldest)) break
    recent.add(id)
    return true
  }

  return ({ key, value }) => {
    if (key !== null && !isOurs(key)) return
    const decision = parseDecision(value)
    if (!decision || decision.sessionId !== key) counters.undecodable++
    // What stands may be another thing each time that it is asked for.
    else if (decision.kind === 'repeat' || isNew(decision.id)) onDecision(decision)
    else counters.duplicates++
  }
}

function parseDecision(value: Buffer | null): Decision | undefined {
  if (value === null) return undefined
  try {
    return decisionSchema.safeParse(JSON.parse(value.toString('utf8'))).data
  } catch {
    return undefined
  }
}
