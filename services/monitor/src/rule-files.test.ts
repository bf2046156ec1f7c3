import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { PlimsollError } from '@plimsoll/contracts'
import { defaultDocuments, versionsOf } from '@plimsoll/policy'
import { readRuleBook } from './rule-files.js'

test('the first of each kind is active, every combination is kept', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-'))
  t.after(() => rm(folder, { recursive: true }))
  const documents = await defaultDocuments()
  const files = { old: path.join(folder, 'old.json'), new: path.join(folder, 'new.json') }
  const newer = { ...documents.policy, name: 'newer' }
  await writeFile(files.old, JSON.stringify(documents.policy))
  await writeFile(files.new, JSON.stringify(newer))
  const book = await readRuleBook({ policies: [files.new, files.old] })
  assert.deepEqual(book.active.versions, versionsOf({ ...documents, policy: newer }))
  assert.deepEqual(book.pinned(versionsOf(documents))?.versions, versionsOf(documents))
  assert.equal(book.pinned({ bundle: '', policy: '', catalogue: '' }), undefined)
})

test('all that is wrong with the files is told at once', async () => {
  await assert.rejects(
    readRuleBook({ bundles: ['no-bundle.json'], policies: ['no-policy.yaml'] }),
    (error) => {
      assert.ok(error instanceof PlimsollError && error.code === 'document_invalid')
      assert.match(error.message, /no-bundle\.json[^]*no-policy\.yaml/)
      return true
    },
  )
})
