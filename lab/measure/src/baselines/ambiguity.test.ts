import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reason, Verdict } from '@plimsoll/contracts'
import { defaultDocuments } from '@plimsoll/policy'
import { type ReadStep, ambiguitiesOf } from './ambiguity.js'
import { createTraceScorer } from './model-method.js'

const documents = await defaultDocuments()
const scoreTrace = createTraceScorer(documents)
const scoreWithoutFingerprints = createTraceScorer(documents, { without: ['provenance'] })

type Call = readonly [tool: string, args: Record<string, unknown>, result?: string]

const traceOf = (task: string, calls: readonly Call[]) => ({
  task,
  category: 'sample',
  steps: calls.map(([tool, args, result = 'ok']) => ({ tool, args, result, error: false })),
})

const mailTo = (to: string): Call => ['send_email', { recipients: [to], subject: 'summary', body: 'hello' }]
const CARD: Call = ['get_unread_emails', {}, 'The card 4111 1111 1111 1111 and the password: hunter2secret!']

/** The reasons of the last call. */
const CASES: readonly [title: string, task: string, calls: readonly Call[], expected: readonly string[]][] = [
  ['a file that is read', 'Read notes.txt', [['read_file', { path: '/srv/other.txt' }]], []],
  ['a command that is understood', 'List the files', [['bash', { command: 'ls -la' }]], []],
  ['a recipient of the task', 'Send the summary to ann@example.org', [mailTo('ann@example.org')], []],
  ['a recipient of nowhere', 'Send the summary', [mailTo('eve@example.net')], ['unseen_values']],
  [
    'code that no reader understands',
    'Go',
    [['bash', { command: 'eval "$(cat x)"' }]],
    ['code_not_understood'],
  ],
  [
    'code after sensitive data',
    'Read the mail',
    [CARD, ['bash', { command: 'eval "$(cat x)"' }]],
    ['code_not_understood', 'evidence_unknown'],
  ],
  ['a tool that nobody labels', 'Go', [['zorp', {}]], ['code_not_understood', 'stand_in_labels']],
  ['such a tool that only reads, by its name', 'Go', [['get_zorp', {}]], []],
  ['a step that is blocked', 'Clean up', [['bash', { command: 'rm -rf / --no-preserve-root' }]], []],
]

for (const [title, task, calls, expected] of CASES)
  test(`ambiguous: ${title}`, () => {
    assert.deepEqual(scoreTrace(traceOf(task, calls)).at(-1)?.ambiguity, expected)
  })

test('without fingerprints each changing step is ambiguous, and no read', () => {
  const steps = scoreWithoutFingerprints(
    traceOf('Send the summary to ann@example.org', [['read_file', { path: 'a' }], mailTo('ann@example.org')]),
  )
  assert.deepEqual(
    steps.map(({ ambiguity }) => ambiguity),
    [[], ['incomplete_report']],
  )
})

test('a warning is ambiguous, an answer that stops or allows is not', () => {
  const labels = { exposure: 0, escalation: 1, reversibility: 1, untrusted: false }
  const step: ReadStep = { labels, lineEvidence: 'absent', matches: [], signals: { complete: 1 } }
  const hazard = (verdict: Verdict): Reason => ({
    source: 'hazard',
    code: 'step_hazard',
    verdict,
    message: '',
  })
  for (const [verdict, expected] of [
    ['allow', []],
    ['warn', ['warned']],
    ['confirm', []],
    ['block', []],
  ] as const)
    assert.deepEqual(ambiguitiesOf(step, { verdict, reasons: [hazard(verdict)] }), expected, verdict)
  const cut = { ...step, signals: { partial: 1 } }
  assert.deepEqual(ambiguitiesOf(cut, { verdict: 'allow', reasons: [] }), ['incomplete_report'])
})
