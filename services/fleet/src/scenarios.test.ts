import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPlayer } from './player.js'
import { ACT_KINDS, CATEGORIES, type Act, type Scenario } from './scenario.js'
import { SCENARIOS } from './scenarios.js'

test('ships forty scenarios, ten a category, each by a name of its own and with 3 to 5 tools', () => {
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

test('what is read is a thing of the world, of which there is more than one sensitivity', () => {
  for (const { name, acts, things, poisoned = [] } of SCENARIOS) {
    for (const kind of ['look', 'read', 'pry'] as const)
      for (const [tool, target] of acts[kind] ?? [])
        assert.ok(things[target], `${name}: ${tool} ${target} is no thing`)
    for (const thing of poisoned) assert.ok(things[thing], `${name}: ${thing} is no thing`)
    assert.ok(new Set(Object.values(things)).size >= 2, name)
  }
})

test('every act of every scenario is taken under some seed, and none of what a task needs is out of reach', () => {
  for (const scenario of SCENARIOS) {
    const left = new Set(actsOf(scenario))
    for (let seed = 0; left.size > 0 && seed < 3_000; seed++)
      for (const { chosen } of play(scenario, seed).steps) left.delete(chosen.act)
    assert.deepEqual([...left], [], scenario.name)
  }
})

test('every scenario has safe sessions and sessions that drift, and most come to an end of their own', () => {
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

/** A session in which everything may run. */
function play(scenario: Scenario, seed: number) {
  const player = createPlayer(scenario, seed)
  const steps = []
  for (let step = player.next(); step; step = player.next()) {
    steps.push(step)
    player.ran(step)
  }
  return { steps, isDone: player.isDone() }
}
