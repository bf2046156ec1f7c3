import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Evidence, type Verdict, EVIDENCES, VERDICTS } from '@plimsoll/contracts'
import { safetyState } from '../../labels/safety-state.js'
import { ESCALATIONS, EXPOSURES, REVERSIBILITIES } from '../../labels/words.js'
import { NO_SOURCES, blinded } from '../../provenance/sources.js'
import { lineReason } from './line.js'
import type { LineStep } from './line-message.js'
import type { Outlet } from './outlet.js'
import { matchesOf } from './testing.js'

const LABELS = { exposure: 0, escalation: 0, reversibility: 0, untrusted: false }
const labelsOf = (escalation: string, reversibility = 'reversible', exposure = 'none') => ({
  ...LABELS,
  escalation: ESCALATIONS.findIndex((each) => each === escalation),
  reversibility: REVERSIBILITIES.findIndex((each) => each === reversibility),
  exposure: EXPOSURES.findIndex((each) => each === exposure),
})
const stateOf = (exposure = 'sensitive', bits: Partial<LineStep['state']> = {}): LineStep['state'] => ({
  safety: safetyState(
    EXPOSURES.findIndex((each) => each === exposure),
    0,
    0,
  ),
  held: false,
  codeWritten: false,
  secretWritten: false,
  sources: NO_SOURCES,
  calls: [],
  ...bits,
})

const LINE = { present: 'block', absent: 'warn', unknown: 'confirm' } as const
const COMPLETE = { complete: 1 }
/** A step of each outlet, and what its reasons are called. */
const STEPS: Readonly<Record<Outlet, Pick<LineStep, 'labels' | 'signals'> & { readonly code: string }>> = {
  sends: { labels: labelsOf('network', 'irreversible'), signals: COMPLETE, code: 'outgoing_after_sensitive' },
  request: { labels: labelsOf('network'), signals: COMPLETE, code: 'outgoing_after_sensitive' },
  code: { labels: labelsOf('code_exec'), signals: undefined, code: 'unknown_code_after_sensitive' },
}
const OUTLETS = ['sends', 'request', 'code'] as const

type Change = Partial<LineStep> & { readonly line?: Readonly<Record<Evidence, Verdict>> }

function judged(outlet: Outlet, evidence: Evidence, { line = LINE, ...change }: Change = {}) {
  const { labels, signals } = STEPS[outlet]
  const reason = lineReason({
    labels,
    signals,
    state: stateOf(),
    lineEvidence: evidence,
    matches: undefined,
    rules: { line },
    ...change,
  })
  return reason && [reason.code, reason.verdict]
}

test('judges a send by the policy, other steps only if their evidence is unknown or present', () => {
  const outside = (name: string, share = 1) => ({ signals: { complete: 1, [name]: share } })
  const rows: [Outlet, Evidence, Change, ReturnType<typeof judged>][] = [
    ...EVIDENCES.map((evidence): [Outlet, Evidence, Change, string[]] => [
      'sends',
      evidence,
      {},
      ['outgoing_after_sensitive', LINE[evidence]],
    ]),
    ['request', 'present', {}, ['outgoing_after_sensitive', 'block']],
    ['request', 'absent', {}, undefined],
    ['request', 'absent', outside('outside'), undefined],
    ['request', 'unknown', {}, undefined],
    ['request', 'unknown', { signals: undefined }, undefined],
    ['request', 'unknown', { signals: { outside: 0, external: 0 } }, undefined],
    ['request', 'unknown', outside('outside'), ['outgoing_after_sensitive', 'confirm']],
    ['request', 'unknown', outside('outside', 0.01), ['outgoing_after_sensitive', 'confirm']],
    ['request', 'unknown', outside('external', 0.01), ['outgoing_after_sensitive', 'confirm']],
    ['request', 'present', { signals: { outside: 0 } }, undefined],
    [
      'request',
      'present',
      { signals: { outside: 0, strangers: 0.5 } },
      ['outgoing_after_sensitive', 'block'],
    ],
    ['code', 'present', {}, ['unknown_code_after_sensitive', 'block']],
    ['code', 'absent', {}, ['unknown_code_after_sensitive', 'confirm']],
    ['code', 'unknown', {}, ['unknown_code_after_sensitive', 'confirm']],
  ]
  for (const [outlet, evidence, change, expected] of rows)
    assert.deepEqual(
      judged(outlet, evidence, change),
      expected,
      `${outlet} ${evidence} ${JSON.stringify(change)}`,
    )
})

test('records that go to strangers leave, unless the task names them', () => {
  const strangers = { signals: { strangers: 1, records: 1 } }
  const named = matchesOf({ target: { total: 1, task: 1 }, reference: { total: 1 } })
  const other = matchesOf({ target: { total: 2, task: 1 }, reference: { total: 1 } })
  assert.deepEqual(judged('request', 'unknown', strangers), ['outgoing_after_sensitive', 'confirm'])
  assert.deepEqual(judged('request', 'unknown', { ...strangers, matches: other }), [
    'outgoing_after_sensitive',
    'confirm',
  ])
  assert.equal(judged('request', 'unknown', { ...strangers, matches: named }), undefined)
})

test('the policy sets the verdict of each evidence', () => {
  for (const verdict of VERDICTS)
    for (const outlet of OUTLETS)
      for (const evidence of ['present', 'unknown'] as const) {
        const line = { present: verdict, absent: verdict, unknown: verdict }
        const change = { line, ...(outlet === 'request' && { signals: { outside: 1 } }) }
        assert.deepEqual(judged(outlet, evidence, change), [STEPS[outlet].code, verdict])
      }
})

test('counts sensitive data read by the session before, or by the step itself', () => {
  for (const [before, own, isAtStake] of [
    ['none', 'none', false],
    ['internal', 'public', false],
    ['internal', 'internal', false],
    ['sensitive', 'none', true],
    ['credentials', 'none', true],
    ['none', 'sensitive', true],
    ['internal', 'credentials', true],
  ] as const)
    for (const outlet of OUTLETS) {
      const { labels, code } = STEPS[outlet]
      const raised = { ...labels, exposure: EXPOSURES.indexOf(own) }
      assert.deepEqual(
        judged(outlet, 'present', { state: stateOf(before), labels: raised }),
        isAtStake ? [code, 'block'] : undefined,
        `${outlet}: ${before}, then ${own}`,
      )
    }
})

test('a held session confirms every step that may send, whatever the evidence', () => {
  for (const verdict of VERDICTS)
    for (const outlet of OUTLETS)
      for (const evidence of EVIDENCES)
        for (const exposure of ['none', 'sensitive']) {
          const line = { present: verdict, absent: verdict, unknown: verdict }
          const found = judged(outlet, evidence, { line, state: stateOf(exposure, { held: true }) })
          const isHarsher = verdict === 'block' && (outlet !== 'request' || evidence === 'present')
          const where = `${outlet} ${evidence} ${verdict} ${exposure}`
          if (isHarsher) assert.deepEqual(found, [STEPS[outlet].code, 'block'], where)
          else assert.equal(found?.[1], 'confirm', where)
          if (verdict === 'allow' || verdict === 'warn')
            assert.equal(found?.[0], 'outgoing_after_blocked', where)
        }
})

test('a held session runs steps that cannot send', () => {
  const state = stateOf('credentials', { held: true })
  for (const labels of [labelsOf('read_only'), labelsOf('file_write', 'irreversible')])
    assert.equal(judged('sends', 'present', { labels, state }), undefined)
  assert.equal(judged('code', 'present', { signals: COMPLETE, state }), undefined)
})

test("a project's own targets are code whose effect is not known once the session has written some", () => {
  const signals = { complete: 1, runner: 1 }
  assert.equal(judged('code', 'unknown', { signals }), undefined)
  assert.deepEqual(
    judged('code', 'unknown', { signals, state: stateOf('sensitive', { codeWritten: true }) }),
    ['unknown_code_after_sensitive', 'confirm'],
  )
  assert.deepEqual(
    judged('code', 'absent', { signals, state: stateOf('sensitive', { codeWritten: true }) }),
    ['unknown_code_after_sensitive', 'confirm'],
    'none of the data stands in `make test`, whatever the target does',
  )
  assert.equal(
    judged('code', 'unknown', { signals, state: stateOf('none', { codeWritten: true }) }),
    undefined,
  )
})

test('the message names the evidence', () => {
  const messageOf = (outlet: Outlet, evidence: Evidence) => {
    const { labels } = STEPS[outlet]
    const signals = outlet === 'request' ? { outside: 1 } : undefined
    return (
      lineReason({
        labels,
        signals,
        state: stateOf(),
        lineEvidence: evidence,
        matches: undefined,
        rules: { line: LINE },
      })?.message ?? ''
    )
  }
  const messages = OUTLETS.flatMap((outlet) => EVIDENCES.map((evidence) => messageOf(outlet, evidence)))
  // Of a request that holds none of it nothing is said; of a program it is never known.
  assert.equal(messageOf('request', 'absent'), '')
  assert.equal(messageOf('code', 'absent'), messageOf('code', 'unknown'))
  // A request and a send say the same where it is not known.
  assert.equal(new Set(messages).size, 7)
  for (const outlet of OUTLETS) {
    assert.match(messageOf(outlet, 'present'), /carries|is given/)
    assert.match(messageOf(outlet, 'unknown'), /may send|cannot all be read/)
  }
})

test('contained code has no outlet, also in a held session; what is seen to reach out has', () => {
  const contained = {
    signals: { contained: 1, runner: 1 },
    state: stateOf('sensitive', { held: true, codeWritten: true }),
  }
  assert.equal(judged('code', 'present', contained), undefined)
  assert.deepEqual(judged('sends', 'unknown', contained), ['outgoing_after_sensitive', 'confirm'])
  assert.notEqual(judged('request', 'present', contained), undefined)
})

test('the reason says in at most 14 words what leaves, and why that is not known', () => {
  const said = (outlet: Outlet, evidence: Evidence, change: Change = {}): string => {
    const { labels, signals } = STEPS[outlet]
    const step = {
      labels,
      signals,
      state: stateOf(),
      lineEvidence: evidence,
      matches: undefined,
      rules: { line: LINE },
    }
    return lineReason({ ...step, ...change })?.message ?? ''
  }
  const external = { ...COMPLETE, external: 1 }
  const read = matchesOf({ name: { total: 1, sensitiveOnly: 1 } })
  const none = matchesOf({ name: { total: 1 } })
  for (const [change, cause] of [
    [{ signals: { ...external, records: 1 } }, 'file or record'],
    [{ signals: { external: 1 } }, 'cannot all be read'],
    [{ signals: { ...external, partial: 1 } }, 'cannot all be read'],
    [{ signals: external, matches: read }, 'stand in sensitive data'],
    [{ signals: external, matches: none }, 'nobody named'],
    [
      { signals: external, matches: none, state: stateOf('sensitive', { sources: blinded(NO_SOURCES) }) },
      'remembered',
    ],
    [
      { signals: external, state: stateOf('none'), labels: labelsOf('network', 'irreversible', 'sensitive') },
      'reads itself',
    ],
    [{ signals: { ...external, pushes: 1 } }, 'session changed'],
  ] as const) {
    const message = said('sends', 'unknown', change)
    assert.ok(message.includes(cause), `${cause}: ${message}`)
    assert.ok(message.split(' ').length <= 14, message)
  }
  for (const outlet of OUTLETS)
    for (const evidence of EVIDENCES)
      assert.ok(said(outlet, evidence, { signals: { external: 1 } }).split(' ').length <= 14)
})
