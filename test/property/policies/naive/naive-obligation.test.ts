import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Spec } from '@plimsoll/contracts'
import { answerTo, CATALOGUE, happeningsOf, policyOf, type Case } from '../hand-made.js'
import { naiveOwed } from './naive-policy.js'

const OWE: Spec = {
  id: 'owe',
  tier: 'mustlist',
  tools: ['look'],
  followedBy: { step: { tools: ['send'] }, within: { steps: 2 } },
}
const NEEDS: Spec = {
  id: 'needs',
  tier: 'mustlist',
  tools: ['pay'],
  requires: { tools: ['look'], within: { steps: 2 } },
}

const CASES: readonly Case[] = [
  { name: 'a required step is missing', specs: [NEEDS], past: [], tool: 'pay', expect: ['needs block'] },
  {
    name: 'a required step is in flight',
    specs: [NEEDS],
    past: ['ran 1 look', 'ran 2 send'],
    tool: 'pay',
    expect: ['needs block', '1'],
  },
  { name: 'a required step is done', specs: [NEEDS], past: ['ran 1 look', 'ok 1'], tool: 'pay', expect: [] },
  {
    name: 'the window of a required step starts at its completion',
    specs: [NEEDS],
    past: ['ran 1 look', 'ran 2 send', 'ran 3 send', 'ok 1'],
    tool: 'pay',
    expect: [],
  },
  {
    name: 'a required step was done too long ago',
    specs: [NEEDS],
    past: ['ran 1 look', 'ok 1', 'ran 2 send', 'ran 3 send'],
    tool: 'pay',
    expect: ['needs block'],
  },
  { name: 'an obligation in time', specs: [OWE], past: ['ran 1 look'], tool: 'pay', expect: [] },
  {
    name: 'an overdue obligation',
    specs: [OWE],
    past: ['ran 1 look', 'ran 2 pay'],
    tool: 'read',
    expect: ['owe block'],
  },
  {
    name: 'a fulfilling step is not refused',
    specs: [OWE],
    past: ['ran 1 look', 'ran 2 pay'],
    tool: 'send',
    expect: [],
  },
  {
    name: 'a fulfilling step in flight is waited for',
    specs: [OWE],
    past: ['ran 1 look', 'ran 2 send'],
    tool: 'read',
    expect: ['owe block', '2'],
  },
  {
    name: 'a fulfilled obligation',
    specs: [OWE],
    past: ['ran 1 look', 'ran 2 send', 'ok 2', 'ran 3 pay'],
    tool: 'read',
    expect: [],
  },
  {
    name: 'fulfilled before it arose',
    specs: [OWE],
    past: ['ran 2 send', 'ran 1 look', 'ok 2', 'ran 3 pay'],
    tool: 'read',
    expect: ['owe block'],
  },
  {
    name: 'only the first of two obligations is fulfilled',
    specs: [OWE],
    past: ['ran 1 look', 'ran 2 send', 'ran 3 look', 'ok 2'],
    tool: 'pay',
    expect: ['owe block'],
  },
  {
    name: 'a blocked fulfilling step gives an exit',
    specs: [OWE],
    past: ['ran 1 look', 'ran 2 pay', 'blocked send'],
    tool: 'read',
    expect: ['owe confirm'],
  },
  {
    name: 'a fulfilling step refused as not ready gives no exit',
    specs: [OWE],
    past: ['ran 1 look', 'ran 2 pay', 'refused send'],
    tool: 'read',
    expect: ['owe block'],
  },
  {
    name: 'no exit from a block before the obligation',
    specs: [OWE],
    past: ['blocked send', 'ran 1 look', 'ran 2 pay'],
    tool: 'read',
    expect: ['owe block'],
  },
  {
    name: 'blocked proposals count',
    specs: [{ ...OWE, counts: 'proposals' }],
    past: ['ran 1 look', 'blocked pay'],
    tool: 'read',
    expect: ['owe block'],
  },
]

for (const each of CASES)
  test(`the interpreter: ${each.name}`, () => assert.deepEqual(answerTo(each), each.expect))

test('the interpreter: open obligations at the end', () => {
  const documents = { policy: policyOf([OWE], []), catalogue: CATALOGUE }
  const owed = (...past: string[]) => [...naiveOwed(documents, happeningsOf(past), 9000).keys()]
  assert.deepEqual(owed('ran 1 look'), ['owe'])
  assert.deepEqual(owed('ran 1 look', 'ran 2 send'), ['owe'])
  assert.deepEqual(owed('ran 1 look', 'ran 2 send', 'ok 2'), [])
})
