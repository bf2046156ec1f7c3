import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createLabeller } from '@plimsoll/labels'
import { sampleTrace } from '../testing.js'
import { type Recording, readRecordings, recordingOf } from './recording.js'
import { labelUnlisted, labelUnlistedIn } from './unlisted.js'

const CATALOGUE = {
  schema: 1 as const,
  kind: 'plimsoll.catalogue' as const,
  name: 'small',
  tools: [
    {
      tools: ['look'],
      labels: {
        capability: 'read' as const,
        confidentiality: 'none' as const,
        trust: 'trusted' as const,
        reversibility: 'reversible' as const,
      },
    },
  ],
}
const recorded = (...tools: string[]) => [
  recordingOf(sampleTrace(tools, { tools_ref: 'sample' }), {
    names: () => undefined,
    describe: (_ref, tool) => (tool === 'dispatch' ? 'Sends an e-mail to any address' : undefined),
  }),
]

test('tools that the catalogue does not list are labelled by name and description', () => {
  const { catalogue, proposed } = labelUnlisted(CATALOGUE, recorded('look', 'dispatch', 'transfer_funds'))
  assert.deepEqual([...proposed].sort(), ['dispatch', 'transfer_funds'])
  const labelOf = createLabeller(catalogue)
  assert.equal(labelOf('look')?.capability, 'read')
  assert.equal(labelOf('dispatch')?.capability, 'network')
  assert.equal(labelOf('transfer_funds')?.reversibility, 'irreversible')
})

test('nothing is added where all is listed, and no name becomes a pattern', () => {
  assert.equal(labelUnlisted(CATALOGUE, recorded('look')).catalogue, CATALOGUE)
  const { catalogue, proposed } = labelUnlisted(CATALOGUE, recorded('*', 'a b', 'constructor'))
  assert.deepEqual(proposed, ['constructor'])
  assert.equal(createLabeller(catalogue)('anything'), undefined)
})

test('of files it is the same, with the descriptions beside them', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-unlisted-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'a.jsonl')
  const traces = [
    ['look', 'dispatch'],
    ['transfer_funds', 'dispatch', '*'],
  ].map((tools) => sampleTrace(tools, { tools_ref: 'desk' }))
  writeFileSync(file, traces.map((trace) => `${JSON.stringify(trace)}\n`).join(''))
  const listed = { desk: [{ name: 'dispatch', description: 'Sends an e-mail to any address' }] }
  writeFileSync(join(folder, 'tools.json'), JSON.stringify(listed))
  const recordings: Recording[] = []
  for await (const recording of readRecordings([file])) recordings.push(recording)
  const labelled = await labelUnlistedIn(CATALOGUE, [file])
  assert.deepEqual(labelled, labelUnlisted(CATALOGUE, recordings))
  assert.deepEqual([...labelled.proposed].sort(), ['dispatch', 'transfer_funds'])
  assert.equal(createLabeller(labelled.catalogue)('dispatch')?.capability, 'network')
})
