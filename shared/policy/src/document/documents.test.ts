import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  type Catalogue,
  type CatalogueEntry,
  CONFIDENTIALITIES,
  PlimsollError,
  TRUSTS,
} from '@plimsoll/contracts'
import { createEntryFinder } from '@plimsoll/labels'
import { compileRules } from '../compile/rules.js'
import {
  defaultDocuments,
  extendShipped,
  parseDocument,
  readAnyDocument,
  readCatalogue,
  readDocument,
} from './documents.js'
import { mergeCatalogues, mergeShipped } from './catalogues.js'
import { shippedPack } from './inspect-policy.js'
import { SAMPLE_BUNDLE } from '../testing.js'

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
    ['', /^`mine\.yaml` is not a policy: it has no `kind`, expected `kind: plimsoll\.policy`$/],
    ['- a\n- b', /^`mine\.yaml` is not a policy: it has no `kind`/],
    [POLICY.replace('plimsoll.policy', 'plimsoll.bundle'), /not a policy: its `kind` is `plimsoll\.bundle`/],
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

test('a file that is no document says why, and what to do', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-files-'))
  t.after(() => rm(folder, { recursive: true }))
  const rows: [string, Buffer | string | undefined, RegExp][] = [
    ['none', undefined, /cannot be read: there is no such file, check the path$/],
    ['empty', ' \n', /is empty: expected YAML or JSON$/],
    ['binary', Buffer.from([0x50, 0x4b, 0xff, 0xfe]), /is not text: expected YAML or JSON$/],
    ['zeros', 'a\0b', /is not text/],
    ['big', 'a'.repeat(50 * 1_024 * 1_024), /has 50 MB: at most 16 MB are read$/],
  ]
  for (const [name, content, expected] of rows) {
    const file = path.join(folder, name)
    if (content !== undefined) await writeFile(file, content)
    await assert.rejects(readDocument('policy', file), { code: 'document_invalid', message: expected })
  }
  await assert.rejects(readDocument('policy', folder), { message: /it is a folder, name a file in it$/ })
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
    message: /none\.yaml` cannot be read: there is no such file, check the path$/,
  })
})

test('the documents that ship are valid, and compile', async () => {
  const documents = await defaultDocuments()
  const rules = compileRules(documents)
  assert.equal(rules.tool('no_such_tool_anywhere').labels, undefined)
  assert.deepEqual(documents.policy.specs, shippedPack('baseline')?.specs)
})

type Labels = CatalogueEntry['labels']

const READ: Labels = { capability: 'read', trust: 'trusted', reversibility: 'reversible' }
const WRITE: Labels = { capability: 'write', trust: 'trusted', reversibility: 'partial' }
const SEND: Labels = { capability: 'network', trust: 'trusted', reversibility: 'irreversible' }

const entry = (labels: Labels, ...tools: string[]): CatalogueEntry => ({ tools, labels })

const catalogue = (name: string, ...tools: CatalogueEntry[]): Catalogue => ({
  schema: 1,
  kind: 'plimsoll.catalogue',
  name,
  tools,
})

const capabilities = (merged: Catalogue, ...tools: string[]) => {
  const entryOf = createEntryFinder(merged)
  return tools.map((tool) => entryOf(tool)?.labels.capability)
}

test('a later catalogue wins, tool by tool', () => {
  const first = catalogue('first', entry(READ, 'look', 'find', 'mail_*'))
  const second = catalogue('second', entry(SEND, 'find', 'post'))
  const merged = mergeCatalogues(first, second)
  assert.equal(merged.name, 'second')
  assert.deepEqual(capabilities(merged, 'look', 'find', 'post', 'mail_x', 'other'), [
    'read',
    'network',
    'network',
    'read',
    undefined,
  ])
  assert.deepEqual(capabilities(mergeCatalogues(second, first), 'find'), ['read'])
})

test('a later pattern goes before earlier names and patterns, a later name before earlier patterns', () => {
  const first = catalogue('first', entry(READ, 'mail_read', 'mail_*'), entry(WRITE, 'disk'))
  const second = catalogue('second', entry(SEND, 'mail_*'))
  const merged = mergeCatalogues(first, second)
  assert.deepEqual(capabilities(merged, 'mail_read', 'mail_other', 'disk'), ['network', 'network', 'write'])
  assert.equal(merged.tools.length, 2)
  const named = mergeCatalogues(second, catalogue('third', entry(WRITE, 'mail_read')))
  assert.deepEqual(capabilities(named, 'mail_read', 'mail_other'), ['write', 'network'])
})

test('the last organisation counts; merging again changes nothing', () => {
  const ours = { ...catalogue('ours', entry(READ, 'look')), organisation: { domains: ['example.com'] } }
  const more = catalogue('more', entry(SEND, 'post', 'l*'))
  const merged = mergeCatalogues(ours, more)
  assert.deepEqual(merged.organisation, { domains: ['example.com'] })
  const other = { ...more, organisation: { domains: ['example.org'] } }
  assert.deepEqual(mergeCatalogues(ours, other).organisation, { domains: ['example.org'] })
  assert.deepEqual(mergeCatalogues(merged, merged), merged)
  assert.deepEqual(mergeCatalogues(ours, merged), merged)
})

test('too many entries together are refused', () => {
  const many = (prefix: string, count: number) =>
    catalogue(prefix, ...Array.from({ length: count }, (_, n) => entry(READ, `${prefix}${n}`)))
  assert.equal(mergeCatalogues(many('a', 4000), many('b', 96)).tools.length, 4096)
  assert.throws(() => mergeCatalogues(many('a', 4000), many('b', 97)), {
    code: 'document_invalid',
    message: /catalogue `b`: merged with the catalogues before it, it has 4097 entries, at most 4096/,
  })
})

test('of those that ship no pattern hides a name, and a name that several have gets the harsher of each label', () => {
  const server = catalogue(
    'server',
    entry({ ...READ, confidentiality: 'sensitive', tags: ['pii'] }, 'search', 'send_it'),
  )
  const usual: CatalogueEntry = { ...entry({ ...WRITE, trust: 'untrusted' }, 'search', 'edit'), least: READ }
  const merged = mergeShipped(server, catalogue('default', usual, entry(SEND, 'send_*')))
  assert.deepEqual(capabilities(merged, 'send_it', 'send_other'), ['read', 'network'])
  const entryOf = createEntryFinder(merged)
  assert.deepEqual(entryOf('edit'), { ...usual, tools: ['edit'] })
  assert.deepEqual(entryOf('search'), {
    tools: ['search'],
    labels: {
      capability: 'write',
      confidentiality: 'sensitive',
      trust: 'untrusted',
      reversibility: 'partial',
      tags: ['pii'],
    },
    least: READ,
  })
})

test('a catalogue that ships never labels a tool milder than another that ships', async () => {
  const folder = fileURLToPath(new URL('../../../labels/catalogues/', import.meta.url))
  const merged = createEntryFinder((await defaultDocuments()).catalogue)
  for (const file of await readdir(folder)) {
    const { tools } = await readDocument('catalogue', path.join(folder, file))
    for (const { tools: names, labels } of tools)
      for (const name of names.filter((each) => !each.includes('*'))) {
        const found = merged(name)?.labels
        const level = (order: readonly string[], word: string | undefined) => order.indexOf(word ?? '')
        assert.ok(found, name)
        assert.ok(level(TRUSTS, found.trust) >= level(TRUSTS, labels.trust), name)
        assert.ok(
          level(CONFIDENTIALITIES, found.confidentiality) >= level(CONFIDENTIALITIES, labels.confidentiality),
          name,
        )
      }
  }
})

test('a file adds to what ships; read alone it is what it says', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-'))
  t.after(() => rm(folder, { recursive: true }))
  const [one, two] = [path.join(folder, 'one.json'), path.join(folder, 'two.json')]
  await writeFile(one, JSON.stringify(catalogue('one', entry(WRITE, 'our_tool', 'bash'))))
  await writeFile(two, JSON.stringify(catalogue('two', entry(SEND, 'our_tool'))))
  const both = await readCatalogue([one, two])
  assert.equal(both.name, 'two')
  assert.deepEqual(capabilities(both, 'our_tool', 'bash', 'send_email', 'get-env'), [
    'network',
    'write',
    'network',
    'read',
  ])
  assert.equal((await readDocument('catalogue', one)).tools.length, 1)
  assert.deepEqual(await readCatalogue(), await readDocument('catalogue'))
})

test('one rule wherever a catalogue is given: it adds to what ships, and with `extends: none` it stands alone', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-'))
  t.after(() => rm(folder, { recursive: true }))
  const own = catalogue('own', entry(WRITE, 'our_tool', 'bash'))
  const alone: Catalogue = { ...own, extends: 'none' }
  const [adding, replacing] = [path.join(folder, 'adding.json'), path.join(folder, 'replacing.json')]
  await writeFile(adding, JSON.stringify(own))
  await writeFile(replacing, JSON.stringify(alone))
  const ways = async (file: string, document: Catalogue) => [
    await readCatalogue([file]),
    await extendShipped(document),
    (await defaultDocuments({ catalogue: document })).catalogue,
    (await readAnyDocument(file)).document as Catalogue,
  ]
  for (const found of await ways(adding, own))
    assert.deepEqual(capabilities(found, 'our_tool', 'bash', 'send_email'), ['write', 'write', 'network'])
  for (const found of await ways(replacing, alone)) assert.deepEqual(found, alone)

  // What comes after a catalogue with `extends: none` adds to it, and does not bring the shipped ones back.
  const both = await readCatalogue([replacing, adding])
  assert.equal(both.extends, 'none')
  assert.equal(await extendShipped(both), both)
  assert.deepEqual(capabilities(both, 'bash', 'send_email'), ['write', undefined])
  assert.equal(await extendShipped(await extendShipped(own)), await extendShipped(own))
  for (const other of ['ours.yaml', { tools: [] }, null])
    await assert.rejects(extendShipped(other as never), {
      code: 'document_invalid',
      message: /^catalogue: expected/,
    })
})

const servers = fileURLToPath(new URL('../../../../../shared/mcp-tools/', import.meta.url))
const skip = !existsSync(servers) && 'no tools of MCP servers at ../shared/mcp-tools: none is counted'

test('of the tools of eight public servers so many are known', { skip }, async () => {
  const entryOf = createEntryFinder(await readCatalogue())
  const files = (await readdir(servers)).filter((name) => name.endsWith('.json') && name !== 'truth.json')
  const lists = await Promise.all(files.map((name) => readFile(path.join(servers, name), 'utf8')))
  const names = lists.flatMap((text) =>
    (JSON.parse(text) as { readonly tools: readonly { readonly name: string }[] }).tools.map(
      ({ name }) => name,
    ),
  )
  const known = names.filter((name) => entryOf(name))
  assert.ok(known.length >= 24, `${known.length} of ${names.length}`)
})
