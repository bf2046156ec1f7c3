import assert from 'node:assert/strict'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Catalogue, versionOf } from '@plimsoll/contracts'
import { escalationOf } from '@plimsoll/engine'
import { parseDocument } from '@plimsoll/policy'
import { fitFromFiles, writeWhole } from './from-files.js'
import { sampleTrace, unsafeTrace } from '../testing.js'
import type { ReadProgress } from '../corpus/read-traces.js'

const catalogue: Catalogue = {
  schema: 1,
  kind: 'plimsoll.catalogue',
  name: 'sample',
  tools: [
    {
      tools: ['mail'],
      labels: {
        capability: 'read',
        confidentiality: 'sensitive',
        trust: 'trusted',
        reversibility: 'reversible',
      },
    },
    {
      tools: ['send*'],
      labels: {
        capability: 'network',
        confidentiality: 'none',
        trust: 'trusted',
        reversibility: 'irreversible',
      },
    },
  ],
}
const settings = { catalogue, target: 'observed', space: 'paper60' } as const

test('what is written is the bundle, named by its hash, and names its catalogue', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-fit-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'sessions.jsonl')
  const out = join(folder, 'bundle.json')
  const traces = [sampleTrace(['mail', 'mail']), unsafeTrace(['mail', 'send_it'], 1)]
  writeFileSync(file, traces.map((trace) => `${JSON.stringify(trace)}\n`).join(''))
  const { bundle, version } = await fitFromFiles({ ...settings, files: [file], out })
  const written = parseDocument('bundle', readFileSync(out, 'utf8'), out)
  assert.deepEqual(written, bundle)
  assert.equal(versionOf(written), version)
  assert.equal(written.origin['catalogue'], versionOf(catalogue))
  assert.equal(written.aggregate.violations, 1)
  const nowhere = fitFromFiles({
    ...settings,
    files: [file],
    out: join(folder, 'no such folder', 'bundle.json'),
  })
  await assert.rejects(nowhere, { code: 'usage_invalid', message: /cannot be written$/ })
})

test('a tool that the catalogue does not list is labelled by its name and its description', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-fit-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'sessions.jsonl')
  const traces = [
    sampleTrace(['mail', 'BankTransferMoney', 'zorp'], { tools_ref: 'bank' }),
    sampleTrace(['*'], { trace_id: 'no name of a tool' }),
  ]
  writeFileSync(file, traces.map((trace) => `${JSON.stringify(trace)}\n`).join(''))
  const described = { bank: [{ name: 'zorp', description: 'Sends an e-mail to a recipient.' }] }
  writeFileSync(join(folder, 'tools.json'), JSON.stringify(described))
  const { bundle } = await fitFromFiles({ ...settings, files: [file] })
  assert.deepEqual([bundle.aggregate.traces, bundle.aggregate.transitions], [1, 3])
  const network = bundle.aggregate.counts.map(([, to]) => to).filter((s) => s < 60 && escalationOf(s) === 3)
  assert.ok(network.length > 0)
})

test('a fit that is stopped leaves the bundle that was there, and nothing beside it', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-fit-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [file, out] = [join(folder, 'sessions.jsonl'), join(folder, 'bundle.json')]
  writeFileSync(out, 'the one before')
  const lines = `${JSON.stringify(unsafeTrace(['mail', 'send_it'], 1))}\n`.repeat(2_000)
  writeFileSync(file, lines)
  for (const space of ['paper60', 'flow'] as const)
    for (const last of [256, 2_000]) {
      const stop = new AbortController()
      const onProgress = ({ traces }: ReadProgress) => traces === last && stop.abort()
      const fitted = fitFromFiles({ ...settings, space, files: [file], out, onProgress, signal: stop.signal })
      await assert.rejects(fitted, { name: 'AbortError' })
      assert.equal(readFileSync(out, 'utf8'), 'the one before')
    }
  assert.deepEqual(new Set(readdirSync(folder)), new Set(['sessions.jsonl', 'bundle.json']))
})

test('the origin of a bundle states the budgets of its thresholds', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-fit-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'sessions.jsonl')
  const traces = [sampleTrace(['mail']), unsafeTrace(['mail', 'send_it'], 1), unsafeTrace(['send_it'], 0)]
  writeFileSync(file, traces.map((trace) => `${JSON.stringify(trace)}\n`).join(''))
  for (const space of ['paper60', 'flow'] as const)
    for (const [budget, budgets] of [
      [undefined, [0.2, 0.05, 0.005]],
      [0.01, [0.04, 0.01, 0.001]],
    ] as const) {
      const { bundle } = await fitFromFiles({ ...settings, space, files: [file], ...(budget && { budget }) })
      const { hazard } = bundle.origin['thresholds'] as { hazard: { budgets: number[] } }
      assert.deepEqual(hazard.budgets, budgets)
    }
})

test('a file takes the place of the one before it, and nothing else stays', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-write-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'bundle.json')
  for (const text of ['one', 'two']) {
    await writeWhole(file, text)
    assert.equal(readFileSync(file, 'utf8'), text)
  }
  mkdirSync(join(folder, 'taken'))
  await assert.rejects(writeWhole(join(folder, 'taken'), 'x'), { code: 'usage_invalid' })
  await assert.rejects(writeWhole(join(folder, 'no such', 'x.json'), 'x'), { code: 'usage_invalid' })
  assert.deepEqual(new Set(readdirSync(folder)), new Set(['bundle.json', 'taken']))
  // What a link points to is no file: it is written to, and never replaced.
  symlinkSync('/dev/null', join(folder, 'nowhere'))
  await writeWhole(join(folder, 'nowhere'), 'x')
  assert.equal(readFileSync(join(folder, 'nowhere'), 'utf8'), '')
})
