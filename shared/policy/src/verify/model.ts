import type { ClaimedLabels, Decision, ToolLabels } from '@plimsoll/contracts'
import { NO_FACTS, step, type Facts, type Outcome, type Rules, type SessionState } from '@plimsoll/engine'
import type { Ghost } from './ghosts.js'
import { answerOf, completionOf, ENDED, proposalOf, STARTED, type StepInput } from './inputs.js'
import { createMemoryForm } from './memory-form.js'
import { classesOf, createNormalForm, tagged, withTwin, type OpenClass } from './normal-form.js'
import { joinedLabels } from './patterns.js'
import type { StepKind } from './step-kinds.js'

/** Where a run has come to: a session in its normal form, and each ghost. */
export interface Place {
  readonly state: SessionState
  readonly ghosts: readonly number[]
}

export type Move =
  | {
      readonly kind: 'propose'
      readonly input: StepInput
      /** Ids of the specs whose windows of time have passed. */
      readonly expired: readonly string[]
      readonly answer?: 'approved' | 'denied'
      /** Whether something that the model leaves out blocks it. */
      readonly stopped?: true
    }
  | {
      readonly kind: 'complete'
      readonly of: OpenClass
      readonly tool: string
      /** What the catalogue has of it, where the result tells more. */
      readonly base?: ToolLabels
      readonly outcome: 'ok' | 'error'
      readonly claims?: ClaimedLabels
      /** Whether another call of the class stays in flight. */
      readonly stays: boolean
    }
  | { readonly kind: 'end' }

export interface Successor {
  readonly move: Move
  /** Undefined where a run goes nowhere by it. */
  readonly place: Place | undefined
  readonly decision?: Decision
  /** Whether a step was let run. */
  readonly ran: boolean
}

export interface Model {
  readonly start: Place
  readonly keyOf: (place: Place) => string
  readonly successors: (place: Place) => Iterable<Successor>
  readonly inputs: readonly StepInput[]
  readonly rules: Rules
}

export interface ModelOptions {
  readonly rules: Rules
  readonly inputs: readonly StepInput[]
  readonly kinds: readonly StepKind[]
  readonly ghosts: readonly Ghost[]
  /** Whether humans approve what they are asked about. */
  readonly approvals: boolean
  /** Whether a step that is blocked changes anything but itself. */
  readonly blocksCount: boolean
  /** Whether nothing is left out that could block a step: no step is blocked but by the rules. */
  readonly isClosed: boolean
  /** Whether windows of steps and calls in flight are kept one by one, as runs of bounded length allow. */
  readonly isExact: boolean
}

const STOPPED: Facts = Object.freeze({ mode: 'enforce', stop: Object.freeze({ by: 'another source' }) })
/** Where the log's clock stands in every normal form: windows of time pass where the model says so. */
const TIME = 1_000_000_000_000

export function createModel(options: ModelOptions): Model {
  const { rules, inputs, ghosts, isExact } = options
  const memory = createMemoryForm(rules, options.kinds, { isExact, time: TIME })
  const { normal, keyOf } = createNormalForm(memory, { isExact, time: TIME })
  const begun = step(undefined, { event: STARTED, timeMs: TIME }, rules).state
  if (!begun) throw new Error('a session could not be started')
  const start: Place = { state: normal(begun), ghosts: ghosts.map(() => 0) }
  const kindOf = kindByClass(options.kinds)

  function* successors(place: Place): Iterable<Successor> {
    yield* completions(place)
    for (const input of inputs)
      for (const passing of memory.passings(place.state, input.kind.tool))
        yield* proposals(place, input, passing)
    const ended = place.ghosts.map((at, i) => ghosts[i]?.ended(at) ?? at)
    const { state } = step(place.state, { event: ENDED, timeMs: TIME }, rules)
    yield { move: { kind: 'end' }, place: state && { state: normal(state), ghosts: ended }, ran: false }
  }

  function* proposals(
    place: Place,
    input: StepInput,
    passing: { state: SessionState; specs: readonly string[] },
  ) {
    const callId = tagged(input.kind.raiseClass, undoMask(ghosts, input))
    const event = proposalOf(input, callId)
    const at = { event, timeMs: TIME }
    const told = { kind: 'propose', input, expired: passing.specs } as const
    const first = step(passing.state, at, rules, NO_FACTS)
    const verdict = first.decision?.verdict
    if (verdict === 'block') yield blockedBy(place, told, first)
    else if (verdict === 'confirm') yield* asked(place, told, first)
    else yield ranBy(place, told, first, input)
    if (options.blocksCount && !options.isClosed && verdict !== 'block')
      yield blockedBy(place, { ...told, stopped: true }, step(passing.state, at, rules, STOPPED))
  }

  function* asked(place: Place, told: ProposeMove, first: Outcome) {
    const expiresAt = first.decision?.expiresAt ?? 0
    const answered = (resolution: 'approved' | 'denied') =>
      step(first.state, { event: answerOf(expiresAt, resolution), timeMs: TIME }, rules, NO_FACTS)
    const shown = first.decision && { decision: first.decision }
    if (options.blocksCount)
      yield { ...blockedBy(place, { ...told, answer: 'denied' }, answered('denied')), ...shown }
    if (!options.approvals) {
      yield { move: told, place: undefined, ran: false, ...shown }
      return
    }
    const outcome = answered('approved')
    const move = { ...told, answer: 'approved' } as const
    if (outcome.decision?.verdict === 'allow' || outcome.decision?.verdict === 'warn')
      yield { ...ranBy(place, move, outcome, told.input), ...shown }
  }

  function ranBy(place: Place, move: ProposeMove, { state, decision }: Outcome, input: StepInput): Successor {
    const went = place.ghosts.map((at, i) => ghosts[i]?.ran(at, input.seen) ?? at)
    const after = state && { state: normal(state), ghosts: went }
    return { move, place: after, ran: true, ...(decision && { decision }) }
  }

  function blockedBy(place: Place, move: ProposeMove, { state, decision }: Outcome): Successor {
    const changed = options.blocksCount && state ? { state: normal(state), ghosts: place.ghosts } : undefined
    return { move, place: changed, ran: false, ...(decision && { decision }) }
  }

  function* completions(place: Place): Iterable<Successor> {
    for (const of of classesOf(place.state)) {
      const kind = kindOf(of.raiseClass)
      for (const outcome of ['ok', 'error'] as const)
        for (const claims of [undefined, ...(kind?.raises ?? [])])
          for (const stays of isExact ? [false] : [false, true])
            yield completed(place, {
              kind: 'complete',
              of,
              tool: kind?.tool ?? '',
              outcome,
              stays,
              ...(claims && kind && { claims, base: kind.base }),
            })
    }
  }

  function completed(place: Place, move: Extract<Move, { kind: 'complete' }>): Successor {
    const { of, tool, outcome, claims, stays } = move
    const before = stays ? withTwin(place.state, of) : place.state
    const event = completionOf(of.callId, tool, outcome, claims)
    const { state } = step(before, { event, timeMs: TIME }, rules)
    const { base } = move
    const went = place.ghosts.map((at, i) => {
      const ghost = ghosts[i]
      if (!ghost) return at
      const undone = outcome === 'ok' && (of.undoes >> i) & 1 ? ghost.undone(at) : at
      if (!claims || !base) return undone
      const seen = { tool, labels: base, outside: undefined, where: undefined }
      return ghost.raised(undone, seen, { ...seen, labels: joinedLabels(base, claims) })
    })
    return { move, place: state && { state: normal(state), ghosts: went }, ran: false }
  }

  return {
    start,
    successors,
    inputs,
    rules,
    keyOf: ({ state, ghosts: at }) => `${keyOf(state)}|${at.join()}`,
  }
}

type ProposeMove = Extract<Move, { kind: 'propose' }>

const undoMask = (ghosts: readonly Ghost[], { seen }: StepInput): number =>
  ghosts.reduce((mask, ghost, i) => (ghost.undoes(seen) ? mask | (1 << i) : mask), 0)

/** A kind whose results may tell what those of the class may. */
function kindByClass(kinds: readonly StepKind[]): (raiseClass: number) => StepKind | undefined {
  const byClass = new Map<number, StepKind>()
  for (const kind of kinds) if (!byClass.has(kind.raiseClass)) byClass.set(kind.raiseClass, kind)
  return (raiseClass) => byClass.get(raiseClass)
}
