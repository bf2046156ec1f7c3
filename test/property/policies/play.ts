import { logged, type Decision, type Event, type EventOf } from '@plimsoll/contracts'
import {
  owedObligations,
  step as engineStep,
  type Outcome,
  type Rules,
  type SessionState,
} from '@plimsoll/engine'
import type { Transition, NaiveInheritance, TracedStep } from './random-trace.js'
import { createValueReading } from './naive/naive-values.js'
import { readingOf, type NaiveHappening, type NaiveProposal } from './naive/naive-history.js'
import { joined, type NaiveContext, type NaiveLabels } from './naive/naive-labels.js'
import {
  naiveAnswer,
  type NaiveAnswer,
  type NaiveDocuments,
  type NaiveQuestion,
} from './naive/naive-policy.js'
import { isOnlyAskedToWait, differences, owedDifferences } from './differences.js'

export type Step = typeof engineStep
export type Interpreter = typeof naiveAnswer

/** What is compared of each decision with the interpreter. */
export interface Judged {
  readonly answer: NaiveAnswer
  readonly question: NaiveQuestion
  readonly decision: Decision
  readonly happenings: readonly NaiveHappening[]
}

export interface Play {
  readonly documents: NaiveDocuments
  readonly rules: Rules
  readonly transitions: readonly Transition[]
  readonly step?: Step
  /** Omitted: the naive one; null: no comparison. */
  readonly interpreter?: Interpreter | null
  /** Called for every decision that was compared. */
  readonly onJudged?: (judged: Judged) => void
  /** Called after every event. */
  readonly onState?: (state: SessionState) => void
}

/** A call according to the decisions under test. */
type Known =
  | { readonly status: 'blocked' | 'done'; readonly step: NaiveProposal }
  | { readonly status: 'open'; readonly step: NaiveProposal; readonly since: number }
  | {
      readonly status: 'pending'
      readonly step: NaiveProposal
      readonly asked: NaiveLabels
      readonly question: Pick<NaiveQuestion, 'values'>
      readonly decision: Decision
    }

const NOTHING_SAID: NaiveAnswer = { matched: [], lifting: [] }
const DIGEST = 'a'.repeat(64)
const START = 1_000_000_000
const CALL_MS_MAX = 3_600_000

/** Plays the trace through `step`, and compares each decision with the interpreter. Returns the differences at the first decision that differs. */
export function play({ documents, rules, transitions, step = engineStep, ...rest }: Play): readonly string[] {
  const { interpreter = naiveAnswer, onJudged, onState } = rest
  const happenings: NaiveHappening[] = []
  const calls = new Map<string, Known>()
  const values = createValueReading()
  let clock = START
  let time = START
  let seq = 0
  let events = 0
  let state: SessionState | undefined

  const envelope = (producer: string) =>
    ({ schema: 1, id: `e${events++}`, sessionId: 's', producer, seq: 0, time: 0 }) as const
  const sequenced = () => ({ ...envelope('agent'), seq: seq++ })

  function send(event: Event, transition?: Transition): Outcome {
    const facts =
      transition && 'mode' in transition
        ? { mode: transition.mode, readings: transition.readings }
        : undefined
    const outcome = step(state, logged(event, clock), rules, facts)
    state = outcome.state
    if (state) onState?.(state)
    return outcome
  }

  /** Calls that have not completed by now count as failed, except the call that completes now. */
  function hear(awaited?: string): void {
    time = Math.max(time, clock)
    for (const [callId, known] of calls) {
      if (known.status !== 'open' || callId === awaited || time - known.since < CALL_MS_MAX) continue
      happenings.push({ kind: 'completed', callId, isOk: false, time })
      values.read(callId, undefined, undefined)
      calls.set(callId, { status: 'done', step: known.step })
    }
  }
  const context = (): NaiveContext => ({
    ...documents,
    refined: happenings.filter((each) => each.kind === 'refined'),
  })

  function recordWithoutVerdict(traced: NaiveProposal): void {
    const known = calls.get(traced.callId)
    if (known?.status === 'open') return
    const asked = known?.status === 'pending' ? known.asked : undefined
    happenings.push({ kind: 'ran', step: traced, anyway: true, asked, time })
    values.opened(readingOf(context(), traced, false, asked).labels, traced, isLabelled(traced.tool))
    calls.set(traced.callId, { status: 'open', step: traced, since: time })
  }

  const isLabelled = (tool: string) => documents.catalogue.tools.some(({ tools }) => tools.includes(tool))

  function settle(question: NaiveQuestion, answer: NaiveAnswer, decision: Decision): void {
    const { step: proposed, asked } = question
    const { labels } = readingOf(context(), proposed, true, asked)
    const isObserved = decision.mode === 'observe'
    if (decision.verdict === 'confirm' && !isObserved) {
      const known = {
        status: 'pending',
        step: proposed,
        asked: joined(labels, asked),
        question,
        decision,
      } as const
      calls.set(proposed.callId, known)
    } else if (decision.verdict === 'block' && !isObserved) {
      const isWaiting = isOnlyAskedToWait(decision, answer.matched)
      happenings.push({ kind: 'blocked', step: proposed, isWaiting, isFault: false, time })
      calls.set(proposed.callId, { status: 'blocked', step: proposed })
    } else {
      happenings.push({ kind: 'ran', step: proposed, anyway: false, asked, time })
      values.opened(labels, proposed, isLabelled(proposed.tool))
      if (decision.verdict === 'block') happenings.push({ kind: 'objected', time })
      calls.set(proposed.callId, { status: 'open', step: proposed, since: time })
    }
  }

  function compare(question: NaiveQuestion, decision: Decision | undefined): readonly string[] {
    const answer = interpreter ? interpreter(documents, happenings, question) : NOTHING_SAID
    if (!decision) return ['no decision']
    const found = interpreter ? differences(answer, decision) : []
    onJudged?.({ answer, question, decision, happenings })
    settle(question, answer, decision)
    return found
  }

  function propose(transition: Extract<Transition, { kind: 'propose' }>): readonly string[] {
    const { args, outside, effects, acts, isUnreadable } = transition
    const { evidence = 'unknown', fingerprints, withoutVerdict } = transition
    hear()
    for (const ran of withoutVerdict ?? []) recordWithoutVerdict(ran)
    const { decision, fault } = send(proposalOf(transition, sequenced()), transition)
    const known = calls.get(transition.step.callId)
    const isTaken =
      known?.status === 'open' || (known?.status === 'pending' && time < (known.decision.expiresAt ?? 0))
    if (interpreter && isTaken !== (fault !== undefined))
      return [`fault ${fault?.code}, but the call is ${known?.status}`]
    // A client that reports signals reports effects where there are any.
    const isReported = [outside, effects, acts, isUnreadable].some((each) => each !== undefined)
    const proposed: NaiveProposal = {
      ...transition.step,
      args,
      outside,
      effects: isReported ? (effects ?? []) : undefined,
      ...(acts && { acts }),
      ...(isUnreadable && { isUnreadable }),
    }
    if (fault) {
      happenings.push({ kind: 'blocked', step: proposed, isWaiting: false, isFault: true, time })
      return []
    }
    const reported = { evidence, isTrusted: values.isTrusted(fingerprints) }
    return compare({ step: proposed, time, values: reported, readings: transition.readings }, decision)
  }

  function complete(transition: Extract<Transition, { kind: 'complete' }>): readonly string[] {
    const known = calls.get(transition.callId)
    const meant = transition.anyway && known ? known : waitingFor('open', transition.callId)
    if (!meant) return []
    hear(meant.step.callId)
    const { callId, tool } = meant.step
    const { claimed: reported, isOk, fingerprints, taint = 'none', inherits } = transition
    const claimed = taint === 'none' ? reported : { ...reported, trust: 'untrusted' as const }
    recordWithoutVerdict({ callId, tool, ...(reported && { claimed: reported }) })
    if (inherits) inherit(inherits)
    happenings.push({ kind: 'completed', callId, isOk, claimed, time })
    values.read(callId, fingerprints, claimed)
    calls.set(callId, { status: 'done', step: meant.step })
    send({
      ...sequenced(),
      type: 'step.completed',
      callId,
      tool,
      outcome: isOk ? 'ok' : 'error',
      ...(reported && { labels: reported }),
      ...(fingerprints && { fingerprints: [...fingerprints] }),
      ...(taint !== 'none' && { taint }),
      ...(inherits && { inherits }),
    })
    return []
  }

  function inherit({ confidentiality, taint = 'none' }: NaiveInheritance): void {
    happenings.push({ kind: 'inherited', confidentiality, untrusted: taint !== 'none', time })
  }

  /** The latest call of the unlabelled tool. */
  function refine({ labels, effect }: Extract<Transition, { kind: 'refine' }>): void {
    const known = [...calls.values()].findLast((call) => call.step.tool === 'odd')
    if (!known) return
    hear()
    const { callId, tool } = known.step
    const hasRun = known.status === 'open' || known.status === 'done'
    happenings.push({ kind: 'refined', tool, labels, replaces: effect === 'replace', hasRun, time })
    const by = { by: 'a model', signature: DIGEST, decisionId: 's#e#step' }
    send({ ...envelope('judge'), ...by, type: 'labels.refined', callId, tool, labels, effect })
  }

  function grant({ spec }: Extract<Transition, { kind: 'grant' }>): void {
    if (!documents.policy.specs.some((each) => each.id === spec && 'flow' in each && each.flow)) return
    hear()
    happenings.push({ kind: 'granted', spec, time })
    const by = { by: 'ann', reason: 'she looked', signature: DIGEST }
    send({ ...envelope('console'), ...by, type: 'declassification.granted', spec })
  }

  function make(transition: Transition): readonly string[] {
    if (transition.kind === 'propose') return propose(transition)
    if (transition.kind === 'complete') return complete(transition)
    if (transition.kind === 'answer') return answer(transition)
    if (transition.kind === 'refine') refine(transition)
    if (transition.kind === 'grant') grant(transition)
    return []
  }

  function answer(transition: Extract<Transition, { kind: 'answer' }>): readonly string[] {
    const known = waitingFor('pending', transition.callId)
    if (known?.status !== 'pending') return []
    hear()
    const { decision: asking, step: proposed, asked, question } = known
    const { decision, fault } = send(resolutionOf(transition, asking, envelope('console')), transition)
    const isExpired = time >= (asking.expiresAt ?? 0)
    if (!transition.isApproved || isExpired) {
      happenings.push({ kind: 'blocked', step: proposed, isWaiting: false, isFault: false, time })
      calls.set(proposed.callId, { status: 'blocked', step: proposed })
      // An expired request makes room where as many calls are open as may be.
      const isGone = isExpired && fault?.code === 'approval_unknown'
      return decision?.verdict === 'block' || isGone ? [] : ['denied, but not blocked']
    }
    return compare(
      { step: proposed, time, values: question.values, readings: transition.readings, asked },
      decision,
    )
  }

  function waitingFor(status: Known['status'], callId: string): Known | undefined {
    const named = calls.get(callId)
    return named?.status === status ? named : [...calls.values()].findLast((call) => call.status === status)
  }

  const owing = (): string[] => {
    const owed = state ? owedObligations(state.memory, rules.memory) : []
    return interpreter === naiveAnswer ? owedDifferences(documents, happenings, time, owed) : []
  }

  const start = transitions[0]?.kind === 'start' ? transitions[0] : undefined
  if (start) inherit(start.inherits)
  send({ ...sequenced(), type: 'session.started', ...(start && { inherits: start.inherits }) })
  for (const transition of transitions) {
    clock += transition.afterMs
    const found = [...make(transition), ...owing()]
    if (found.length > 0) return found
  }
  return []
}

function proposalOf(
  transition: Extract<Transition, { kind: 'propose' }>,
  envelope: Pick<Event, 'schema' | 'id' | 'sessionId' | 'producer' | 'seq' | 'time'>,
): EventOf<'step.proposed'> {
  const { step, args, outside, effects, acts, isUnreadable } = transition
  const { evidence, fingerprints, withoutVerdict } = transition
  const does = acts?.map((act) => [`does${act.charAt(0).toUpperCase()}${act.slice(1)}`, 1]) ?? []
  const signals = {
    ...(outside !== undefined && { outside }),
    ...Object.fromEntries(does),
    ...(isUnreadable && { unreadable: 1 }),
  }
  const reported = ({ callId, tool, claimed }: TracedStep) => ({
    callId,
    tool,
    ...(claimed && { labels: claimed }),
  })
  return {
    ...envelope,
    type: 'step.proposed',
    ...reported(step),
    argumentsDigest: DIGEST,
    ...(args && { arguments: { ...args } }),
    ...([outside, effects, acts, isUnreadable].some((each) => each !== undefined) && { signals }),
    ...(effects && { effects: [...effects] }),
    evidence: { sensitive: evidence ?? 'unknown' },
    ...(fingerprints && { fingerprints: [...fingerprints] }),
    ...(withoutVerdict && { withoutVerdict: withoutVerdict.map(reported) }),
  }
}

const resolutionOf = (
  { isApproved }: Extract<Transition, { kind: 'answer' }>,
  asking: Decision,
  envelope: Pick<Event, 'schema' | 'id' | 'sessionId' | 'producer' | 'seq' | 'time'>,
): EventOf<'approval.resolved'> => ({
  ...envelope,
  type: 'approval.resolved',
  decisionId: asking.id,
  argumentsDigest: DIGEST,
  expiresAt: asking.expiresAt ?? 0,
  resolution: isApproved ? 'approved' : 'denied',
  by: 'ann',
  signature: DIGEST,
})
