/** What a step does to what, compared with the task and with what the session made, against a naive reading. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ACTS,
  ACT_OF_EFFECT,
  FINAL_ACTS,
  OBJECT_KINDS,
  REACHES,
  type Act,
  type Catalogue,
  type Effect,
  type Event,
  type Policy,
  type Signals,
  logged,
} from '@plimsoll/contracts'
import { type SessionState, step } from '@plimsoll/engine'
import { compileRules } from '@plimsoll/policy'
import { type NaiveDeed, naiveUnasked, unaskedIn } from './naive/naive-effects.js'
import { WARY } from './policies/random-policy.js'
import { type Random, createRandom } from './random.js'

const SESSIONS = 3000
const CATALOGUE: Catalogue = {
  schema: 1,
  kind: 'plimsoll.catalogue',
  name: 'effects',
  tools: [
    { tools: ['make'], labels: { capability: 'write', reversibility: 'reversible' } },
    { tools: ['final'], labels: { capability: 'write', reversibility: 'irreversible' } },
    { tools: ['partial'], labels: { capability: 'write', reversibility: 'partial' } },
  ],
}
const POLICY: Policy = {
  schema: 1,
  kind: 'plimsoll.policy',
  name: 'effects',
  specs: [],
  line: { present: 'allow', absent: 'allow', unknown: 'allow' },
  irreversible: 'confirm',
  hazard: ['allow', 'allow', 'allow'],
  forward: { verdicts: ['allow', 'allow', 'allow'], hysteresis: 0 },
  unlabelled: { verdict: 'block', labels: { capability: 'read', reversibility: 'reversible' } },
  approvals: { ttlSeconds: 4 },
}
const RULES = compileRules({ policy: POLICY, catalogue: CATALOGUE, bundle: WARY })
const NAMED = ['pnamed22', 'pnamed33']
const MADE = ['pmine222', 'pmine333']
const OTHER = 'pothers2'

const someActs = (random: Random, share: number): Set<Act> => new Set(ACTS.filter(() => random.chance(share)))

function randomEffect(random: Random): Effect {
  const some = [NAMED[0], NAMED[1], MADE[0], MADE[1], OTHER, OTHER].filter(
    (name): name is string => name !== undefined && random.chance(0.25),
  )
  return {
    act: random.chance(0.04) ? 'request' : random.pick(FINAL_ACTS),
    ...(random.chance(0.7) && { object: random.pick(OBJECT_KINDS) }),
    ...(random.chance(0.7) && { reach: random.pick(REACHES) }),
    ...(random.chance(0.85) && { names: some }),
    ...(random.chance(0.3) && { byName: true as const }),
    ...(random.chance(0.2) && { incomplete: true as const }),
  }
}

function randomDeed(random: Random): NaiveDeed {
  const effects = Array.from({ length: random.below(4) }, () => randomEffect(random))
  const done = effects.flatMap(({ act }) => ACT_OF_EFFECT[act] ?? [])
  return {
    asks: someActs(random, random.pick([0, 0.15, 0.6])),
    looksOnly: random.chance(0.2),
    named: new Set(NAMED.filter(() => random.chance(0.7))),
    made: new Set(MADE.filter(() => random.chance(0.5))),
    isFinal: random.chance(0.8),
    does: new Set([...done.filter(() => random.chance(0.95)), ...someActs(random, 0.06)]),
    isProgram: random.chance(0.3),
    byName: random.chance(0.1) || effects.some(({ byName }) => byName),
    effects,
  }
}

const signalsOf = (prefix: 'asks' | 'does', acts: ReadonlySet<Act>): Signals =>
  Object.fromEntries([...acts].map((act) => [`${prefix}${act.charAt(0).toUpperCase()}${act.slice(1)}`, 1]))

const DIGEST = 'a'.repeat(64)

/** The decision on the step, in a session that has made its things. */
function decide({ asks, looksOnly, named, made, isFinal, does, isProgram, byName, effects }: NaiveDeed) {
  const envelope = { schema: 1, sessionId: 's', producer: 'agent', time: 0 } as const
  const proposed = { type: 'step.proposed', argumentsDigest: DIGEST } as const
  const task = { ...signalsOf('asks', asks), ...(looksOnly && { looksOnly: 1 }) }
  const events: Event[] = [
    { ...envelope, id: 'a', seq: 0, type: 'session.started', fingerprints: [...named], signals: task },
    { ...envelope, id: 'b', seq: 1, ...proposed, callId: 'm', tool: 'make', made: [...made], signals: {} },
    { ...envelope, id: 'c', seq: 2, type: 'step.completed', callId: 'm', tool: 'make', outcome: 'ok' },
    {
      ...envelope,
      id: 'd',
      seq: 3,
      ...proposed,
      callId: 'c',
      tool: isFinal ? 'final' : 'partial',
      fingerprints: [],
      signals: { ...signalsOf('does', does), ...(byName && { byName: 1 }), ...(isProgram && { program: 1 }) },
      effects: [...effects],
    },
  ]
  let state: SessionState | undefined
  let last: ReturnType<typeof step> | undefined
  for (const event of events) {
    last = step(state, logged(event, 1000), RULES)
    state = last.state
  }
  assert.ok(last?.decision)
  return last.decision
}

test(`agrees with a naive reading in ${SESSIONS} random sessions`, (t) => {
  const seen = new Map<string, number>()
  for (let seed = 1; seed <= SESSIONS; seed++) {
    const deed = randomDeed(createRandom(seed))
    const expected = naiveUnasked(deed)
    const { does, asks, named, made, ...rest } = deed
    const shown = { does: [...does], asks: [...asks], named: [...named], made: [...made], ...rest }
    assert.deepEqual(unaskedIn(decide(deed).reasons), expected, `seed ${seed}: ${JSON.stringify(shown)}`)
    const kind = typeof expected === 'string' ? expected : `${expected.why}, ${expected.certainty}`
    seen.set(kind, (seen.get(kind) ?? 0) + 1)
  }
  t.diagnostic([...seen].map(([kind, count]) => `${kind} ${count}`).join('; '))
  assert.equal(seen.size, 13)
  for (const [kind, count] of seen) assert.ok(count > SESSIONS / 1000, `${kind} came ${count} times`)
})
