import {
  type Decision,
  type ShadowRecord,
  type SomeVersions,
  type Versions,
  SHADOW_REASONS_MAX,
  SHADOW_SCHEMA,
  logged,
} from '@plimsoll/contracts'
import {
  type CandidateMemory,
  type Shadow,
  type ShadowJudgement,
  type StepChange,
  EMPTY_CANDIDATE_MEMORY,
  changeOf,
  updateCandidateMemory,
  shadowOf,
} from '@plimsoll/comparison'
import {
  type ControlView,
  type Facts,
  type LoggedEvent,
  type Outcome,
  type Rules,
  type SessionState,
  severity,
} from '@plimsoll/engine'
import type { RulesCache } from '@plimsoll/policy'
import { LRUCache } from 'lru-cache'
import type { Folded } from '../fold/fold.js'

/** Tracks the state of a candidate's specs over the events of one session in a chunk. */
export function createCandidateTracker(
  { id, heldAt, before, events, outcomes }: Folded,
  active: Rules,
  rules: Rules,
  memories: CandidateMemories,
) {
  const { policy, catalogue } = rules.versions
  const isOwn = policy === active.versions.policy && catalogue === active.versions.catalogue
  // The session's own specs, or specs without state: nothing to track.
  const isTracking = !isOwn && rules.memory.cells > 0
  const name = `${policy}/${catalogue}`
  const known = memories.peek(id)
  const isCurrent = known?.rules === name && known.offset === heldAt
  let memory: CandidateMemory | undefined = before
    ? isCurrent
      ? known.memory
      : undefined
    : EMPTY_CANDIDATE_MEMORY
  return {
    /** Whether the state is known: tracked from the session's start, or the session's own. */
    hasMemory: () => !isTracking || memory !== undefined,
    /** Undefined if it is the session's own, or empty. */
    memory: () => (isTracking ? memory : undefined),
    take: (before: SessionState | undefined, input: LoggedEvent, outcome: Outcome): void => {
      if (!isTracking) return
      try {
        memory &&= updateCandidateMemory(memory, before, input, outcome, rules)
      } catch {
        memory = undefined
      }
    },
    /** The session's events of the chunk have been taken. */
    done: (): void => {
      const last = events.at(-1)?.record.offset
      const state = outcomes.at(-1)?.state
      if (!isTracking || last === undefined) return
      if (!memory || !state || state.ended) memories.delete(id)
      else memories.set(id, { rules: name, offset: last, memory })
    },
  }
}

/** One step, judged by the rules of its session and by a candidate. */
export interface Comparison {
  /** The decision that was made. */
  readonly decision: Decision
  /** See `nameOf`. */
  readonly name: string
  readonly active: Versions
  readonly candidate: Versions
  readonly shadow: Shadow
  /** Set if the candidate's verdict differs. */
  readonly change: StepChange | undefined
}

/** A candidate's name: the versions of its documents, bundle first, joined by `+`. */
export const nameOf = ({ bundle, policy, catalogue }: SomeVersions): string =>
  [bundle, policy, catalogue].filter((version) => version !== undefined).join('+')

/** Whether the comparison is worth a record. */
export const isDifferent = ({ active, candidate }: Shadow): boolean =>
  active.verdict !== candidate.verdict || active.band !== candidate.band

export function recordOf({ decision, active, candidate, shadow, change }: Comparison): ShadowRecord {
  const { id, sessionId, tenant, tool, step, time, verdict } = decision
  return {
    schema: SHADOW_SCHEMA,
    decisionId: id,
    sessionId,
    tenant,
    tool,
    step,
    time,
    decided: verdict,
    active: { ...active, ...sideOf(shadow.active) },
    candidate: { ...candidate, ...sideOf(shadow.candidate) },
    causes: [...(change?.causes ?? [])].slice(0, SHADOW_REASONS_MAX),
  }
}

/** Without messages and requirements, which the documents have. */
function sideOf({ reasons, ...judgement }: ShadowJudgement) {
  const reported = reasons.map(({ source, code, verdict, liftedBy }) => ({
    source,
    code,
    verdict,
    ...(liftedBy !== undefined && { liftedBy }),
  }))
  reported.sort((a, b) => severity(b.verdict) - severity(a.verdict))
  return { ...judgement, reasons: reported.slice(0, SHADOW_REASONS_MAX) }
}

/** Why the candidate did not judge a step: this monitor lacks its rules or cannot compute them, or they failed on the step. */
export type ShadowFailure = 'unavailable' | 'failed'

export interface ShadowSink {
  compared(comparison: Comparison): void
  failed(candidate: string, reason: ShadowFailure): void
  /** The candidate's specs lack the state of the step's session. */
  skipped(candidate: string): void
}

export interface ShadowContext {
  /** A separate cache, so that a candidate never evicts rules in use. */
  readonly rulesCache: Pick<RulesCache, 'rules'>
  readonly memories: CandidateMemories
  readonly sink: ShadowSink
}

/**
 * Judges the steps of `folded` by the candidate of `view` too, and reports to `sink`. Runs after the commit: no answer waits for it, nothing
 * is stored, and its failures are reported and affect nothing else. A session whose earlier state the candidate's specs lack is reported as
 * skipped, never judged.
 */
export function compareFolded(view: CandidateView, folded: Iterable<Folded>, context: ShadowContext): void {
  const candidates = new Map<Rules, Candidate | undefined>()
  for (const each of folded) {
    const { rules } = each
    if (!rules) continue
    if (!candidates.has(rules)) candidates.set(rules, candidateFor(rules, view, context.rulesCache))
    const candidate = candidates.get(rules)
    if (candidate) compareSession(each, rules, candidate, context)
  }
}

export type CandidateView = Pick<ControlView, 'candidate' | 'shadowOf'>

interface Candidate {
  readonly name: string
  readonly versions: Versions
  readonly rules: Rules | undefined
}

function candidateFor(
  active: Rules,
  view: CandidateView,
  rulesCache: Pick<RulesCache, 'rules'>,
): Candidate | undefined {
  const versions = view.shadowOf(active.versions)
  if (!versions || !view.candidate) return undefined
  const name = nameOf(view.candidate)
  try {
    return { name, versions, rules: rulesCache.rules(versions) }
  } catch {
    return { name, versions, rules: undefined }
  }
}

function compareSession(session: Folded, active: Rules, candidate: Candidate, context: ShadowContext): void {
  const { sink } = context
  const { name, versions, rules } = candidate
  const tracker = rules && createCandidateTracker(session, active, rules, context.memories)
  let { before } = session
  for (const [i, outcome] of session.outcomes.entries()) {
    const logRecord = session.events[i]
    if (!logRecord) continue
    const { event, record } = logRecord
    const { decision } = outcome
    if (before && event.type === 'step.proposed' && decision?.kind === 'step') {
      if (!rules || !tracker) sink.failed(name, 'unavailable')
      else if (!tracker.hasMemory()) sink.skipped(name)
      else
        try {
          const at = { timeMs: record.timeMs, readings: readingsIn(decision) }
          const shadow = shadowOf(before, event, active, rules, at, tracker.memory())
          const change = changeOf(shadow.active, shadow.candidate)
          sink.compared({ decision, name, active: active.versions, candidate: versions, shadow, change })
        } catch {
          sink.failed(name, 'failed')
        }
    }
    tracker?.take(before, logged(event, record.timeMs), outcome)
    before = outcome.state
  }
  tracker?.done()
}

/** The fleet readings of a decision. */
function readingsIn({ facts }: Decision): Facts['readings'] {
  const numbers = Object.entries(facts).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number',
  )
  return numbers.length === 0 ? undefined : Object.fromEntries(numbers)
}

/** Most cells of all sessions that are tracked; each is a number. */
export interface CandidateMemoryLimits {
  readonly sessionsMax: number
  readonly cellsMax: number
}

/** The state that a candidate's specs keep of one session. */
interface Tracked {
  readonly rules: string
  /** Of the last event in it. */
  readonly offset: bigint
  readonly memory: CandidateMemory
}

/** By session id; the least recently used go first. */
export type CandidateMemories = LRUCache<string, Tracked>

export const createCandidateMemories = ({
  sessionsMax,
  cellsMax,
}: CandidateMemoryLimits): CandidateMemories =>
  new LRUCache({
    max: sessionsMax,
    maxSize: cellsMax,
    sizeCalculation: ({ memory }) => Math.max(1, memory.memory.length),
  })
