/** Files as others write them: sources, tools and categories that nobody has seen, and whatever may be missing. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { defaultDocuments } from '@plimsoll/policy'
import { evaluationPage } from './report/page.js'
import { evaluateFiles } from './evaluate-files.js'

const documents = await defaultDocuments()

interface Line {
  readonly trace_id: string
  readonly p1: number
  readonly p5: number
  readonly p5After: number
}

async function scored(t: TestContext, traces: readonly object[]) {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-odd-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [file, scores] = [join(folder, 'odd.jsonl'), join(folder, 'scores.jsonl')]
  writeFileSync(file, traces.map((trace) => `${JSON.stringify(trace)}\n`).join(''))
  const evaluation = await evaluateFiles({
    files: [file],
    documents,
    isModel: true,
    folds: undefined,
    group: 'suite',
    scores,
  })
  const lines = readFileSync(scores, 'utf8').trimEnd().split('\n')
  return { evaluation, lines: lines.map((line) => JSON.parse(line) as Line) }
}

const STEPS = [
  { i: 0, tool: 'ledger.open', args: { book: 'A' }, result: { rows: [1, 2, 3] } },
  { i: 1, tool: 'ledger.wire', args: { to: 'DE89 3704 0044 0532 0130 00' }, result: 'done' },
]

const ODD: Readonly<Record<string, object>> = {
  'no more than an id and tools': { trace_id: 'a', steps: [{ tool: 'x' }, { tool: 'y' }] },
  'null wherever it may be': {
    source: null,
    trace_id: 7,
    model: null,
    task: null,
    category_hint: null,
    suite: null,
    label: null,
    attack: null,
    tools_ref: null,
    split: null,
    attack_fold: null,
    task_fold: null,
    utility: null,
    steps: [{ i: null, tool: null, args: null, result: null, error: null, tainted: null, executed: null }],
  },
  'another source, with a category and a label of its own': {
    source: 'bank',
    trace_id: 'b',
    category_hint: `payments ${'and more '.repeat(20)}`,
    label: { unsafe: true, violation_step: 1, severity: 'high' },
    steps: STEPS,
  },
  'a violating step that is none of its steps': {
    trace_id: 'c',
    label: { unsafe: true, violation_step: -1 },
    steps: STEPS,
  },
  'arguments that are no object, errors in words': {
    trace_id: 'd',
    steps: [
      { tool: 'bash', args: 'rm -rf /', error: 'denied' },
      { tool: 'bash', args: ['ls'], error: { code: 1 } },
      { tool: 'bash', args: 3, error: '' },
    ],
  },
  'more folds than five': { trace_id: 'e', attack_fold: 9, task_fold: 7, steps: STEPS },
  'steps that are not numbered from 0': {
    trace_id: 'f',
    label: { unsafe: true, violation_step: 12 },
    steps: STEPS.map((step) => ({ ...step, i: step.i + 11 })),
  },
  'no steps': { trace_id: 'g', steps: [] },
}

for (const [what, trace] of Object.entries(ODD))
  test(`scored all the same: ${what}`, async (t) => {
    const whole = { ...ODD['no more than an id and tools'], trace_id: 'whole' }
    const { lines, evaluation } = await scored(t, [trace, whole])
    const { steps } = trace as { steps: readonly unknown[] }
    assert.equal(lines.length, steps.length + 2)
    for (const { p1, p5, p5After } of lines)
      for (const p of [p1, p5, p5After]) assert.ok(Number.isFinite(p) && p >= 0 && p <= 1)
    assert.ok(!evaluationPage(evaluation, '').includes('NaN'))
  })

test('thousands of steps are scored, and late ones take no longer than early ones', async (t) => {
  const steps = Array.from({ length: 3_000 }, (_, i) => ({
    i,
    tool: i % 3 === 0 ? 'send_email' : 'read_file',
    args: { path: `/srv/${i}.txt`, to: `p${i}@example.org` },
    result: `row ${i} of the report, sent to p${i + 1}@example.org`,
  }))
  const { lines } = await scored(t, [{ trace_id: 'long', task: 'Read all of it', steps }])
  assert.equal(lines.length, 3_000)
})

test('what is not of the format is refused with file and line', async (t) => {
  for (const [trace, message] of [
    [{ steps: STEPS }, /line 1: trace_id/],
    [{ trace_id: 'a' }, /line 1: steps/],
    [{ trace_id: 'a', steps: [{ tool: 3 }] }, /line 1: steps\.0\.tool/],
    [{ trace_id: 'a', label: { unsafe: 'no' }, steps: [] }, /line 1: label\.unsafe/],
    [[], /line 1: trace: /],
  ] as const)
    await assert.rejects(scored(t, [trace]), { code: 'traces_invalid', message })
})
