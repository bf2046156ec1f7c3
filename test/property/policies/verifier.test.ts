/** The verifier against every run of a small world, played in real sessions. Source: docs/explanation/verification.md. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Catalogue,
  type Event,
  type Policy,
  type Run,
  type Spec,
  type StepPattern,
  logged,
} from '@plimsoll/contracts'
import { type Rules, type SessionState, step } from '@plimsoll/engine'
import { compileRules, verifyPolicy } from '@plimsoll/policy'
import { type Random, createRandom } from '../random.js'
import { some } from './alphabet.js'
import { EVERY_STEP, MADE, SMALL_TOOLS, type SmallStep } from './every-step.js'
import { mayBe, surelyIs } from './naive/naive-pattern.js'
import { WARY } from './random-policy.js'

const POLICIES = Number(process.env['PLIMSOLL_POLICIES'] ?? 40)
const TIME = 1_000_000_000
const DIGEST = 'a'.repeat(64)
const CATALOGUE: Catalogue = {
  schema: 1,
  kind: 'plimsoll.catalogue',
  name: 'small',
  tools: [
    ...Object.entries(SMALL_TOOLS).map(([tool, labels]) => ({ tools: [tool], labels })),
    { tools: ['make'], labels: { capability: 'write', reversibility: 'reversible' } },
  ],
}

const ACTS = ['delete', 'stop'] as const

type Sequence = Extract<Run, { sequence: unknown }>

function randomPattern(random: Random): StepPattern {
  const asked = {
    ...(random.chance(0.6) && { act: some(random, ACTS) }),
    ...(random.chance(0.3) && { object: ['path' as const] }),
    ...(random.chance(0.5) && { reach: [random.pick(['own', 'live'] as const)] }),
  }
  return { tools: [random.pick(['work_a', 'work_*', 'work_*'] as const)], ...(random.chance(0.85) && asked) }
}

function randomSpec(random: Random, id: string): Spec {
  const own = { id, ...randomPattern(random) }
  const past = {
    ...(random.chance(0.25) && { after: randomPattern(random) }),
    ...(random.chance(0.2) && { before: randomPattern(random) }),
    ...(random.chance(0.1) && { between: { from: randomPattern(random), to: randomPattern(random) } }),
  }
  const kind = random.next()
  if (kind < 0.45) return { ...own, ...past, tier: 'blocklist' }
  if (kind < 0.65) return { ...own, ...past, tier: 'confirmation' }
  if (kind < 0.8) return { ...own, ...past, tier: 'allowlist', lifts: ['confirmation'] }
  return { ...own, tier: 'mustlist', requires: randomPattern(random) }
}

const randomRun = (random: Random): Sequence => ({
  sequence: Array.from({ length: 1 + random.below(2) }, () => randomPattern(random)),
  ...(random.chance(0.3) && { unless: randomPattern(random) }),
})

interface Case {
  readonly policy: Policy
  readonly hazard: Sequence
  readonly goal: Sequence
}

function randomCase(seed: number): Case {
  const random = createRandom(seed)
  const specs = Array.from({ length: 1 + random.below(2) }, (_, i) => randomSpec(random, `s${i}`))
  const [hazard, goal] = [randomRun(random), randomRun(random)]
  const policy: Policy = {
    schema: 1,
    kind: 'plimsoll.policy',
    name: 'random',
    specs,
    analysis: {
      hazards: [{ id: 'H', text: 'random', reached: hazard }],
      goals: [{ id: 'G', text: 'random', reached: goal }],
    },
    line: { present: 'allow', absent: 'allow', unknown: 'allow' },
    hazard: ['allow', 'allow', 'allow'],
    forward: { verdicts: ['allow', 'allow', 'allow'], hysteresis: 0 },
    unlabelled: { verdict: 'block', labels: { capability: 'read', reversibility: 'reversible' } },
    approvals: { ttlSeconds: 4 },
  }
  return { policy, hazard, goal }
}

const ENVELOPE = { schema: 1, sessionId: 's', producer: 'agent', seq: 0, time: 0 } as const

/** A session that has made one thing. */
function startedSession(rules: Rules): SessionState {
  const events: Event[] = [
    { ...ENVELOPE, id: 'b', type: 'session.started' },
    {
      ...ENVELOPE,
      id: 'm',
      type: 'step.proposed',
      callId: 'm',
      tool: 'make',
      argumentsDigest: DIGEST,
      made: [MADE],
    },
    { ...ENVELOPE, id: 'n', type: 'step.completed', callId: 'm', tool: 'make', outcome: 'ok' },
  ]
  let state: SessionState | undefined
  for (const event of events) state = step(fresh(state), logged(event, TIME), rules).state
  assert.ok(state)
  return state
}

/** No event here is a retry of another. */
const fresh = <S extends SessionState | undefined>(state: S): S =>
  state && { ...state, producers: [], recent: [] }

/** The session after the step ran; undefined if it is blocked, or if it asks and nobody approves. */
function ran(state: SessionState, { event }: SmallStep, rules: Rules, approves: boolean) {
  const proposal = {
    ...ENVELOPE,
    ...event,
    id: 'p',
    type: 'step.proposed',
    callId: 'c',
    argumentsDigest: DIGEST,
  } as const
  let outcome = step(fresh(state), logged(proposal, TIME), rules)
  if (outcome.decision?.verdict === 'confirm' && approves) {
    const { id: decisionId, expiresAt = 0 } = outcome.decision
    const answer = { resolution: 'approved', by: 'ann', signature: DIGEST, argumentsDigest: DIGEST } as const
    const approval = {
      ...ENVELOPE,
      ...answer,
      id: 'a',
      type: 'approval.resolved',
      decisionId,
      expiresAt,
    } as const
    outcome = step(fresh(outcome.state), logged(approval, TIME), rules)
  }
  const verdict = outcome.decision?.verdict
  return verdict === 'allow' || verdict === 'warn' ? outcome.state : undefined
}

interface Place {
  readonly state: SessionState
  readonly hazardAt: number
  readonly goalAt: number
}

/** Whether some run reaches the hazard, and one the goal and not the hazard. */
function playAll({ policy, hazard, goal }: Case, approves: boolean) {
  const rules = compileRules({ policy, catalogue: CATALOGUE, bundle: WARY })
  const queue: Place[] = [{ state: startedSession(rules), hazardAt: 0, goalAt: 0 }]
  const seen = new Set<string>()
  const reached = { hazard: false, goal: false }
  for (let place = queue.pop(); place; place = queue.pop())
    for (const one of EVERY_STEP) {
      const state = ran(place.state, one, rules, approves)
      if (!state) continue
      const at = {
        hazardAt: nextOf(hazard, place.hazardAt, one, mayBe),
        goalAt: nextOf(goal, place.goalAt, one, surelyIs),
      }
      const isHazard = at.hazardAt >= hazard.sequence.length
      if (isHazard) reached.hazard = true
      else if (at.goalAt >= goal.sequence.length) reached.goal = true
      if (isHazard) continue
      if (reached.hazard && reached.goal) return reached
      for (const outcome of ['ok', 'error'] as const) {
        const event = {
          ...ENVELOPE,
          id: 'e',
          type: 'step.completed',
          callId: 'c',
          tool: one.event.tool,
          outcome,
        } as const
        const after = step(fresh(state), logged(event, TIME), rules).state
        assert.ok(after)
        const isOk = outcome === 'ok'
        const next = {
          state: after,
          hazardAt: isOk && isUndone(hazard, one, surelyIs) ? 0 : at.hazardAt,
          goalAt: at.goalAt < goal.sequence.length && isOk && isUndone(goal, one, mayBe) ? 0 : at.goalAt,
        }
        // No spec of these reads how long ago something was.
        const key = [next.hazardAt, next.goalAt, ...after.memory.map((cell) => (cell > 0 ? 1 : 0))].join()
        if (!seen.has(key)) queue.push(next)
        seen.add(key)
      }
    }
  return reached
}

type Reads = typeof mayBe

const nextOf = ({ sequence }: Sequence, at: number, { reading }: SmallStep, reads: Reads): number => {
  const pattern = sequence[at]
  return pattern && reads(pattern, reading) ? at + 1 : at
}

const isUndone = ({ unless }: Sequence, { reading }: SmallStep, reads: Reads): boolean =>
  unless !== undefined && reads(unless, reading)

test(`the verifier agrees with every run, under ${POLICIES} random policies of what is done to what`, (t) => {
  const results = new Map<string, number>()
  const add = (result: string) => results.set(result, (results.get(result) ?? 0) + 1)
  for (let seed = 1; seed <= POLICIES; seed++) {
    const random = randomCase(seed)
    const { hazards, goals } = verifyPolicy({ policy: random.policy, catalogue: CATALOGUE, claims: 'none' })
    const alone = playAll(random, false)
    const approved = alone.hazard && alone.goal ? alone : playAll(random, true)
    const of = `seed ${seed}: ${JSON.stringify([random.policy.specs, random.hazard, random.goal])}`
    const hazard = hazards[0]?.result ?? 'none'
    const goal = goals[0]?.result ?? 'none'
    add(`hazard ${hazard}`)
    add(`goal ${goal}`)
    const expected = alone.hazard ? 'reached' : approved.hazard ? 'by_approval' : 'proved'
    const isSame = expected === 'proved' ? ['proved', 'vacuous', 'restated'] : [expected, 'restated']
    if (hazard !== 'bounded') assert.ok(isSame.includes(hazard), `hazard ${hazard}, not ${expected}; ${of}`)
    const wanted = alone.goal ? 'reachable' : approved.goal ? 'by_approval' : 'unreachable'
    if (goal !== 'bounded') assert.equal(goal, wanted, of)
  }
  t.diagnostic([...results].map(([what, count]) => `${what} ${count}`).join(', '))
})
