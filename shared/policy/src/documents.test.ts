import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { PlimsollError } from '@plimsoll/contracts'
import { compileRules } from './compile.js'
import { defaultDocuments, parseDocument, readDocument } from './documents.js'
import { shippedPack } from './packs/index.js'
import { SAMPLE_BUNDLE } from './sample-documents.js'

const POLICY = `
schema: 1
kind: plimsoll.policy
name: mine
specs:
  - { id: no-drop, tier: blocklist, tools: [drop_*] }
line: { present: block, absent: allow, unknown: confirm }
hazard: [warn, confirm, block]
forward: { verdicts: [allow, warn, confirm], hysteresis: 0.05 }
unlabelled:
  verdict: confirm
  labels: { capability: execute, reversibility: partial }
approvals: { ttlSeconds: 900 }
`

const problemOf = (text: string): string => {
  try {
    parseDocument('policy', text, 'mine.yaml')
  } catch (error) {
    assert.ok(error instanceof PlimsollError)
    assert.equal(error.code, 'document_invalid')
    assert.doesNotMatch(error.message, /\n/)
    return error.message
  }
  return 'no problem'
}

test('YAML and JSON say the same', () => {
  const policy = parseDocument('policy', POLICY, 'mine.yaml')
  assert.deepEqual(policy.specs, [{ id: 'no-drop', tier: 'blocklist', tools: ['drop_*'] }])
  assert.deepEqual(parseDocument('policy', JSON.stringify(policy), 'mine.json'), policy)
  assert.deepEqual(parseDocument('bundle', JSON.stringify(SAMPLE_BUNDLE), 'b'), SAMPLE_BUNDLE)
})

test('a document that cannot be read names its file, and the line', () => {
  assert.match(problemOf('a: ['), /^`mine\.yaml` is neither YAML nor JSON: .* at line 1, column \d+$/)
  assert.match(problemOf(`${POLICY}\nname: again`), /Map keys must be unique at line 15/)
  assert.match(problemOf('a: *b'), /`mine\.yaml`.*alias/)
})

test('compact JSON is read as such, and only where YAML would read the same', () => {
  const text = JSON.stringify(SAMPLE_BUNDLE)
  const twice = text.replace('{', '{"name":"first",')
  assert.throws(() => parseDocument('bundle', twice, 'b'), { message: /Map keys must be unique/ })
  for (const same of [`${text}\n`, ` ${text}`, JSON.stringify(SAMPLE_BUNDLE, undefined, 2)])
    assert.deepEqual(parseDocument('bundle', same, 'b'), SAMPLE_BUNDLE)
})

test('a bundle that ships is read by its name', async () => {
  assert.equal((await readDocument('bundle', 'paper60')).space, 'paper60')
  assert.deepEqual(await readDocument('bundle', 'default'), await readDocument('bundle'))
  await assert.rejects(readDocument('policy', 'paper60'), { code: 'document_invalid' })
})

test('a document of the wrong form names its file and every field', () => {
  const rows: [string, RegExp][] = [
    ['', /policy `mine\.yaml`: document: /],
    [
      POLICY.replace('present: block', 'present: deny'),
      /^policy `mine\.yaml`: line 7, column 9: line\.present: /,
    ],
    [POLICY.replace('tier: blocklist', 'tier: banlist'), /specs\.0\.tier \(spec `no-drop`\): /],
    [
      POLICY.replace('ttlSeconds: 900', 'ttl: 1'),
      /approvals\.ttlSeconds: is missing: .*; line 13, column 14: approvals\.ttl: /,
    ],
    [
      POLICY.replace('schema: 1', 'schema: 2').replace('0.05', '-1'),
      /schema: .*; line 9, column 46: forward\.hysteresis: /,
    ],
  ]
  for (const [text, expected] of rows) assert.match(problemOf(text), expected)
})

test('what is wrong in an entry of a catalogue names its tool', () => {
  const entry = '{ tools: [bash], labels: { capability: execute, reversibility: partial }, leats: {} }'
  const text = `{ schema: 1, kind: plimsoll.catalogue, name: own, tools: [${entry}] }`
  assert.throws(() => parseDocument('catalogue', text, 'own.yaml'), {
    code: 'document_invalid',
    message: 'catalogue `own.yaml`: tools.0 (`bash`): Unrecognized key: "leats"',
  })
})

test('a YAML that grows by aliases is refused', () => {
  const rows = Array.from({ length: 12 }, (_, i) => {
    const item = i === 0 ? 'x' : `*a${i - 1}`
    return `a${i}: &a${i} [${Array.from({ length: 12 }, () => item).join(', ')}]`
  })
  assert.match(problemOf(rows.join('\n')), /alias/)
})

test('files, and those that are not there', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'plimsoll-documents-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = join(folder, 'policy.yaml')
  await writeFile(file, POLICY)
  assert.equal((await readDocument('policy', file)).name, 'mine')
  await assert.rejects(readDocument('policy', join(folder, 'none.yaml')), {
    code: 'document_invalid',
    message: /none\.yaml` cannot be read$/,
  })
})

test('the documents that ship are valid, and compile', async () => {
  const documents = await defaultDocuments()
  const rules = compileRules(documents)
  assert.equal(rules.tool('no_such_tool_anywhere').labels, undefined)
  assert.deepEqual(documents.policy.specs, shippedPack('baseline')?.specs)
})
