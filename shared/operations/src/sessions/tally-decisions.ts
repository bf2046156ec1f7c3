import type { Appeal, Decision, Mode, Reason, Topics } from '@plimsoll/contracts'
import { decisionSchema, parseJson } from '@plimsoll/contracts'
import type { EventLog } from '@plimsoll/runtime'
import { rangesOf } from '../records.js'

/** A reason for which steps of a tool were asked about or blocked. */
export interface ObservedReason {
  readonly source: Reason['source']
  readonly code: string
  readonly verdict: 'confirm' | 'block'
  /** Steps with this reason, whichever reason was the most severe. */
  readonly steps: number
  /** The reason's last message. */
  readonly message: string
}

export interface ObservedTool {
  readonly tool: string
  readonly steps: number
  readonly asked: number
  readonly blocked: number
  /** Appeals that it was stopped or asked about for nothing, and that a step of it did harm. Of one decision the last counts. */
  readonly appealedAllow: number
  readonly appealedBlock: number
  /** Sessions in which a step of the tool was asked about or blocked. */
  readonly sessions: number
  /** The most frequent first. */
  readonly reasons: readonly ObservedReason[]
}

/** What decisions would have asked and blocked, or did, by tool. */
export interface Observed {
  readonly mode: Mode
  readonly steps: number
  readonly sessions: number
  readonly asked: number
  readonly blocked: number
  /** Sessions with a step that was asked about, and with a blocked step. */
  readonly askedSessions: number
  readonly blockedSessions: number
  /** Decisions of the other mode, which do not count. */
  readonly otherMode: number
  /** First and last time, milliseconds since 1970; undefined without steps. */
  readonly fromMs: number | undefined
  readonly toMs: number | undefined
  /** Tools with such steps or with appeals, the most frequent first. */
  readonly tools: readonly ObservedTool[]
}

interface Tally {
  steps: number
  asked: number
  blocked: number
  readonly sessions: Set<string>
  readonly reasons: Map<string, { -readonly [K in keyof ObservedReason]: ObservedReason[K] }>
}

/** Counts the decisions of one mode. A step that is proposed again counts once. */
export function createDecisionTally(mode: Mode) {
  const byTool = new Map<string, Tally>()
  const sessions = { all: new Set<string>(), asked: new Set<string>(), blocked: new Set<string>() }
  /** What people say of decisions, in any mode: the last of each. */
  const appeals = new Map<string, Pick<Appeal, 'tool' | 'expected'>>()
  let otherMode = 0
  let fromMs = Infinity
  let toMs = -Infinity

  function add({ kind, mode: itsMode, sessionId, tool, verdict, reasons, time }: Decision): void {
    if (kind !== 'step') return
    if (itsMode !== mode) return void otherMode++
    fromMs = Math.min(fromMs, time)
    toMs = Math.max(toMs, time)
    sessions.all.add(sessionId)
    const tally = byTool.get(tool) ?? newTally()
    byTool.set(tool, tally)
    tally.steps++
    if (verdict !== 'confirm' && verdict !== 'block') return
    tally[verdict === 'block' ? 'blocked' : 'asked']++
    sessions[verdict === 'block' ? 'blocked' : 'asked'].add(sessionId)
    tally.sessions.add(sessionId)
    for (const reason of reasons) count(tally.reasons, reason)
  }

  function addAppeal({ decisionId, tool, expected }: Appeal): void {
    if (appeals.size < APPEALS_MAX || appeals.has(decisionId)) appeals.set(decisionId, { tool, expected })
    if (!byTool.has(tool)) byTool.set(tool, newTally())
  }

  const appealsOf = (name: string, expected: Appeal['expected']): number =>
    [...appeals.values()].filter((each) => each.tool === name && each.expected === expected).length

  function figures(): Observed {
    const tools = [...byTool]
      .map(([tool, { sessions, reasons, ...counts }]) => ({
        tool,
        ...counts,
        appealedAllow: appealsOf(tool, 'allow'),
        appealedBlock: appealsOf(tool, 'block'),
        sessions: sessions.size,
        reasons: [...reasons.values()].toSorted((a, b) => b.steps - a.steps),
      }))
      .toSorted((a, b) => b.blocked + b.asked - (a.blocked + a.asked) || (a.tool < b.tool ? -1 : 1))
    const sum = (of: 'steps' | 'asked' | 'blocked') => tools.reduce((sum, tool) => sum + tool[of], 0)
    const hasSteps = sessions.all.size > 0
    return {
      mode,
      steps: sum('steps'),
      sessions: sessions.all.size,
      asked: sum('asked'),
      blocked: sum('blocked'),
      askedSessions: sessions.asked.size,
      blockedSessions: sessions.blocked.size,
      otherMode,
      fromMs: hasSteps ? fromMs : undefined,
      toMs: hasSteps ? toMs : undefined,
      tools: tools.filter(
        ({ asked, blocked, appealedAllow, appealedBlock }) =>
          asked + blocked + appealedAllow + appealedBlock > 0,
      ),
    }
  }

  return { add, addAppeal, figures }
}

/** Decisions whose appeals are kept: who appeals more is no human. */
const APPEALS_MAX = 10_000

const newTally = (): Tally => ({ steps: 0, asked: 0, blocked: 0, sessions: new Set(), reasons: new Map() })

/** Counts a reason that asks or blocks and that nothing lifts. */
function count(reasons: Tally['reasons'], { source, code, verdict, message, liftedBy }: Reason): void {
  if (liftedBy !== undefined || (verdict !== 'confirm' && verdict !== 'block')) return
  const key = `${source} ${code} ${verdict}`
  const found = reasons.get(key) ?? { source, code, verdict, steps: 0, message }
  reasons.set(key, { ...found, steps: found.steps + 1, message })
}

export interface DecisionsWindow {
  readonly log: Pick<EventLog, 'describe' | 'offsetAt' | 'read'>
  readonly topics: Pick<Topics, 'decisions'>
  /** Default: all that the topic still has. */
  readonly fromMs?: number | undefined
  readonly signal?: AbortSignal
}

/** Calls `onDecision` for each decision in the topic. Rejects with `config_invalid` if there is no such topic. */
export async function readDecisionsTopic(
  { log, topics, fromMs, signal }: DecisionsWindow,
  onDecision: (decision: Decision) => void,
): Promise<void> {
  const ranges = await rangesOf(log, topics.decisions, { fromMs })
  if (ranges.length === 0) return
  const take = ({ value }: { readonly value: Uint8Array | null }) => {
    const { data } = decisionSchema.safeParse(parseJson(value))
    if (data) onDecision(data)
  }
  await log.read(topics.decisions, take, { ranges, ...(signal && { signal }) })
}
