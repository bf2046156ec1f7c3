import { logged } from '@plimsoll/contracts'
import { type Facts, type Outcome, type Rules, type SessionState, step } from '@plimsoll/engine'
import type { HazardWatch } from './hazards/watches.js'
import {
  type StepInput,
  ENDED,
  beginSession,
  answerOf,
  completionOf,
  proposalOf,
  withoutVerdictOf,
} from './model/inputs.js'
import { returned, undoMask } from './model/model.js'
import type { StepKind } from './model/step-kinds.js'
import {
  type CompleteTransition,
  type ProposeTransition,
  type Transition,
  traceStepOf,
} from './model/transitions.js'
import type { TraceStep } from './report.js'

/** The outcome of replaying a run of the model in a real session. */
export interface Replayed {
  readonly trace: readonly TraceStep[]
  /** Undefined if the session could not follow the run to its end. */
  readonly watches: readonly number[] | undefined
  readonly state: SessionState
  /** Ids of the specs that prevented it. */
  readonly refutedBy: readonly string[]
}

export interface ReplayOptions {
  /** The rules of the whole policy. */
  readonly rules: Rules
  /** The facts that fleet limits read. */
  readonly facts: Facts
  readonly watches: readonly HazardWatch[]
  readonly approvals: boolean
  /** Length of the longest window of time of a spec, milliseconds. */
  readonly windowMs: (spec: string) => number
}

interface Open {
  readonly callId: string
  readonly kind: StepKind
  readonly input: StepInput
  readonly undoes: string
}

interface ReplayState {
  readonly state: SessionState
  readonly watches: readonly number[]
  readonly open: readonly Open[]
  /** Completed calls. */
  readonly back: readonly Open[]
  readonly trace: readonly TraceStep[]
  readonly time: number
}

const START = 1_000_000_000_000
const STOPPED = { mode: 'enforce', stop: { by: 'another source' } } as const

/** Replays the transitions in a real session, under the whole policy and without abstraction. */
export function replay(transitions: readonly Transition[], options: ReplayOptions): Replayed {
  const { rules, watches } = options
  const state = beginSession(rules, START)
  const course = { state, watches: watches.map(() => 0), open: [], back: [], trace: [], time: START }
  return replayTransitions(course, transitions, options)
}

function replayTransitions(
  course: ReplayState,
  transitions: readonly Transition[],
  options: ReplayOptions,
): Replayed {
  const [transition, ...rest] = transitions
  const { state, trace } = course
  if (!transition) return { trace, watches: course.watches, state, refutedBy: [] }
  if (transition.kind === 'propose' && transition.withoutVerdict)
    return replayTransitions(
      runWithoutVerdict(course, transition, transition.withoutVerdict, options),
      rest,
      options,
    )
  if (transition.kind === 'propose') {
    const proposed = propose(course, transition, options)
    return 'refutedBy' in proposed ? proposed : replayTransitions(proposed, rest, options)
  }
  if (transition.kind === 'end') return replayTransitions(end(course, options), rest, options)
  return replayReturn(course, transition, transitions, options)
}

/** Calls in flight that the model cannot distinguish, latest first: the transition may refer to any of them. */
function replayReturn(
  course: ReplayState,
  transition: CompleteTransition,
  transitions: readonly Transition[],
  options: ReplayOptions,
): Replayed {
  const { state, trace } = course
  const rest = transitions.slice(1)
  const isMeant = ({ kind, undoes }: Open) =>
    kind.raiseClass === transition.of.raiseClass && undoes === transition.of.undoes
  const meant = course.open.filter(isMeant)
  const past = course.back.findLast(isMeant)
  if (meant.length === 0 && past) {
    // One call of a class represents any number of calls: propose another such step.
    const again = propose(course, { kind: 'propose', input: past.input, expired: [] }, options)
    return 'refutedBy' in again ? again : replayTransitions(again, transitions, options)
  }
  let failed: Replayed | undefined
  for (const call of meant.toReversed()) {
    const done = replayTransitions(complete(course, transition, call, options), rest, options)
    if (done.watches) return done
    failed ??= done
  }
  return failed ?? { trace, watches: undefined, state, refutedBy: [] }
}

function propose(
  course: ReplayState,
  transition: ProposeTransition,
  options: ReplayOptions,
): ReplayState | Replayed {
  const { rules, facts, watches, approvals, windowMs } = options
  const { input, expired, stopped } = transition
  const time = expired.reduce(
    (latest, spec) => Math.max(latest, course.time + windowMs(spec) + 1),
    course.time,
  )
  const undoes = undoMask(watches, input)
  const callId = `c${course.trace.length}`
  const fresh = { ...course.state, producers: [], recent: [] }
  const at = logged(proposalOf(input, callId), time)
  const first = step(fresh, at, rules, facts)
  const answered = answerFor(first, transition, approvals)
  const last = answered ? answer(first, answered, time, options) : first
  const isRun = last.decision?.verdict === 'allow' || last.decision?.verdict === 'warn'
  const reported = traceStepOf(transition, first.decision, isRun && answered === 'approved')
  const trace = [...course.trace, reported]
  if (isRun && (stopped || transition.answer === 'denied')) {
    const state = step(fresh, at, rules, STOPPED).state ?? fresh
    return { ...course, state, trace: [...course.trace, { ...reported, verdict: 'block' }], time }
  }
  const state = last.state ?? course.state
  if (isRun) {
    const went = course.watches.map((at, i) => watches[i]?.ran(at, input.seen) ?? at)
    const call = { callId, kind: input.kind, input, undoes }
    return { ...course, state, watches: went, open: [...course.open, call], trace, time }
  }
  if (stopped || transition.answer === 'denied') return { ...course, state, trace, time }
  return { trace, watches: undefined, state, refutedBy: refuters(first) }
}

function runWithoutVerdict(
  course: ReplayState,
  transition: ProposeTransition,
  outcome: 'ok' | 'error',
  { rules, watches }: ReplayOptions,
): ReplayState {
  const { input } = transition
  const fresh = { ...course.state, producers: [], recent: [] }
  const event = withoutVerdictOf(input, `c${course.trace.length}`, outcome)
  const state = step(fresh, logged(event, course.time), rules).state ?? fresh
  const ran = course.watches.map((at, i) => watches[i]?.ran(at, input.seen) ?? at)
  const went = returned(
    watches,
    ran,
    { outcome, tool: input.kind.tool },
    { undoes: undoMask(watches, input) },
  )
  return {
    ...course,
    state,
    watches: went,
    trace: [...course.trace, traceStepOf(transition, undefined, false)],
  }
}

/** The answer to an approval request; undefined if there is none, or if the model leaves it unanswered. */
function answerFor(
  first: Outcome,
  transition: ProposeTransition,
  approvals: boolean,
): 'approved' | 'denied' | undefined {
  if (first.decision?.verdict !== 'confirm') return undefined
  return transition.stopped || transition.answer === 'denied' || !approvals ? 'denied' : 'approved'
}

function answer(
  { state, decision }: Outcome,
  resolution: 'approved' | 'denied',
  timeMs: number,
  { rules, facts }: ReplayOptions,
): Outcome {
  return step(state, logged(answerOf(decision?.expiresAt ?? 0, resolution), timeMs), rules, facts)
}

/** Specs whose reasons prevented the step. */
function refuters({ decision }: Outcome): string[] {
  const specs = (decision?.reasons ?? []).filter(
    ({ source, verdict, liftedBy }) =>
      SPEC_SOURCES.has(source) && liftedBy === undefined && (verdict === 'block' || verdict === 'confirm'),
  )
  return specs.map(({ code }) => code)
}
const SPEC_SOURCES: ReadonlySet<string> = new Set(['blocklist', 'flow', 'mustlist', 'confirmation'])

/** The call may have another tool than the representative of its class: its own result has the same effect. */
function complete(
  course: ReplayState,
  transition: CompleteTransition,
  call: Open,
  { rules, watches }: ReplayOptions,
): ReplayState {
  const { outcome, raise } = transition
  const { tool, base, raises } = call.kind
  const claims = raise === undefined ? undefined : raises[raise]
  const fresh = { ...course.state, producers: [], recent: [] }
  const event = completionOf(call.callId, tool, outcome, claims)
  const state = step(fresh, logged(event, course.time), rules).state ?? course.state
  const went = returned(watches, course.watches, { outcome, tool, base, ...(claims && { claims }) }, call)
  const open = course.open.filter(({ callId }) => callId !== call.callId)
  const back = [...course.back, call]
  const reported = traceStepOf({ ...transition, tool, ...(claims && { claims }) }, undefined, false)
  return { ...course, state, watches: went, open, back, trace: [...course.trace, reported] }
}

function end(course: ReplayState, { rules, watches }: ReplayOptions): ReplayState {
  const fresh = { ...course.state, producers: [], recent: [] }
  const state = step(fresh, logged(ENDED, course.time), rules).state ?? fresh
  const went = course.watches.map((at, i) => watches[i]?.ended(at) ?? at)
  return { ...course, state, watches: went, trace: [...course.trace, { event: 'ended' }] }
}
