import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ClaimedLabels, type EventOf, type PermittedScope, logged } from '@plimsoll/contracts'
import { type Outcome, type Rules, type SessionState, step } from '@plimsoll/engine'
import { createHazardWatch } from './hazards/watches.js'
import { type StepInput, ENDED, answerOf, beginSession, completionOf, proposalOf } from './model/inputs.js'
import { type Model, type Place, returned, undoMask } from './model/model.js'
import { tagged } from './model/normal-form.js'
import { joinedLabels } from './model/labels.js'
import { SAMPLE_CATALOGUES } from '../testing.js'
import { type Watched, createSetup } from './setup.js'
import { EFFECTS, UNLABELLED, createDice, type Dice, WHERE, randomPolicy } from './testing.js'

const SESSIONS = Number(process.env['PLIMSOLL_SESSIONS'] ?? 30)
const EVENTS = 15
const TOOLS = SAMPLE_CATALOGUES.random
const START = 1_600_000_000_000

interface Open {
  readonly callId: string
  readonly kind: StepInput['kind']
  readonly undoes: string
  readonly asked?: {
    readonly decisionId: string
    readonly input: StepInput
    readonly expiresAt: number
    readonly scopes: readonly PermittedScope[]
  }
}

/** One real session, and every abstract state that covers it. */
interface Course {
  readonly state: SessionState
  readonly watches: readonly number[]
  readonly places: readonly Place[]
  readonly open: readonly Open[]
  readonly time: number
}

/** Steps that ran by an approval of an earlier step. */
let byEarlierApproval = 0

/**
 * Runs a real session under a random policy, with calls in flight, late approvals, approvals for the session, active prediction, passing
 * time and claims. The model must cover each state it reaches: by one of the model's moves, or by none if the normal form stays the same.
 */
function commutes(seed: number, spoil: (place: Place) => Place = (place) => place): void {
  const dice = createDice(seed)
  const policy = randomPolicy(dice)
  const setup = createSetup({ policy, catalogue: TOOLS, claims: 'any' })
  const hazard = policy.analysis?.hazards?.[0]?.reached
  assert.ok(hazard)
  const watched: Watched[] = [{ run: hazard, reading: 'hazard' }]
  const model = setup.model({ watched, approvals: true })
  const watches = [createHazardWatch(hazard, 'hazard')]
  const state = beginSession(model.rules, START)
  let course: Course = { state, watches: [0], places: [model.start], open: [], time: START }
  for (let n = 0; n < EVENTS && !course.state.ended; n++) {
    const next = happen(course, { dice, model, watches, harsh: setup.rules('harshest'), n })
    if (!next) continue
    const normal = model.normal(next.state)
    const fits = (place: Place) =>
      model.covers(place.state, normal) && place.watches.join() === next.watches.join()
    const reached = new Map<string, Place>()
    for (const place of course.places) {
      if (fits(place)) reached.set(model.keyOf(place), place)
      for (const successor of model.successors(place))
        if (successor.place && fits(spoil(successor.place)))
          reached.set(model.keyOf(successor.place), successor.place)
    }
    assert.ok(
      reached.size > 0,
      `seed ${seed}, event ${n}: nothing covers ${JSON.stringify([normal.memory, normal.calls, next.watches])}; ${JSON.stringify(policy.specs)}`,
    )
    course = { ...next, places: [...reached.values()] }
  }
}

interface World {
  readonly dice: Dice
  readonly model: Model
  readonly watches: readonly ReturnType<typeof createHazardWatch>[]
  readonly harsh: Rules
  readonly n: number
}

function happen(course: Course, world: World): Omit<Course, 'places'> | undefined {
  const { dice } = world
  const time = course.time + dice.pick([0, 0, 1, 1000, 10_000, 10_001, 70_000])
  const fresh = { ...course, time, state: { ...course.state, producers: [], recent: [] } }
  const [first, ...rest] = fresh.open
  const what = dice.below(100)
  if (what < 55 || !first) return propose(fresh, world)
  const call = dice.pick([first, ...rest])
  if (call.asked) return answer(fresh, call, world)
  if (what > 97) return end(fresh, world)
  return complete(fresh, call, world)
}

const CLAIMS: readonly [ClaimedLabels | undefined, ...(ClaimedLabels | undefined)[]] = [
  undefined,
  undefined,
  undefined,
  { confidentiality: 'sensitive' },
  { trust: 'untrusted' },
  { tags: ['pii'] },
  { confidentiality: 'public', tags: ['pii'] },
]

function propose(course: Course, { dice, model, watches, harsh, n }: World) {
  const approved = course.state.approvals.at(-1)?.tool
  const isAgain = approved !== undefined && dice.chance(50)
  const tool = isAgain ? approved : dice.pick(['read_a', 'read_b', 'write_a', 'send_a', 'redact', 'nobody_s'])
  const claims = dice.pick<ClaimedLabels | undefined>([...CLAIMS, { capability: 'network' }])
  const kind = model.kinds.of(tool, claims)
  assert.ok(kind, `a step with ${tool} ${JSON.stringify(claims)} is of no kind`)
  const labels = joinedLabels(
    TOOLS.tools.find(({ tools }) => tools.includes(tool))?.labels ?? UNLABELLED,
    claims ?? {},
  )
  const where = dice.pick([undefined, { [WHERE]: true }, { [WHERE]: false }])
  const seen = {
    tool,
    labels,
    effects: dice.pick(EFFECTS),
    outside: dice.pick([undefined, true, false]),
    where,
  }
  const input: StepInput = {
    kind: { ...kind, tool, claims },
    seen,
    evidence: dice.pick(['absent', 'present', 'unknown']),
    isFingerprinted: dice.chance(30),
  }
  const undoes = undoMask(watches, input)
  const callId = `${tagged(kind.raiseClass, undoes)}${n}`
  const event = { ...proposalOf(input, callId), id: `p${n}` }
  const rules = dice.chance(15) ? harsh : model.rules
  const { state, decision } = step(course.state, logged(event, course.time), rules)
  assert.ok(state && decision)
  const call = { callId, kind: { ...kind, tool }, undoes }
  if (decision.verdict === 'block') return { ...course, state }
  if (decision.verdict === 'confirm') {
    const { id: decisionId, expiresAt = 0, approval } = decision
    const asked = { decisionId, input, expiresAt, scopes: approval?.scopes ?? [] }
    return { ...course, state, open: [...course.open, { ...call, asked }] }
  }
  if (decision.reasons.some(({ liftedBy }) => liftedBy?.startsWith('approval:'))) byEarlierApproval++
  const went = course.watches.map((at, i) => watches[i]?.ran(at, seen) ?? at)
  return { ...course, state, watches: went, open: [...course.open, call] }
}

function answer(course: Course, call: Open, { dice, model, watches, n }: World) {
  if (!call.asked) return undefined
  const { decisionId, expiresAt, input, scopes } = call.asked
  const resolution = dice.chance(70) ? 'approved' : 'denied'
  const isForSession = scopes.includes('session') && dice.chance(70)
  const event = {
    ...(answerOf(expiresAt, resolution) as EventOf<'approval.resolved'>),
    id: `a${n}`,
    decisionId,
    ...(isForSession && { scope: 'session' as const }),
  }
  const outcome: Outcome = step(course.state, logged(event, course.time), model.rules)
  const others = course.open.filter(({ callId }) => callId !== call.callId)
  const state = outcome.state ?? course.state
  const verdict = outcome.decision?.verdict
  if (verdict === 'confirm')
    return {
      ...course,
      state,
      open: [
        ...others,
        {
          ...call,
          asked: {
            ...call.asked,
            decisionId: outcome.decision?.id ?? '',
            expiresAt: outcome.decision?.expiresAt ?? 0,
          },
        },
      ],
    }
  if (verdict === 'block') return { ...course, state, open: others }
  const went = course.watches.map((at, i) => watches[i]?.ran(at, input.seen) ?? at)
  const { asked: _, ...ran } = call
  return { ...course, state, watches: went, open: [...others, ran] }
}

function complete(course: Course, call: Open, { dice, model, watches, n }: World) {
  const outcome = dice.chance(70) ? 'ok' : 'error'
  const claims = dice.pick(CLAIMS)
  const { tool, base } = call.kind
  const event = { ...completionOf(call.callId, tool, outcome, claims), id: `c${n}` }
  const { state } = step(course.state, logged(event, course.time), model.rules)
  assert.ok(state)
  const own = TOOLS.tools.find(({ tools }) => tools.includes(tool))?.labels ?? UNLABELLED
  const transition = { outcome, tool, base: claims ? own : base, ...(claims && { claims }) } as const
  const went = returned(watches, course.watches, transition, call)
  return { ...course, state, watches: went, open: course.open.filter(({ callId }) => callId !== call.callId) }
}

function end(course: Course, { model, watches }: World) {
  const { state } = step(course.state, logged(ENDED, course.time), model.rules)
  assert.ok(state)
  const went = course.watches.map((at, i) => watches[i]?.ended(at) ?? at)
  // The model has no move for an end that no watch reads.
  return went.join() === course.watches.join() ? undefined : { ...course, state, watches: went }
}

test(`the abstraction commutes with step, in ${SESSIONS} random sessions`, () => {
  for (let seed = 1; seed <= SESSIONS; seed++) commutes(seed)
  assert.ok(byEarlierApproval > 0, 'no step ran by an approval for the session')
})

test('detects an abstraction that forgets the memory of specs', () => {
  const forgets = (place: Place): Place => ({ ...place, state: { ...place.state, memory: [] } })
  assert.throws(() => {
    for (let seed = 1; seed <= 5 * SESSIONS; seed++) commutes(seed, forgets)
  }, /nothing covers/)
})

test('detects an abstraction that forgets that a step with sensitive data was blocked', () => {
  const forgets = (place: Place): Place => ({ ...place, state: { ...place.state, held: false } })
  assert.throws(() => {
    // Few seeds block such a step. This one did first when it was last looked for; the others follow, should it do so no more.
    commutes(22, forgets)
    for (let seed = 1; seed <= 5 * SESSIONS; seed++) commutes(seed, forgets)
  }, /nothing covers/)
})
