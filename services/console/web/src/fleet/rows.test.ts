import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HELD_MAX, compareRisk, isShown, withBatch } from './rows.js'
import { sampleRow as row } from '../api/sample-row.js'

test('the session most at risk comes first', () => {
  const rows = [
    row('ended', { ended: true, openQuestions: 1, probability: 1 }),
    row('calm', { probability: 0.1 }),
    row('likely', { probability: 0.4 }),
    row('band', { band: 2, probability: 0.3 }),
    row('critical', { level: 'critical' }),
    row('violated', { violations: 1 }),
    row('asks', { openQuestions: 1 }),
  ]
  assert.deepEqual(
    rows.sort(compareRisk).map(({ id }) => id),
    ['asks', 'violated', 'critical', 'band', 'likely', 'calm', 'ended'],
  )
})

test('a filter lets through what it names', () => {
  const blocked = row('a', {
    agent: 'bot',
    level: 'mild',
    verdicts: { allow: 0, warn: 0, confirm: 0, block: 1 },
  })
  assert.ok(isShown(blocked, { ended: false, agent: 'bot', level: 'mild', verdict: 'block' }))
  assert.ok(!isShown(blocked, { ended: false, verdict: 'confirm' }))
  assert.ok(!isShown(blocked, { ended: false, tenant: 'other' }))
  assert.ok(!isShown(row('b', { ended: true }), { ended: false }))
})

test('the page holds a bounded number of rows, and drops the least at risk', () => {
  const many = new Map(
    Array.from({ length: HELD_MAX }, (_, at) => [`s${at}`, row(`s${at}`, { ended: at === 7 })]),
  )
  const held = withBatch(many, new Map([['new', row('new', { band: 3 })]]))
  assert.equal(held.size, HELD_MAX)
  assert.ok(held.has('new'))
  assert.ok(!held.has('s7'))
})
