import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exposureOf, reversibilityOf } from '../labels/safety-state.js'
import { codesOf, createSampleSession, sampleChain, sampleRules } from '../testing.js'

/** P(h) by the step's reversibility alone, so that it can fall again. */
const wavering = (values: readonly number[]) =>
  sampleRules({ chain: sampleChain({ probability: (s) => values[reversibilityOf(s)] ?? 0 }) })

test('the forward risk acts on crossings upward only', () => {
  const session = createSampleSession({ rules: wavering([0.1, 0.6, 0.6]) })
  const first = session.propose('write_file')
  assert.deepEqual([first.decision?.verdict, codesOf(first)], ['warn', ['forward:band_2']])
  assert.equal(session.state.band, 2)
  assert.deepEqual(codesOf(session.propose('write_file')), [])
  assert.deepEqual(codesOf(session.propose('run_code')), [])
  assert.deepEqual(codesOf(session.propose('read_file')), [])
  assert.equal(session.state.band, 0)
  assert.deepEqual(codesOf(session.propose('write_file')), ['forward:band_2'])
})

test('within the hysteresis a band is kept, so that no approval is requested again', () => {
  const session = createSampleSession({ rules: wavering([0.46, 0.52, 0.7]) })
  assert.deepEqual(codesOf(session.propose('write_file')), ['forward:band_2'])
  assert.deepEqual(codesOf(session.propose('read_file')), [])
  assert.equal(session.state.band, 2)
  assert.deepEqual(codesOf(session.propose('write_file')), [])
  const third = session.propose('send_email')
  assert.deepEqual([third.decision?.verdict, codesOf(third)], ['confirm', ['forward:band_3']])
})

test('a pending step keeps the band; an approved one is not confirmed again', () => {
  const session = createSampleSession({ rules: wavering([0.1, 0.1, 0.8]) })
  const asked = session.propose('send_email')
  assert.equal(asked.decision?.verdict, 'confirm')
  assert.equal(session.state.band, 0)
  assert.equal(session.propose('send_email').decision?.verdict, 'confirm')
  session.approve(asked.decision?.id ?? '')
  assert.equal(session.state.band, 3)
  assert.equal(session.propose('send_email').decision?.verdict, 'allow')
})

test('a band reached by a completion is reported at the next step', () => {
  const chain = sampleChain({ probability: (s) => (exposureOf(s) >= 3 ? 0.6 : 0) })
  const session = createSampleSession({ rules: sampleRules({ chain }) })
  session.propose('read_file')
  session.complete('c1', { labels: { confidentiality: 'sensitive' } })
  assert.equal(session.state.band, 0)
  assert.deepEqual(codesOf(session.propose('read_public')), ['forward:band_2'])
})

test('the message tells when a violation is to be expected, and that there is no return', () => {
  const messageAt = (noReturn: number) => {
    const chain = sampleChain({ probability: () => 0.6, noReturn: () => noReturn })
    const { decision } = createSampleSession({ rules: sampleRules({ chain }) }).propose('write_file')
    return decision?.reasons.find(({ source }) => source === 'forward')?.message ?? ''
  }
  const average = 'the violation came 3.0 steps later on average'
  assert.ok(messageAt(0).endsWith(average))
  assert.ok(
    messageAt(2).endsWith(
      `${average}; a point of no return: a violation within the next 2 steps is more likely than not`,
    ),
  )
  assert.match(messageAt(1), /within the next step is more likely/)
})
