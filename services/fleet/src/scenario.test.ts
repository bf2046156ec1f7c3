import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tenantOf } from '@plimsoll/contracts'
import { type Cast, CATEGORIES, createPauses, createSchedule, playbill } from './scenario.js'
import { SCENARIOS } from './scenarios.js'

const cast: Cast = { scenarios: SCENARIOS, seed: 5, name: 'f', agents: 4, tenants: [] }

function first(count: number, given: Partial<Cast> = {}) {
  const performances = playbill({ ...cast, ...given })
  return Array.from({ length: count }, () => performances.next().value ?? assert.fail('it ended'))
}

test('plays every scenario once a round, in an order of the seed', () => {
  const names = first(80).map(({ scenario }) => scenario.name)
  assert.equal(new Set(names.slice(0, 40)).size, 40)
  assert.equal(new Set(names.slice(40)).size, 40)
  assert.notDeepEqual(names.slice(0, 40), names.slice(40))
  assert.deepEqual(first(80), first(80))
  assert.notDeepEqual(first(80), first(80, { seed: 6 }))
})

test('gives each agent tasks of its own', () => {
  const tasks = new Map<string, Set<string>>()
  for (const { agent, scenario } of first(80))
    tasks.set(agent, (tasks.get(agent) ?? new Set()).add(scenario.category))
  assert.deepEqual([...tasks.keys()].sort(), ['agent-1', 'agent-2', 'agent-3', 'agent-4'])
  assert.deepEqual(
    ['agent-1', 'agent-2', 'agent-3', 'agent-4'].map((agent) => [...(tasks.get(agent) ?? [])].join()),
    [...CATEGORIES],
  )
})

test('puts the tenant into the id, where there is any', () => {
  for (const { sessionId } of first(5)) assert.match(sessionId, /^f:[a-z-]+:\d+$/)
  const ids = first(40, { tenants: ['acme', 'globex'] }).map(({ sessionId }) => sessionId)
  assert.deepEqual(new Set(ids.map(tenantOf)), new Set(['acme', 'globex']))
  assert.equal(new Set(ids).size, 40)
})

const never = new AbortController().signal

test('turns of a schedule are due at its rate, whenever they are taken', async () => {
  // The clock stands far behind its beginning's turns: all are late, and none waits.
  let now = 0
  const schedule = createSchedule(4, () => now)
  now = 10_000
  const due = []
  for (let i = 0; i < 5; i++) due.push(await schedule.turn(Math.random, never))
  assert.deepEqual(due, [0, 250, 500, 750, 1000])
})

test('nobody gets a turn before it is due', async () => {
  const schedule = createSchedule(100)
  for (let i = 0; i < 5; i++) {
    const due = (await schedule.turn(Math.random, never)) ?? assert.fail('it has no time')
    // Timers may be a millisecond early.
    assert.ok(performance.now() >= due - 1.5)
  }
})

test('an abort ends every wait', async () => {
  const abort = new AbortController()
  const schedule = createSchedule(0.001)
  await schedule.turn(Math.random, abort.signal)
  const waiting = [schedule.turn(Math.random, abort.signal), createPauses(1e6).turn(() => 0.5, abort.signal)]
  abort.abort()
  await Promise.all(waiting)
})

test('agents that pause on their own are never late', async () => {
  assert.equal(await createPauses(1).turn(Math.random, never), undefined)
  assert.equal(await createPauses(0).turn(Math.random, never), undefined)
})
