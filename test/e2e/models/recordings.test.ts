import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { bundleSchema, versionOf } from '@plimsoll/contracts'
import { runCli, startCli } from '../cli-process.js'
import { temporaryFolder, writeLeaks, writeRecordings } from './recordings.js'

interface Figures {
  readonly run: string
  readonly via: string
  readonly sessions: number
  readonly steps: number
  readonly withoutVerdict: number
  readonly byCategory: Readonly<Record<string, unknown>>
  readonly byTruth: Readonly<Record<string, { readonly verdicts: Readonly<Record<string, number>> }>>
  readonly sessionsByWorstVerdict: unknown
  readonly latencyMillis: { readonly p50: number; readonly p99: number }
  readonly decisionMicros: { readonly p50: number; readonly p99: number }
}

const figuresOf = (stdout: string) => JSON.parse(stdout) as Figures

test('`fit` writes a bundle for the monitor, and summarises its input', async () => {
  const { folder, remove } = await temporaryFolder()
  try {
    const [traces, out] = [path.join(folder, 'sessions.jsonl'), path.join(folder, 'bundle.json')]
    await writeRecordings(traces, 30)
    const { code, stdout, stderr } = await runCli([
      'fit',
      '--out',
      out,
      '--space',
      'paper5',
      '--traces',
      traces,
    ])
    assert.equal(code, 0, stderr)
    const bundle = bundleSchema.parse(JSON.parse(await readFile(out, 'utf8')))
    assert.equal(bundle.space, 'paper5')
    assert.equal(bundle.aggregate.traces, 30)
    assert.match(stdout, new RegExp(`version ${versionOf(bundle)}\n30 sessions`))
    assert.match(stderr, /^fit 100% 30 sessions, 120 steps, .* left$/m)
  } finally {
    await remove()
  }
})

test('`replay` runs every step through the embedded pipeline and counts by category, suite and truth', async () => {
  const { folder, remove } = await temporaryFolder()
  try {
    const traces = path.join(folder, 'sessions.jsonl')
    await writeRecordings(traces, 30)
    const { code, stdout, stderr } = await runCli(['replay', '--json', traces])
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^[^\n]+\n$/, 'one line on stdout')
    const figures = figuresOf(stdout)
    assert.equal(figures.run, 'replay', 'the same ids, and so the same decisions, in every run')
    assert.equal(figures.via, 'embedded')
    assert.deepEqual({ sessions: figures.sessions, steps: figures.steps, withoutVerdict: figures.withoutVerdict }, {
      sessions: 30, steps: 120, withoutVerdict: 0,
    }) // prettier-ignore
    assert.deepEqual(
      figures.byTruth['unsafe']?.verdicts['confirm'],
      20,
      'both steps that leave the house, and the agent went on',
    )
    assert.deepEqual(Object.keys(figures.byCategory), ['data_handling', 'research_comms'])
    assert.deepEqual(figures.sessionsByWorstVerdict, {
      safe: { allow: 20, warn: 0, confirm: 0, block: 0 },
      unsafe: { allow: 0, warn: 0, confirm: 10, block: 0 },
    })
    assert.ok(figures.latencyMillis.p99 >= figures.latencyMillis.p50 && figures.decisionMicros.p50 > 0)
    assert.match(stderr, /^replay 100% 30 sessions, 120 steps$/m)
  } finally {
    await remove()
  }
})

test('`replay` runs one fold, or a number of sessions', async () => {
  const { folder, remove } = await temporaryFolder()
  try {
    const traces = path.join(folder, 'sessions.jsonl')
    await writeRecordings(traces, 30)
    const sessionsOf = async (...args: string[]) =>
      figuresOf((await runCli(['replay', '--json', '--traces', traces, ...args])).stdout).sessions
    assert.equal(await sessionsOf('--fold', '1'), 8)
    assert.equal(await sessionsOf('--limit', '7'), 7)
    const { stdout } = await runCli(['replay', '--traces', traces, '--limit', '3'])
    assert.match(stdout, /^from publish to decision \S+ ms \(p50\)/m)
  } finally {
    await remove()
  }
})

interface Line {
  readonly line: {
    readonly stepsByEvidence: Readonly<Record<string, Readonly<Record<string, number>>>>
    readonly sessionsByWorstVerdict: Readonly<Record<string, Readonly<Record<string, number>>>>
  }
}

test('`replay` counts the steps at the threshold by their evidence', async () => {
  const { folder, remove } = await temporaryFolder()
  try {
    const traces = path.join(folder, 'sessions.jsonl')
    await writeLeaks(traces, 10)
    const all = await runCli(['replay', '--json', '--model', 'default', traces])
    assert.equal(all.code, 0, all.stderr)
    const { line } = JSON.parse(all.stdout) as Line
    assert.deepEqual(line.stepsByEvidence, {
      present: { unsafe: 5, safe: 0, unknown: 0 },
      absent: { unsafe: 0, safe: 5, unknown: 0 },
      unknown: { unsafe: 0, safe: 0, unknown: 0 },
    })
    assert.equal(line.sessionsByWorstVerdict['unsafe']?.['block'], 5)
    assert.equal(line.sessionsByWorstVerdict['safe']?.['allow'], 5)
    const blind = await runCli(['replay', '--json', '--without', 'provenance', traces])
    assert.deepEqual((JSON.parse(blind.stdout) as Line).line.stepsByEvidence['unknown'], {
      unsafe: 5,
      safe: 5,
      unknown: 0,
    })
  } finally {
    await remove()
  }
})

test('an interrupted `replay` reports what it has run, and that it is incomplete', async () => {
  const { folder, remove } = await temporaryFolder()
  try {
    const traces = path.join(folder, 'sessions.jsonl')
    await writeRecordings(traces, 20_000)
    const replay = startCli(['replay', '--traces', traces, '--limit', '20000'])
    await replay.printed(/^replay +10%/)
    replay.signal('SIGINT')
    const { code, stdout, stderr } = await replay.ended
    assert.equal(code, 1)
    assert.match(stderr, /interrupted: some sessions were not played\n$/)
    assert.match(stdout, /^all +\d{4,5} /m)
  } finally {
    await remove()
  }
})
