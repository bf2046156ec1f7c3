import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type EventOf, PlimsollError, createSaltedDigest } from '@plimsoll/contracts'
import { assertSeen, stepArguments } from './approve.js'

type Proposal = EventOf<'step.proposed'>

const digest = createSaltedDigest('a key that stays with the client')
const VALUES = { to: 'ann@example.com', amount: 12 }
const { digest: argumentsDigest, salt: argumentsSalt } = digest(VALUES)

const proposal = (reported: Pick<Proposal, 'arguments' | 'argumentsSalt'>): Proposal => ({
  schema: 1,
  id: 'e',
  sessionId: 's',
  producer: 'host-7',
  seq: 1,
  time: 0,
  type: 'step.proposed',
  callId: 'c',
  tool: 'send_money',
  argumentsDigest,
  ...reported,
})

const WHOLE = proposal({ arguments: VALUES, argumentsSalt })
const FORGED = proposal({ arguments: { ...VALUES, to: 'eve@example.org' }, argumentsSalt })

const nested = (): unknown => {
  let value: unknown = 1
  for (let i = 0; i < 100_000; i++) value = [value]
  return value
}

describe('what can be shown of the arguments', () => {
  test('all, if their digest is approved', () => {
    assert.deepEqual(stepArguments([WHOLE]), { isWhole: true, values: VALUES })
  })

  test('the true arguments, despite forged proposals of the same step', () => {
    assert.deepEqual(stepArguments([FORGED, WHOLE]), { isWhole: true, values: VALUES })
  })

  test('an argument `null` is shown only if the step has it', () => {
    const reported = { arguments: { ...VALUES, cc: null }, argumentsSalt }
    assert.deepEqual(stepArguments([proposal(reported)]), { isWhole: true, values: VALUES })
    const salted = digest({ ...VALUES, cc: null })
    const other = { ...proposal(reported), argumentsDigest: salted.digest, argumentsSalt: salted.salt }
    assert.deepEqual(stepArguments([other]), { isWhole: true, values: { ...VALUES, cc: null } })
  })

  const refusals: readonly (readonly [string, readonly Proposal[], RegExp, shown: object | undefined])[] = [
    ['no proposal', [], /not in the log.* with its host/, undefined],
    ['nothing disclosed', [proposal({})], /none is disclosed.*`host-7`/, undefined],
    [
      'some disclosed',
      [proposal({ arguments: { to: 'ann@example.com' } })],
      /disclosed in part/,
      { to: 'ann@example.com' },
    ],
    ['all disclosed, but nothing proves it', [proposal({ arguments: VALUES })], /nothing proves/, VALUES],
    ['others than the step has', [FORGED], /not those of the step/, undefined],
    [
      'two that differ',
      [proposal({ arguments: { to: 'ann' } }), proposal({ arguments: { to: 'eve' } })],
      /not those of the step/,
      undefined,
    ],
    [
      'lists in each other without end',
      [proposal({ arguments: { to: nested() }, argumentsSalt }), proposal({ arguments: { to: nested() } })],
      /not those of the step/,
      undefined,
    ],
  ]
  for (const [name, proposals, message, shown] of refusals)
    test(`refused: ${name}`, () => {
      const reported = stepArguments(proposals)
      assert.equal(reported.isWhole, false)
      assert.deepEqual(reported.values, shown)
      assert.throws(
        () => assertSeen('send_money', reported),
        (error) =>
          error instanceof PlimsollError &&
          error.code === 'arguments_unseen' &&
          message.test(error.message) &&
          error.message.includes("disclose: [{ tools: ['send_money'], arguments: ['*'] }]"),
      )
    })
})
