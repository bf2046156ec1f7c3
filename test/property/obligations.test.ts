import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logged, decisionSchema, type Event, type EventOf, type Policy } from '@plimsoll/contracts'
import {
  deadlineIdOf,
  nextDeadline,
  owedObligations,
  step,
  type Facts,
  type Outcome,
  type Rules,
  type SessionState,
} from '@plimsoll/engine'
import { compileRules, defaultDocuments } from '@plimsoll/policy'
import { createRandom, type Random } from './random.js'

const owes = (
  id: string,
  tool: string,
  within: { seconds: number } | { steps: number } | 'session',
): Policy['specs'][number] => ({
  id,
  tier: 'mustlist',
  tools: [tool],
  followedBy: { step: { tools: [`pay_${tool}`] }, within, exit: 'allow' },
})
const SPECS: Policy['specs'] = [
  owes('soon', 'a', { seconds: 2 }),
  owes('later', 'b', { seconds: 60 }),
  owes('both', 'a', { seconds: 10 }),
  owes('steps', 'b', { steps: 3 }),
  owes('some-day', 'a', 'session'),
]
const NAMES: [string, ...string[]] = ['other', ...SPECS.map(({ id }) => id)]
const TOOLS: [string, ...string[]] = ['a', 'b', 'pay_a', 'pay_b', 'read_file']
const SEQUENCES = 3000
const EVENTS = 40

const digest = '0'.repeat(64)

/** Plays one session: its agent's steps and results, and deadlines of all kinds at any time, as clocks go on and back. */
function playSession(random: Random, rules: Rules, play: typeof step): number {
  const facts: Facts = { mode: random.chance(0.3) ? 'observe' : 'enforce' }
  let state: SessionState | undefined
  let timeMs = 1_000_000
  let seq = 0
  const envelope = () => ({
    schema: 1,
    id: `e${seq}`,
    sessionId: 's',
    producer: 'agent',
    time: 0,
    seq: seq++,
  })
  const reported = new Set<string>()
  let alerts = 0
  for (let i = 0; i < EVENTS && !state?.ended; i++) {
    timeMs += random.chance(0.1) ? -random.below(20_000) : random.below(random.chance(0.2) ? 40_000 : 800)
    const event =
      i === 0
        ? { ...envelope(), type: 'session.started', fingerprints: [] }
        : invent(random, state, envelope, i)
    const before = state
    const outcome: Outcome = play(before, logged(event as Event, timeMs), rules, facts)
    if (outcome.decision) decisionSchema.parse(JSON.parse(JSON.stringify(outcome.decision)))
    if (before) assertSound(before, event as Event, Math.max(timeMs, before.time), outcome, rules, reported)
    if (outcome.decision?.kind === 'alert') alerts++
    state = outcome.state
  }
  return alerts
}

function invent(random: Random, state: SessionState | undefined, envelope: () => object, i: number): object {
  const kind = random.next()
  if (kind < 0.03) return { ...envelope(), type: 'session.ended' }
  if (kind < 0.35) return deadline(random, state)
  const tool = random.pick(TOOLS)
  const open = (state?.calls ?? []).filter(({ status }) => status === 'open')
  const [first, ...rest] = open
  if (kind < 0.6 && first) {
    const { callId } = random.pick([first, ...rest])
    const outcome = random.chance(0.9) ? 'ok' : 'error'
    return { ...envelope(), type: 'step.completed', callId, tool: callId.replace(/\d+$/, ''), outcome }
  }
  return { ...envelope(), type: 'step.proposed', callId: `${tool}${i}`, tool, argumentsDigest: digest }
}

/** Of what is owed, or of what is not, or is owed since another time. */
function deadline(random: Random, state: SessionState | undefined): object {
  const since = state ? Math.max(...state.memory, 0) - random.below(2) : 0
  const base = { schema: 1, sessionId: 's', producer: 'monitor', seq: 0, time: 0, signature: digest }
  const due = random.chance(0.1)
    ? ({ kind: 'idle', lastEventAt: state?.time ?? 0 } as const)
    : ({ kind: 'obligation', spec: random.pick(NAMES), since: Math.max(since, 0) } as const)
  return { ...base, id: deadlineIdOf(due), type: 'deadline.reached', due, dueAt: state?.time ?? 0 }
}

function assertSound(
  before: SessionState,
  event: Event,
  timeMs: number,
  { state, decision, fault }: Outcome,
  rules: Rules,
  reported: Set<string>,
): void {
  assert.ok(state)
  const owed = owedObligations(before.memory, rules.memory)
  const alert = decision?.kind === 'alert' ? decision : undefined
  const codes = alert?.reasons.map(({ code }) => code)
  assert.equal(nextDeadline(before, rules).obligationMs, earliestOf(owed))
  if (state.ended && !before.ended)
    assert.deepEqual(
      codes ?? [],
      owed.map(({ spec }) => spec.id),
      'an end reports all open obligations',
    )
  else if (event.type === 'deadline.reached' && event.due.kind === 'obligation')
    assertReported(event.due, { before, state, codes, timeMs }, owed, reported)
  else assert.equal(alert, undefined, 'nothing else is reported')
  if (event.type === 'deadline.reached') assert.equal(fault, undefined)
}

const earliestOf = (owed: ReturnType<typeof owedObligations>): number | undefined => {
  const times = owed.flatMap(({ overdueMs, isReported }) =>
    overdueMs === undefined || isReported ? [] : [overdueMs],
  )
  return times.length > 0 ? Math.min(...times) : undefined
}

interface Reached {
  readonly before: SessionState
  readonly state: SessionState
  readonly codes: readonly string[] | undefined
  readonly timeMs: number
}

/** An obligation is reported exactly when it is open, overdue and not yet reported; nothing else changes. */
function assertReported(
  due: Extract<EventOf<'deadline.reached'>['due'], { kind: 'obligation' }>,
  { before, state, codes, timeMs }: Reached,
  owed: ReturnType<typeof owedObligations>,
  reported: Set<string>,
): void {
  const meant = owed.find(({ spec, since }) => spec.id === due.spec && since === due.since)
  const isDue = meant?.overdueMs !== undefined && timeMs >= meant.overdueMs && !meant.isReported
  assert.deepEqual(codes, isDue ? [due.spec] : undefined)
  if (!isDue) return assert.equal(state, before)
  const name = `${due.spec} ${due.since}`
  assert.ok(!reported.has(name), `${name} is reported twice`)
  reported.add(name)
  const { memory: _memory, recent: _recent, time: _time, ...rest } = state
  const { memory, recent, time, ...restBefore } = before
  assert.deepEqual(rest, restBefore)
  assert.deepEqual(
    [memory.length, recent.length <= 16, time <= state.time],
    [state.memory.length, true, true],
  )
}

async function sampleRules(): Promise<Rules> {
  const documents = await defaultDocuments()
  const policy: Policy = {
    ...documents.policy,
    specs: SPECS,
    unlabelled: { ...documents.policy.unlabelled, verdict: 'allow' },
  }
  return compileRules({ ...documents, policy })
}

test('random sessions: an open obligation is reported once when overdue, and at the end', async () => {
  const rules = await sampleRules()
  let alerts = 0
  for (let seed = 0; seed < SEQUENCES; seed++)
    try {
      alerts += playSession(createRandom(seed), rules, step)
    } catch (error) {
      throw new Error(`seed ${seed}: ${String(error)}`, { cause: error })
    }
  assert.ok(alerts > SEQUENCES / 4, `${alerts} alerts`)
})

const CANARIES: readonly (readonly [name: string, play: typeof step])[] = [
  [
    'a repeated alert',
    (state, input, ...rest) => {
      const outcome = step(state, input, ...rest)
      const isAlert = outcome.decision?.kind === 'alert' && !outcome.state?.ended
      return isAlert && state && outcome.state
        ? { ...outcome, state: { ...outcome.state, memory: state.memory } }
        : outcome
    },
  ],
  [
    'an end without an alert',
    (...given) => {
      const outcome = step(...given)
      return outcome.state?.ended && outcome.decision?.kind === 'alert' ? { state: outcome.state } : outcome
    },
  ],
  [
    'an early deadline',
    (state, input, ...rest) => step(state, { ...input, timeMs: input.timeMs + 1500 }, ...rest),
  ],
]

for (const [name, play] of CANARIES)
  test(`the harness catches ${name}`, async () => {
    const rules = await sampleRules()
    assert.throws(() => {
      for (let seed = 0; seed < SEQUENCES; seed++) playSession(createRandom(seed), rules, play)
    }, assert.AssertionError)
  })
