import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { versionOf, type Catalogue } from '@plimsoll/contracts'
import { parseDocument } from '@plimsoll/policy'
import { fitFromFiles } from './fit-from-files.js'
import { sampleTrace, unsafeTrace } from './sample-traces.js'

const catalogue: Catalogue = {
  schema: 1,
  kind: 'plimsoll.catalogue',
  name: 'sample',
  tools: [
    {
      tools: ['mail'],
      labels: { capability: 'read', confidentiality: 'sensitive', reversibility: 'reversible' },
    },
    { tools: ['send*'], labels: { capability: 'network', reversibility: 'irreversible' } },
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
