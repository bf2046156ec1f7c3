import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Reason, Verdict } from '@plimsoll/contracts'
import { type Cause, type ChangeKind, type Judged, changeOf, hasOtherReasons } from './verdict-change.js'

const reason = (source: Reason['source'], code: string, verdict: Verdict, liftedBy?: string): Reason => ({
  source,
  code,
  verdict,
  message: 'so it says',
  ...(liftedBy !== undefined && { liftedBy }),
})
const judged = (verdict: Verdict, ...reasons: Reason[]): Judged => ({ verdict, reasons })

const HAZARD = reason('hazard', 'step_hazard', 'confirm')
const LIFTED = reason('hazard', 'step_hazard', 'confirm', 'trusted')
const MAIL = reason('blocklist', 'mail', 'block')

const CASES: readonly (readonly [
  what: string,
  old: Judged,
  candidate: Judged,
  expected: { kind: ChangeKind; causes: Cause[] } | undefined,
])[] = [
  ['the same', judged('confirm', HAZARD), judged('confirm', HAZARD), undefined],
  ['the same verdict for another reason', judged('confirm', HAZARD), judged('confirm', MAIL), undefined],
  [
    'a spec that speaks',
    judged('confirm', HAZARD),
    judged('block', HAZARD, MAIL),
    { kind: 'blocked', causes: [{ source: 'blocklist', code: 'mail', how: 'speaks' }] },
  ],
  [
    'a source that is more severe',
    judged('warn', reason('hazard', 'step_hazard', 'warn')),
    judged('confirm', HAZARD),
    { kind: 'asked', causes: [{ source: 'hazard', code: 'step_hazard', how: 'harsher' }] },
  ],
  [
    'a spec that lifts no more',
    judged('allow', LIFTED),
    judged('confirm', HAZARD),
    { kind: 'asked', causes: [{ source: 'allowlist', code: 'trusted', how: 'lifts_no_more' }] },
  ],
  [
    'a spec that lifts',
    judged('confirm', HAZARD),
    judged('allow', LIFTED),
    { kind: 'eased', causes: [{ source: 'allowlist', code: 'trusted', how: 'lifts' }] },
  ],
  [
    'a spec that is gone, and a source that stays milder',
    judged('block', MAIL, reason('line', 'outgoing', 'block')),
    judged('confirm', reason('line', 'outgoing', 'confirm')),
    {
      kind: 'eased',
      causes: [
        { source: 'blocklist', code: 'mail', how: 'silent' },
        { source: 'line', code: 'outgoing', how: 'milder' },
      ],
    },
  ],
  [
    'a warning',
    judged('allow'),
    judged('warn', reason('confirmation', 'soft', 'warn')),
    { kind: 'warned', causes: [{ source: 'confirmation', code: 'soft', how: 'speaks' }] },
  ],
]

describe('the change of a verdict', () => {
  for (const [what, old, candidate, expected] of CASES)
    test(what, () => assert.deepEqual(changeOf(old, candidate), expected))

  test('detects other reasons for the same verdict', () => {
    assert.equal(hasOtherReasons(judged('confirm', HAZARD), judged('confirm', MAIL)), true)
    assert.equal(hasOtherReasons(judged('confirm', HAZARD, LIFTED), judged('confirm', LIFTED, HAZARD)), false)
    assert.equal(hasOtherReasons(judged('allow'), judged('block', MAIL)), false)
  })
})
