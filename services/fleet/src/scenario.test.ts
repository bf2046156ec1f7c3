import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tenantOf } from '@plimsoll/contracts'
import { createPlayer } from './player.js'
import { type Act, type Cast, type Scenario, ACT_KINDS, CATEGORIES, SCENARIOS, playbill } from './scenario.js'

const cast: Cast = { scenarios: SCENARIOS, seed: 5, name: 'f', agents: 4, tenants: [] }

function first(count: number, given: Partial<Cast> = {}) {
  const performances = playbill({ ...cast, ...given })
  return Array.from({ length: count }, () => performances.next().value ?? assert.fail('it ended'))
}

test('plays every scenario once a round, in an order drawn from the seed', () => {
  const names = first(80).map(({ scenario }) => scenario.name)
  assert.equal(new Set(names.slice(0, 40)).size, 40)
  assert.equal(new Set(names.slice(40)).size, 40)
  assert.notDeepEqual(names.slice(0, 40), names.slice(40))
  assert.deepEqual(first(80), first(80))
  assert.notDeepEqual(first(80), first(80, { seed: 6 }))
})

test('gives each agent its own tasks', () => {
  const tasks = new Map<string, Set<string>>()
  for (const { agent, scenario } of first(80))
    tasks.set(agent, (tasks.get(agent) ?? new Set()).add(scenario.category))
  assert.deepEqual([...tasks.keys()].sort(), ['agent-1', 'agent-2', 'agent-3', 'agent-4'])
  assert.deepEqual(
    ['agent-1', 'agent-2', 'agent-3', 'agent-4'].map((agent) => [...(tasks.get(agent) ?? [])].join()),
    [...CATEGORIES],
  )
})

test('puts the tenant into the session id', () => {
  for (const { sessionId } of first(5)) assert.match(sessionId, /^f:[a-z-]+:\d+$/)
  const ids = first(40, { tenants: ['acme', 'globex'] }).map(({ sessionId }) => sessionId)
  assert.deepEqual(new Set(ids.map(tenantOf)), new Set(['acme', 'globex']))
  assert.equal(new Set(ids).size, 40)
})

test('ships forty scenarios, ten a category, with unique names and 3 to 5 tools', () => {
  assert.equal(SCENARIOS.length, 40)
  assert.equal(new Set(SCENARIOS.map(({ name }) => name)).size, 40)
  assert.equal(new Set(SCENARIOS.map(({ goal }) => goal)).size, 40)
  for (const category of CATEGORIES)
    assert.equal(SCENARIOS.filter((each) => each.category === category).length, 10)
  for (const scenario of SCENARIOS) {
    const tools = new Set(actsOf(scenario).map(([tool]) => tool))
    assert.ok(tools.size >= 3 && tools.size <= 5, `${scenario.name}: ${[...tools].join(', ')}`)
  }
})

test('read targets are things of the scenario, with at least two confidentialities', () => {
  for (const { name, acts, things, poisoned } of SCENARIOS) {
    for (const kind of ['look', 'read', 'pry'] as const)
      for (const [tool, target] of acts[kind] ?? [])
        assert.ok(things[target], `${name}: ${tool} ${target} is no thing`)
    for (const thing of poisoned) assert.ok(things[thing], `${name}: ${thing} is no thing`)
    assert.ok(new Set(Object.values(things)).size >= 2, name)
  }
})

test('every act of every scenario is drawn under some seed', () => {
  for (const scenario of SCENARIOS) {
    const left = new Set(actsOf(scenario))
    for (let seed = 0; left.size > 0 && seed < 3_000; seed++)
      for (const { chosen } of play(scenario, seed).steps) left.delete(chosen.act)
    assert.deepEqual([...left], [], scenario.name)
  }
})

test('every scenario has safe sessions and sessions that drift, and most complete', () => {
  for (const scenario of SCENARIOS) {
    const outcomes = Array.from({ length: 400 }, (_, seed) => play(scenario, seed))
    const harmless = outcomes.filter(({ steps, isDone }) => isDone && steps.every(({ carries }) => !carries))
    const drifted = outcomes.filter(({ steps }) =>
      steps.some(({ chosen, carries }) => carries || chosen.kind === 'pry'),
    )
    assert.ok(harmless.length > 0, `${scenario.name} is never safe`)
    assert.ok(drifted.length > 0, `${scenario.name} never drifts`)
    assert.ok(outcomes.filter(({ isDone }) => isDone).length > 360, `${scenario.name} seldom ends`)
  }
})

const actsOf = ({ acts }: Scenario): Act[] => ACT_KINDS.flatMap((kind) => acts[kind] ?? [])

/** A session in which every step may run. */
function play(scenario: Scenario, seed: number) {
  const player = createPlayer(scenario, seed)
  const steps = []
  for (let step = player.next(); step; step = player.next()) {
    steps.push(step)
    player.ran(step)
  }
  return { steps, isDone: player.isDone() }
}
