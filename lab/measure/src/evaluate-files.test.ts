import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { defaultDocuments } from '@plimsoll/policy'
import { sampleTrace, unsafeTrace } from '@plimsoll/fit/testing'
import { type EvaluateFilesOptions, evaluateFiles } from './evaluate-files.js'
import type { MethodResult } from './folds/evaluate.js'

const documents = await defaultDocuments()

/** A file of recordings: forty attacked sessions over the five folds, every fourth of them violated by what it sends. */
function files(t: TestContext): Pick<EvaluateFilesOptions, 'files' | 'documents' | 'group'> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-eval-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const traces = Array.from({ length: 40 }, (_, n) => {
    const folds = { trace_id: `t${n}`, attack: 'direct:goal', attack_fold: n % 5, task_fold: n % 5 }
    return n % 4 === 0
      ? unsafeTrace(['get_unread_emails', 'send_email'], 1, folds)
      : sampleTrace(['get_current_date', 'get_unread_emails'], folds)
  })
  writeFileSync(join(folder, 'a.jsonl'), traces.map((trace) => `${JSON.stringify(trace)}\n`).join(''))
  return { files: [join(folder, 'a.jsonl')], documents, group: 'suite' }
}

test('methods are cross-validated, and the figures are those of the sessions', async (t) => {
  const settings = { ...files(t), isModel: false, folds: 'attack' } as const
  const { methods, foldNames, sources } = await evaluateFiles({ ...settings, methods: ['none', 'keyword'] })
  assert.equal(foldNames.length, 5)
  assert.deepEqual([sources[0]?.unsafe, sources[0]?.safe, sources[0]?.fittable], [10, 30, 40])
  const areas = methods.map(({ name, rankings }) => [name, rankings.p1.groups['sample']?.auc])
  assert.deepEqual(areas, [
    ['none', 0.5],
    ['keyword', 1],
  ])
})

test('a model that is fitted in a fold judges under the policy, as a bundle does', async (t) => {
  const settings = { ...files(t), targets: ['observed'], isChains: false } as const
  const { methods } = await evaluateFiles({
    ...settings,
    isModel: false,
    folds: 'task',
    detector: 'made-up',
    methods: ['flow', 'keyword'],
  })
  const bundle = await evaluateFiles({ ...settings, isModel: true, folds: undefined, methods: [] })
  const [flow, keyword] = methods
  for (const figures of [flow?.sessions[0], bundle.methods[0]?.sessions[0]]) {
    const { stopped, asked } = figures?.verdicts ?? assert.fail()
    assert.deepEqual([stopped.of, asked.of, asked.n], [10, 30, 0])
    assert.ok(figures?.ranked)
  }
  assert.ok(keyword?.sessions[0] && !keyword.sessions[0].verdicts)
})

test('in threads folds give what they give here, in their order', async (t) => {
  const methods = ['paper60', 'keyword']
  const settings = { ...files(t), isModel: false, folds: 'attack', methods } as const
  const figures = (results: readonly MethodResult[]) =>
    results.map(({ name, rankings, calibration, sessions }) => ({ name, rankings, calibration, sessions }))
  const [here, there] = [
    await evaluateFiles({ ...settings, workers: 1 }),
    await evaluateFiles({ ...settings, workers: 2 }),
  ]
  assert.deepEqual(figures(there.methods), figures(here.methods))
  assert.deepEqual(figures(there.modelled), figures(here.modelled))
})

test(
  'a pipe is read once: its folds are run here, however many threads there may be',
  { timeout: 60_000 },
  async (t) => {
    const settings = {
      ...files(t),
      isModel: false,
      folds: 'attack',
      methods: ['paper60'],
      workers: 2,
    } as const
    const [file = ''] = settings.files
    const pipe = `${file}.pipe`
    execFileSync('mkfifo', [pipe])
    const [{ methods }] = await Promise.all([
      evaluateFiles({ ...settings, files: [pipe] }),
      writeFile(pipe, readFileSync(file)),
    ])
    const whole = await evaluateFiles(settings)
    assert.deepEqual(methods[0]?.rankings, whole.methods[0]?.rankings)
  },
)

test('modelled, a session is violated where the cascade says so, whatever its label', async (t) => {
  const settings = { ...files(t), isModel: false, folds: 'attack', methods: ['keyword'] } as const
  const { methods, modelled } = await evaluateFiles(settings)
  // An e-mail that is sent after the mailbox was read is past the line; without it nothing is.
  assert.deepEqual([modelled[0]?.rankings.p1.all.unsafe, modelled[0]?.rankings.p1.all.auc], [10, 1])
  const [only] = [await evaluateFiles({ ...settings, targets: ['observed'] })]
  assert.deepEqual([only.methods.length, only.modelled.length, methods.length], [1, 0, 1])
})

test('a bundle is measured as it is, and its scores are written a line a step', async (t) => {
  const settings = files(t)
  const scores = join(settings.files[0] ?? '', '..', 'scores.jsonl')
  const { methods, cost } = await evaluateFiles({ ...settings, isModel: true, folds: undefined, scores })
  assert.equal(methods[0]?.name, `bundle ${documents.bundle.name}`)
  assert.equal(cost?.steps, 80)
  const lines = readFileSync(scores, 'utf8').trimEnd().split('\n')
  assert.equal(lines.length, 80)
  assert.deepEqual(Object.keys(JSON.parse(lines[0] ?? '')), [
    'trace_id',
    'i',
    'p1',
    'p5',
    'p5After',
    'level',
    'verdict',
    'by',
    'taint',
    'provenance',
    'ambiguity',
    'us',
  ])
})

test('what cannot be done is refused', async (t) => {
  const settings = { ...files(t), isModel: true, folds: undefined }
  for (const [over, message] of [
    [{ methods: ['toString'] }, /no method `toString`/],
    [{ methods: ['paper60'] }, /`paper60` is fitted/],
    [{ scores: '/no/such/folder/scores.jsonl' }, /cannot be written/],
    [{ isModel: false, scores: 'x.jsonl' }, /`--scores` needs `--model`/],
    [{ isModel: false, scores: 'x.jsonl', files: ['/no/such/file'] }, /`--scores` needs `--model`/],
  ] as const)
    await assert.rejects(evaluateFiles({ ...settings, ...over }), { code: 'usage_invalid', message })
})
