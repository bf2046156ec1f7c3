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
import type { Folded } from '../fold/fold.js'

/** Follows what a candidate's specs remember over the events of one chunk of a session. */
export interface CandidateTracker {
  /** Whether what they remember is known: followed from the session's start, or the session's own. */
  hasMemory(): boolean
  /** Undefined where it is the session's own, or nothing. */
  memory(): CandidateMemory | undefined
  take(before: SessionState | undefined, input: LoggedEvent, outcome: Outcome): void
  /** The chunk is through. */
  done(): void
}

export function createCandidateTracker(
  { id, heldAt, before, events, outcomes }: Folded,
  active: Rules,
  rules: Rules,
  sessions: CandidateMemories,
): CandidateTracker {
  const { policy, catalogue } = rules.versions
  const isOwn = policy === active.versions.policy && catalogue === active.versions.catalogue
  if (isOwn || rules.memory.cells === 0) return NO_TRACKER
  const name = `${policy}/${catalogue}`
  let followed = before ? sessions.at(id, name, heldAt) : EMPTY_CANDIDATE_MEMORY
  return {
    hasMemory: () => followed !== undefined,
    memory: () => followed,
    take: (before, input, outcome) => {
      try {
        followed &&= updateCandidateMemory(followed, before, input, outcome, rules)
      } catch {
        followed = undefined
      }
    },
    done: () => {
      const last = events.at(-1)?.record.offset
      const state = outcomes.at(-1)?.state
      if (last === undefined) return
      if (!followed || !state || state.ended) sessions.drop(id)
      else sessions.keep(id, name, last, followed)
    },
  }
}

const NO_TRACKER: CandidateTracker = {
  hasMemory: () => true,
  memory: () => undefined,
  take: () => {},
  done: () => {},
}

/** One step as the rules of its session and a candidate's judge it. */
export interface Comparison {
  /** The one that was given. */
  readonly decision: Decision
  /** The candidate's name; see `nameOf`. */
  readonly name: string
  readonly active: Versions
  readonly candidate: Versions
  readonly shadow: Shadow
  /** What becomes of the step by the candidate, where its verdict is another. */
  readonly change: StepChange | undefined
}

/** What a candidate goes by: its version, or those of its documents, bundle first. */
export const nameOf = ({ bundle, policy, catalogue }: SomeVersions): string =>
  [bundle, policy, catalogue].filter((version) => version !== undefined).join('+')

export const changeIn = ({ active, candidate }: Shadow): StepChange | undefined => changeOf(active, candidate)

/** Whether somebody who compares the two has anything to look at. */
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

/** Messages are left out: they are the documents' own, and requirements with them. */
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

/** Why a step was not judged by the candidate: its rules are not at hand or cannot be computed here, or they failed on the step. */
export type ShadowFailure = 'unavailable' | 'failed'

export interface ShadowSink {
  compared(comparison: Comparison): void
  failed(candidate: string, reason: ShadowFailure): void
  /** A step of a session of which the candidate's specs do not know what it did. */
  skipped(candidate: string): void
}

/** What sessions are compared on. */
export interface ShadowContext {
  /** It has rules of its own, so that a candidate takes no place from those that sessions are judged by. */
  readonly rulesCache: Pick<RulesCache, 'rules'>
  readonly memories: CandidateMemories
  readonly sink: ShadowSink
}

/**
 * Judges the proposals of what was `folded` by the candidate of `view` as well, and tells `sink`. Called behind the commit: no answer waits
 * for it, nothing is stored, and whatever goes wrong in it is told and ends there. Where there is no candidate it costs a look. A session of
 * which the candidate's specs would have to remember what they have not seen is told apart, never judged.
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

/** What is tried. */
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
  const follower = rules && createCandidateTracker(session, active, rules, context.memories)
  let { before } = session
  for (const [i, outcome] of session.outcomes.entries()) {
    const reported = session.events[i]
    if (!reported) continue
    const { event } = reported
    const { decision } = outcome
    if (before && event.type === 'step.proposed' && decision?.kind === 'step') {
      if (!rules || !follower) sink.failed(name, 'unavailable')
      else if (!follower.hasMemory()) sink.skipped(name)
      else
        try {
          const at = { timeMs: reported.record.timeMs, readings: readingsIn(decision) }
          const shadow = shadowOf(before, event, active, rules, at, follower.memory())
          const change = changeIn(shadow)
          sink.compared({ decision, name, active: active.versions, candidate: versions, shadow, change })
        } catch {
          sink.failed(name, 'failed')
        }
    }
    follower?.take(before, logged(event, reported.record.timeMs), outcome)
    before = outcome.state
  }
  follower?.done()
}

/** What was read of the fleet when the decision was made. */
function readingsIn({ facts }: Decision): Facts['readings'] {
  const numbers = Object.entries(facts).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number',
  )
  return numbers.length === 0 ? undefined : Object.fromEntries(numbers)
}

/** What a candidate's specs remember of sessions, in this process alone. */
export interface CandidateMemories {
  /** What was kept of session `id` under `rules`; undefined where that is not how far the session is, or of other rules. */
  at(id: string, rules: string, offset: bigint): CandidateMemory | undefined
  /** `offset`: of the last event that is in it. */
  keep(id: string, rules: string, offset: bigint, followed: CandidateMemory): void
  drop(id: string): void
  readonly size: number
}

export interface CandidateMemoryLimits {
  /** Sessions that are followed at a time; those heard of least lately are let go. */
  readonly sessionsMax: number
  /** Cells of all of them together; each is a number. */
  readonly cellsMax: number
  /** Told of each session that is let go for want of room. */
  readonly onRelease: () => void
}

interface Kept {
  readonly rules: string
  readonly offset: bigint
  readonly followed: CandidateMemory
}

export function createCandidateMemories({
  sessionsMax,
  cellsMax,
  onRelease,
}: CandidateMemoryLimits): CandidateMemories {
  /** The least lately heard of first. */
  const kept = new Map<string, Kept>()
  let cells = 0
  const drop = (id: string) => {
    cells -= kept.get(id)?.followed.memory.length ?? 0
    kept.delete(id)
  }
  return {
    at: (id, rules, offset) => {
      const found = kept.get(id)
      return found && found.rules === rules && found.offset === offset ? found.followed : undefined
    },
    keep: (id, rules, offset, followed) => {
      drop(id)
      kept.set(id, { rules, offset, followed })
      cells += followed.memory.length
      for (const [oldest] of kept) {
        if (kept.size <= sessionsMax && cells <= cellsMax) break
        drop(oldest)
        onRelease()
      }
    },
    drop,
    get size() {
      return kept.size
    },
  }
}
