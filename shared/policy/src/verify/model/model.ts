import { type Capability, type Decision, logged } from '@plimsoll/contracts'
import { type Facts, type Outcome, type Rules, type SessionState, step } from '@plimsoll/engine'
import type { HazardWatch } from '../hazards/watches.js'
import { type StepInput, ENDED, answerOf, beginSession, proposalOf, withoutVerdictOf } from './inputs.js'
import { type Passing, createMemoryForm } from './memory-form.js'
import { type OpenClass, classesOf, createNormalForm, tagged, withTwin } from './normal-form.js'
import { joinedLabels } from './labels.js'
import type { StepKinds } from './step-kinds.js'
import {
  type CompleteTransition,
  type ProposeTransition,
  type Transition,
  kindByClass,
  remembering,
  returnsOf,
} from './transitions.js'

/** An abstract state of a run: a session in its normal form, and the progress of each watch. */
export interface Place {
  readonly state: SessionState
  readonly watches: readonly number[]
}

export interface Successor {
  readonly transition: Transition
  /** Undefined if the transition changes nothing. */
  readonly place: Place | undefined
  readonly decision?: Decision
  /** Whether a step ran. */
  readonly ran: boolean
}

export interface Model {
  readonly start: Place
  readonly keyOf: (place: Place) => string
  readonly successors: (place: Place) => Iterable<Successor>
  /** A session in its normal form. */
  readonly normal: (state: SessionState) => SessionState
  /** Whether `abstract` covers `concrete`: they are equal except for windows that have passed and were not read since. */
  readonly covers: (abstract: SessionState, concrete: SessionState) => boolean
  readonly kinds: StepKinds
  readonly inputs: readonly StepInput[]
  readonly rules: Rules
  /** Whether the search so far was exhaustive. If not, an unsuccessful search proves nothing. */
  readonly isWhole: () => boolean
}

export interface ModelOptions {
  readonly rules: Rules
  /** The facts that fleet limits read. */
  readonly facts: Facts
  readonly inputs: readonly StepInput[]
  readonly kinds: StepKinds
  readonly watches: readonly HazardWatch[]
  /** Whether humans grant approval requests. */
  readonly approvals: boolean
  /** Whether blocking such a step has an effect on later steps. */
  readonly blockCounts: (input: StepInput) => boolean
  /** Whether only the rules block steps: nothing that is left out can. */
  readonly isClosed: boolean
  /** Capabilities of steps that may run without a verdict. */
  readonly failOpen: readonly Capability[]
  /** Whether windows of steps and calls in flight are tracked exactly, which needs runs of bounded length. */
  readonly isExact: boolean
  /** Whether `inputs` contains every possible step. */
  readonly isWhole: boolean
}

const STOPPED: Facts = Object.freeze({ mode: 'enforce', stop: Object.freeze({ by: 'another source' }) })
/** The log's clock in every normal form: time windows pass only through transitions of the model. */
const TIME = 1_000_000_000_000
const END: Transition = { kind: 'end' }

/** The transition system over sessions in their normal form. Successors are computed by the engine's own `step`. */
export function createModel(options: ModelOptions): Model {
  const { rules, facts, inputs, kinds, watches, isExact, blockCounts, failOpen } = options
  const memory = createMemoryForm(rules, kinds.all, { isExact, time: TIME })
  const { normal, keyOf, covers } = createNormalForm(memory, { isExact, time: TIME })
  const start: Place = { state: normal(beginSession(rules, TIME)), watches: watches.map(() => 0) }
  const kindOf = kindByClass(kinds.all)
  const proposed = remembering(
    (input: StepInput) => input,
    (input) => logged(proposalOf(input, tagged(input.kind.raiseClass, undoMask(watches, input))), TIME),
  )
  const returns = remembering(
    ({ callId }: OpenClass) => callId,
    (of) => returnsOf(of, kindOf(of.raiseClass), isExact, TIME),
  )
  // Every approval request expires after the same time.
  const expiresAt = TIME + rules.approvalTtlMs
  const answers = {
    approved: logged(answerOf(expiresAt, 'approved'), TIME),
    denied: logged(answerOf(expiresAt, 'denied'), TIME),
  }
  const placed = (state: SessionState | undefined, went: readonly number[]) =>
    state && { state: normal(state), watches: went }

  function* successors(place: Place): Iterable<Successor> {
    for (const of of classesOf(place.state))
      for (const { transition: move, at } of returns(of)) yield completed(place, move, at)
    for (const input of inputs)
      for (const passing of memory.passings(place.state, input.kind.tool))
        yield* proposals(place, input, passing)
    for (const input of inputs)
      if (failOpen.includes(input.kind.labels.capability)) yield* withoutVerdict(place, input)
    const ended = place.watches.map((at, i) => watches[i]?.ended(at) ?? at)
    // An end that no watch reads changes nothing.
    if (ended.every((at, i) => at === place.watches[i])) return
    const { state } = step(place.state, logged(ENDED, TIME), rules)
    yield { transition: END, place: placed(state, ended), ran: false }
  }

  function* proposals(place: Place, input: StepInput, passing: Passing): Iterable<Successor> {
    const at = proposed(input)
    const reported: ProposeTransition = { kind: 'propose', input, expired: passing.specs }
    const first = step(passing.state, at, rules, facts)
    const verdict = first.decision?.verdict
    if (verdict === 'block') yield blockedBy(place, reported, first)
    else if (verdict === 'confirm') yield* asked(place, reported, first)
    else yield ranBy(place, reported, first)
    if (verdict !== 'block' && !options.isClosed && blockCounts(input))
      yield blockedBy(place, { ...reported, stopped: true }, step(passing.state, at, rules, STOPPED))
  }

  /** A step without a verdict that is still in flight has no effect, so it is the same as a step that completed with an error. */
  function* withoutVerdict(place: Place, input: StepInput): Iterable<Successor> {
    const went = place.watches.map((at, i) => watches[i]?.ran(at, input.seen) ?? at)
    const undoes = undoMask(watches, input)
    for (const outcome of ['error', 'ok'] as const) {
      const event = withoutVerdictOf(input, tagged(input.kind.raiseClass, undoes), outcome)
      const { state } = step(place.state, logged(event, TIME), rules)
      const back = returned(watches, went, { outcome, tool: input.kind.tool }, { undoes })
      yield {
        transition: { kind: 'propose', input, expired: [], withoutVerdict: outcome },
        place: placed(state, back),
        ran: true,
      }
    }
  }

  function* asked(place: Place, reported: ProposeTransition, first: Outcome): Iterable<Successor> {
    const answered = (resolution: 'approved' | 'denied') =>
      step(first.state, answers[resolution], rules, facts)
    const shown = first.decision && { decision: first.decision }
    if (blockCounts(reported.input))
      yield { ...blockedBy(place, { ...reported, answer: 'denied' }, answered('denied')), ...shown }
    if (!options.approvals) {
      yield { transition: reported, place: undefined, ran: false, ...shown }
      return
    }
    const outcome = answered('approved')
    const verdict = outcome.decision?.verdict
    if (verdict === 'allow' || verdict === 'warn')
      yield { ...ranBy(place, { ...reported, answer: 'approved' }, outcome), ...shown }
  }

  function ranBy(place: Place, move: ProposeTransition, { state, decision }: Outcome): Successor {
    const went = place.watches.map((at, i) => watches[i]?.ran(at, move.input.seen) ?? at)
    return { transition: move, place: placed(state, went), ran: true, ...(decision && { decision }) }
  }

  function blockedBy(place: Place, move: ProposeTransition, { state, decision }: Outcome): Successor {
    // Blocking a step that contains sensitive data changes the line's verdict on every later step.
    const isHeldNow = state?.held === true && !place.state.held
    const after = blockCounts(move.input) || isHeldNow ? placed(state, place.watches) : undefined
    return { transition: move, place: after, ran: false, ...(decision && { decision }) }
  }

  function completed(place: Place, move: CompleteTransition, at: Parameters<typeof step>[1]): Successor {
    const before = move.stays ? withTwin(place.state, move.of) : place.state
    const { state } = step(before, at, rules)
    return {
      transition: move,
      place: placed(state, returned(watches, place.watches, move, move.of)),
      ran: false,
    }
  }

  return {
    start,
    successors,
    normal,
    covers,
    kinds,
    inputs,
    rules,
    isWhole: () => options.isWhole && memory.isWhole(),
    keyOf: ({ state, watches: at }) => `${keyOf(state)}|${at.join()}`,
  }
}

/** The watches after a call completed: first what it undoes, then the labels of its result. */
export function returned(
  watches: readonly HazardWatch[],
  places: readonly number[],
  { outcome, claims, base, tool }: Pick<CompleteTransition, 'outcome' | 'claims' | 'base' | 'tool'>,
  { undoes }: { readonly undoes: string },
): readonly number[] {
  return places.map((at, i) => {
    const watch = watches[i]
    if (!watch) return at
    const undone = outcome === 'ok' && undoes[i] === '1' ? watch.undone(at) : at
    if (!claims || !base) return undone
    const seen = { tool, labels: base, effects: undefined, outside: undefined, where: undefined }
    return watch.raised(undone, seen, { ...seen, labels: joinedLabels(base, claims) })
  })
}

/** The watches that the step undoes when it completes without an error, one character each; empty if none. */
export function undoMask(watches: readonly HazardWatch[], { seen }: StepInput): string {
  const mask = watches.map((watch) => (watch.undoes(seen) ? '1' : '0')).join('')
  return mask.includes('1') ? mask : ''
}
