import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINE_VERSION } from '@plimsoll/engine'
import type { EngineDiff } from '@plimsoll/measure'
import { upgradeText } from './upgrade.js'

const READ = {
  leftOut: { unpinned: 2, moved: 0, withoutStart: 1 },
  records: 40,
  unread: 1,
  notKept: 0,
}
const SAME: EngineDiff = {
  engine: '4',
  sessions: 3,
  steps: 12,
  changed: { steps: 0, sessions: 0 },
  otherReasons: 2,
  verdicts: [],
  examples: [],
}

test('says that no verdict would change, and what was not compared', () => {
  const [head, line] = upgradeText({ ...READ, engines: [SAME] }).split('\n')
  assert.ok(
    head?.startsWith(`new: engine ${ENGINE_VERSION}; 40 records (1 not read); left out: 3 decided steps (2 `),
  )
  assert.equal(
    line,
    'decided by engine 4: no verdict would change: 12 steps of 3 sessions; 2 for other reasons',
  )
})

test('names changed verdicts with their codes, harmless to a terminal', () => {
  const changed: EngineDiff = {
    ...SAME,
    changed: { steps: 1, sessions: 1 },
    verdicts: [{ from: 'allow', to: 'block', steps: 1 }],
    examples: [
      {
        session: 's1',
        step: 3,
        tool: 'send\u202e',
        from: { verdict: 'allow', reasons: [] },
        to: { verdict: 'block', reasons: [{ source: 'line', code: 'outgoing', verdict: 'block' }] },
      },
    ],
  }
  assert.deepEqual(
    upgradeText({ ...READ, engines: [changed] })
      .split('\n')
      .slice(1),
    [
      'decided by engine 4: 1 of 12 steps would get another verdict, in 1 of 3 sessions; 2 more would get the same verdict for other reasons',
      '  allow → block: 1',
      String.raw`  s1, step 3, send\u{202e}: allow → block`,
      '    recorded: no reasons',
      '    now: line outgoing (block)',
      '',
    ],
  )
})

test('says that there is nothing to compare', () => {
  assert.match(upgradeText({ ...READ, engines: [] }), /\nno recorded decisions to compare\n$/)
})
