import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { PlimsollError } from '@plimsoll/contracts'
import { compileRules, createRulesCache, defaultDocuments, versionsOf } from '@plimsoll/policy'
import { readRuleDocuments } from './rule-documents.js'

test('the first of each kind is active, every combination is kept', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-'))
  t.after(() => rm(folder, { recursive: true }))
  const documents = await defaultDocuments()
  const files = { old: path.join(folder, 'old.json'), new: path.join(folder, 'new.json') }
  const newer = { ...documents.policy, name: 'newer' }
  await writeFile(files.old, JSON.stringify(documents.policy))
  await writeFile(files.new, JSON.stringify(newer))
  const rulesCache = createRulesCache({
    defaults: await readRuleDocuments({ policies: [files.new, files.old] }),
  })
  assert.deepEqual(rulesCache.defaults, versionsOf({ ...documents, policy: newer }))
  assert.deepEqual(rulesCache.rules(versionsOf(documents))?.versions, versionsOf(documents))
  assert.equal(rulesCache.rules({ bundle: '', policy: '', catalogue: '' }), undefined)
})

test('each catalogue adds to those that ship', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-'))
  t.after(() => rm(folder, { recursive: true }))
  const labels = {
    capability: 'write',
    confidentiality: 'internal',
    trust: 'trusted',
    reversibility: 'partial',
  }
  const tools = [{ tools: ['our_tool'], labels }]
  const files = ['one', 'two'].map((name) => path.join(folder, name))
  for (const file of files)
    await writeFile(
      file,
      JSON.stringify({ schema: 1, kind: 'plimsoll.catalogue', name: path.basename(file), tools }),
    )
  const documents = await readRuleDocuments({ catalogues: files })
  assert.deepEqual(
    documents.map(({ catalogue }) => catalogue.name),
    ['one', 'two'],
  )
  for (const each of documents) {
    const { tool } = compileRules(each)
    assert.ok(tool('our_tool').labels && tool('send_email').labels)
  }
})

test('reports all problems of all files at once', async () => {
  await assert.rejects(
    readRuleDocuments({ bundles: ['no-bundle.json'], policies: ['no-policy.yaml'] }),
    (error) => {
      assert.ok(error instanceof PlimsollError && error.code === 'document_invalid')
      assert.match(error.message, /no-bundle\.json[^]*no-policy\.yaml/)
      return true
    },
  )
})
