import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createLabeller } from '@plimsoll/labels'
import { parseDocument } from '@plimsoll/policy'
import { silentLogger } from '@plimsoll/runtime'
import { sampleAnswer } from './asking/sample-model-server.js'
import { openCandidates } from './candidates.js'

const folder = await mkdtemp(join(tmpdir(), 'candidates-'))
test.after(() => rm(folder, { recursive: true }))
const open = (file: string) => openCandidates({ file, by: 'a-model', logger: silentLogger })

test('writes a catalogue with reasons; a later run extends it and keeps first answers', async () => {
  const file = join(folder, 'candidates.yaml')
  const first = await open(file)
  for (const tool of ['zorp', '*', 'mcp__*', '#x:', 'a\'b"c']) first.add(tool, sampleAnswer)
  await first.flush()
  const second = await open(file)
  second.add('zorp', { ...sampleAnswer, capability: 'read' })
  second.add('later', { ...sampleAnswer, confidentiality: 'none', reason: 'x: y # z' })
  await second.flush()
  const text = await readFile(file, 'utf8')
  assert.match(text, /^# Labels that a model proposed/)
  const catalogue = parseDocument('catalogue', text, file)
  assert.deepEqual(
    catalogue.tools.map(({ tools }) => tools),
    [['zorp'], ['#x:'], ['a\'b"c'], ['later']],
  )
  assert.equal(catalogue.tools[0]?.description, `a-model: ${sampleAnswer.reason}`)
  const labelOf = createLabeller(catalogue)
  assert.deepEqual(labelOf('zorp'), {
    capability: 'network',
    confidentiality: 'sensitive',
    trust: 'untrusted',
    reversibility: 'irreversible',
  })
  assert.equal(labelOf('anything'), undefined)
  assert.deepEqual(await readdir(folder), ['candidates.yaml'])
})

test('refuses a file that is no catalogue; ignores a failed write', async () => {
  const file = join(folder, 'other.yaml')
  await writeFile(file, 'kind: something else\n')
  await assert.rejects(open(file), { code: 'document_invalid' })
  assert.equal(await readFile(file, 'utf8'), 'kind: something else\n')
  const nowhere = await open(join(folder, 'nowhere', 'candidates.yaml'))
  nowhere.add('zorp', sampleAnswer)
  await nowhere.flush()
})
