import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logged, digestOf, eventSchema, type Event } from '@plimsoll/contracts'
import { adopt, updateCandidateMemory, EMPTY_CANDIDATE_MEMORY } from '@plimsoll/comparison'
import { step, type SessionState } from '@plimsoll/engine'
import { compileRules } from '@plimsoll/policy'
import { WARY } from './policies/random-policy.js'
import { createRandom } from './random.js'
import { SPECS_CATALOGUE, SPECS_POLICY } from './specs-policy.js'

const rules = compileRules({ bundle: WARY, catalogue: SPECS_CATALOGUE, policy: SPECS_POLICY })

const TOOLS = ['read_record', 'read_page', 'redact', 'change', 'send', 'stranger']

/** A random event that an agent or its host may send next. */
function randomEvent(random: () => number, n: number, state: SessionState | undefined): Event {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const envelope = { schema: 1, id: `e${n}`, sessionId: 's', producer: 'p', seq: n, time: 0 }
  if (!state) return eventSchema.parse({ ...envelope, type: 'session.started' })
  const pending = state.calls.find(({ status }) => status === 'pending')
  if (pending?.status === 'pending' && random() < 0.5) {
    const { decisionId, argumentsDigest, expiresAt } = pending
    const resolution = pick(['approved', 'denied'])
    const answer = {
      decisionId,
      argumentsDigest,
      expiresAt,
      resolution,
      by: 'ann',
      signature: '0'.repeat(64),
    }
    return eventSchema.parse({ ...envelope, producer: 'desk', seq: 0, type: 'approval.resolved', ...answer })
  }
  const call = pick(state.calls.length > 0 ? state.calls : [undefined])
  if (call && random() < 0.5) {
    const labels = random() < 0.3 ? { labels: { confidentiality: 'sensitive' } } : {}
    const outcome = pick(['ok', 'ok', 'error'])
    return eventSchema.parse({
      ...envelope,
      type: 'step.completed',
      callId: call.callId,
      tool: pick(TOOLS),
      outcome,
      ...labels,
    })
  }
  if (random() < 0.1)
    return eventSchema.parse({ ...envelope, type: 'session.instructed', fingerprints: ['aaaaaaaa'] })
  const reported = {
    ...(random() < 0.7 && { signals: { outside: pick([0, 1]) } }),
    ...(random() < 0.7 && {
      arguments: { kind: pick(['pay', 'say']), amount: pick([10, 60]), to: pick(['a', 'b', 'c']) },
    }),
    ...(random() < 0.1 && { withoutVerdict: [{ callId: `u${n}`, tool: pick(TOOLS) }] }),
  }
  return eventSchema.parse({
    ...envelope,
    type: 'step.proposed',
    callId: `c${n}`,
    tool: pick(TOOLS),
    argumentsDigest: digestOf(n),
    ...reported,
  })
}

test('the candidate memory under the same rules equals the memory of the session', () => {
  let remembered = 0
  for (let seed = 1; seed <= 200; seed++) {
    const random = createRandom(seed).next
    let state: SessionState | undefined
    let followed = EMPTY_CANDIDATE_MEMORY
    let next = 0
    for (let n = 0; n < 30; n++) {
      const event = randomEvent(random, next, state)
      if (event.producer === 'p') next++
      const input = logged(event, n * 1500)
      const facts = { mode: seed % 5 === 0 ? 'observe' : 'enforce' } as const
      const outcome = step(state, input, rules, facts)
      followed = updateCandidateMemory(followed, state, input, outcome, rules)
      state = outcome.state
      if (!state) continue
      assert.deepEqual(followed.memory, state.memory, `seed ${seed}, event ${n}: ${event.type}`)
      const adopted = adopt(state, followed)
      const creditsOf = ({ calls }: SessionState) =>
        calls.map((call) => (call.status === 'open' ? call.credits : []))
      assert.deepEqual(creditsOf(adopted), creditsOf(state), `seed ${seed}, event ${n}: ${event.type}`)
      if (state.memory.length > 0) remembered++
    }
  }
  assert.ok(remembered > 1000, `only ${remembered} states remembered anything`)
})
