import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCENARIOS } from '@plimsoll/fleet'
import { defaultDocuments } from '@plimsoll/policy'
import { playScenarios, scenarioChains } from './scenario-chains.js'

const documents = await defaultDocuments()
const sessions = await playScenarios(documents, { rounds: 2 })

test('each scenario is played through the engine, the same steps each time', async () => {
  assert.equal(sessions.length, 2 * SCENARIOS.length)
  for (const { steps } of sessions) {
    assert.ok(steps.length > 0)
    for (const [n, { level }] of steps.entries()) assert.ok(level >= (steps[n - 1]?.level ?? 0))
  }
  assert.deepEqual(new Set(sessions.map(({ task }) => task)), new Set(Array(10).keys()))
  assert.deepEqual(await playScenarios(documents, { rounds: 2 }), sessions)
})

test('what the simulation knows and what the cascade says are described by category, with the order of each', () => {
  const [observed, modelled] = scenarioChains(sessions)
  assert.deepEqual([observed?.target, modelled?.target], ['observed', 'modelled'])
  const violations = (report: typeof observed, name: string) =>
    report?.described[0]?.categories.find(({ category }) => category === name)?.violations
  const leaks = sessions.filter(({ steps }) => steps.some((step) => step.leaks)).length
  const called = sessions.filter(({ steps }) => steps.some((step) => step.level === 4)).length
  assert.deepEqual([violations(observed, 'aggregate'), violations(modelled, 'aggregate')], [leaks, called])
  assert.ok(leaks > 0 && called > 0)
  for (const { described } of [observed ?? assert.fail(), modelled ?? assert.fail()])
    for (const { categories } of described)
      for (const { sessions: n, orders, nextState, figures } of categories) {
        assert.equal(n % 20, 0)
        assert.ok(orders.length === 3 && nextState.length === 3 && figures.ahead.length === 10)
        for (const { correct, transitions } of nextState) assert.ok(transitions > 0 && correct <= transitions)
      }
})
