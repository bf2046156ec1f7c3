import assert from 'node:assert/strict'
import { test } from 'node:test'
import { REASON_SOURCES } from '@plimsoll/contracts'
import type { Observed, ObservedReason } from '@plimsoll/operations'
import { observedText, settlementOf } from './observed.js'

const reason = (more: Partial<ObservedReason>): ObservedReason => ({
  source: 'unlabelled',
  code: 'tool_unlabelled',
  verdict: 'confirm',
  steps: 1,
  message: 'no catalogue labels the tool `delete_page`',
  ...more,
})

const SETTLEMENTS: readonly (readonly [Partial<ObservedReason>, RegExp])[] = [
  [{}, /- \{ tools: \["delete_page"\], labels: \{ capability: write, .*reversibility: irreversible \} \}/],
  [{ source: 'line', verdict: 'block' }, /`line.present: confirm`/],
  [{ source: 'line', verdict: 'confirm' }, /`line.unknown: warn`/],
  [{ source: 'integrity', code: 'directed_by_untrusted' }, /`integrity.untrusted`/],
  [{ source: 'integrity', code: 'directed_by_instructions' }, /`integrity.instructed`/],
  [{ source: 'irreversible' }, /report the task.*`irreversible: warn`/],
  [{ source: 'blocklist', code: 'no-purge' }, /the spec `no-purge`/],
  [{ source: 'confirmation', code: 'ask' }, /`lifts: \[confirmation\]`/],
]
for (const [given, expected] of SETTLEMENTS)
  test(`names what settles ${JSON.stringify(given)}`, () =>
    assert.match(settlementOf('delete_page', reason(given)), expected))

test('every source of reasons has its settlement', () => {
  for (const source of REASON_SOURCES) assert.notEqual(settlementOf('x', reason({ source })), '', source)
})

const OBSERVED: Observed = {
  mode: 'observe',
  steps: 8,
  sessions: 4,
  asked: 3,
  blocked: 1,
  askedSessions: 2,
  blockedSessions: 1,
  otherMode: 5,
  fromMs: 0,
  toMs: 86_400_000,
  tools: [
    {
      tool: 'delete_page\u001b[2J',
      steps: 4,
      asked: 3,
      blocked: 1,
      appealedAllow: 2,
      appealedBlock: 0,
      sessions: 2,
      reasons: [reason({ steps: 4 })],
    },
  ],
}

test('shows shares of steps and sessions, by tool, harmless to a terminal', () => {
  const text = observedText(OBSERVED, 20)
  for (const line of [
    '8 steps of 4 sessions, 1970-01-01T00:00:00.000Z to 1970-01-02T00:00:00.000Z',
    'would have been blocked: 1 of 8 steps (12.5%), in 1 of 4 sessions (25.0%)',
    'would have been asked about: 3 of 8 steps (37.5%), in 2 of 4 sessions (50.0%)',
    'delete_page\\u{1b}[2J: 3 asked, 1 blocked of 4 steps, in 2 of 4 sessions (50.0%); appealed: 2 for nothing',
    '5 decisions of mode enforce are left out: `--mode enforce`',
  ])
    assert.ok(text.split('\n').includes(line), `${line}\n${text}`)
  assert.match(text, /4 {2}confirm {2}unlabelled tool_unlabelled: no catalogue/)
  assert.match(observedText(OBSERVED, 0), /1 more tools: `--limit`/)
  assert.match(
    observedText({ ...OBSERVED, steps: 0, fromMs: undefined }, 1),
    /^no steps of mode observe\n5 dec/,
  )
})

test('suggests a world where most questions are about code that may send', () => {
  const [tool] = OBSERVED.tools
  assert.ok(tool)
  const about = (steps: number) => ({
    ...OBSERVED,
    tools: [{ ...tool, reasons: [reason({ source: 'line', code: 'unknown_code_after_sensitive', steps })] }],
  })
  assert.match(observedText(about(3), 20), /`world: \{ network: none \}`/)
  assert.doesNotMatch(observedText(about(2), 20), /world:/)
})
