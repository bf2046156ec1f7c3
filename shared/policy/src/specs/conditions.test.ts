import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Spec, type SpecOf, specSchema } from '@plimsoll/contracts'
import {
  CONDITION_KEYS,
  type CONDITIONS,
  allHandled,
  cellsByCondition,
  countedIn,
  isConditional,
  isLeftOpen,
  isUnconditional,
} from './conditions.js'

const block = (conditions: object): Spec =>
  specSchema.parse({ id: 'no-mail', tier: 'blocklist', tools: ['send_email'], ...conditions })
const must = (conditions: object): Spec =>
  specSchema.parse({ id: 'review', tier: 'mustlist', tools: ['deploy'], ...conditions })

const step = { tools: ['read_file'] }
/** A spec for each condition. The type demands one for a new condition. */
const EXAMPLES = {
  after: block({ after: step }),
  before: block({ before: step }),
  between: block({ between: { from: step, to: step } }),
  atMost: block({ atMost: { times: 3, per: 'session' } }),
  sum: block({ sum: { of: 'args.amount', max: 10, per: { seconds: 60 } } }),
  distinct: block({ distinct: { of: 'args.to', max: 4, per: { steps: 8 } } }),
  fleet: block({ fleet: { sessions: 3, seconds: 60 } }),
  flow: block({ flow: { from: { ...step, within: { steps: 5 } }, to: step } }),
  requires: must({ requires: step }),
  followedBy: must({ followedBy: { step, within: 'session' } }),
} satisfies Record<keyof typeof CONDITIONS, Spec>

test('a spec with any condition is conditional, and keeps memory', () => {
  assert.deepEqual(Object.keys(EXAMPLES), CONDITION_KEYS)
  for (const [key, spec] of Object.entries(EXAMPLES)) {
    assert.ok(isConditional(spec) && !isUnconditional(spec), key)
    assert.deepEqual([...cellsByCondition(spec).keys()], [key])
    assert.ok(
      [...cellsByCondition(spec).values()].every((cells) => cells > 0),
      key,
    )
  }
  assert.ok(!isConditional(block({})) && isUnconditional(block({})))
})

test('no times at all is a condition that always holds', () => {
  const none = { atMost: { times: 0, per: 'session' } }
  assert.ok(isUnconditional(block(none)))
  assert.ok(isConditional(block(none)))
  assert.ok(!isUnconditional(block({ ...none, after: step })))
})

test('the verifier leaves open what counts arguments, other sessions, windows or many steps', () => {
  const open = Object.entries(EXAMPLES).flatMap(([key, spec]) => (isLeftOpen(spec) ? [key] : []))
  assert.deepEqual(open, ['sum', 'distinct', 'fleet'])
  for (const atMost of [
    { times: 17, per: 'session' },
    { times: 1, per: { steps: 4 } },
  ])
    assert.ok(isLeftOpen(block({ atMost })))
})

test('expressions are found where a condition counts', () => {
  const { sum, distinct, after } = EXAMPLES
  assert.deepEqual(
    [sum, distinct, after].map((spec) => countedIn(spec)),
    [
      [{ key: 'sum', kind: 'number', text: 'args.amount' }],
      [{ key: 'distinct', kind: 'values', text: 'args.to' }],
      [],
    ],
  )
})

test('a condition that is not handled does not compile', () => {
  const { requires: _, ...others }: Pick<SpecOf<'mustlist'>, 'requires' | 'followedBy'> = {}
  // @ts-expect-error: `followedBy` is left.
  allHandled(others)
})
