import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { canonicalJson } from '@plimsoll/contracts'
import { type Entry, makeEntry } from '../file/entry.js'
import { LINE_BYTES_MAX } from '../file/read-lines.js'
import { openTreeFile } from '../file/tree-file.js'
import { readPublicKey, readSigningKey, writeKeyPair } from '../tree/keys.js'
import { verifyFile } from './verify.js'

const source = (offset: number) => ({
  topic: 'plimsoll.decisions',
  partition: 0,
  offset: String(offset),
  time: 5,
})

async function createWorld(t: TestContext) {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-verify-'))
  t.after(() => rm(folder, { recursive: true }))
  const keyFile = path.join(folder, 'key.pem')
  await writeKeyPair(keyFile)
  const key = await readSigningKey(keyFile)
  const publicKey = await readPublicKey(`${keyFile}.pub`)
  const file = path.join(folder, 'acme.ndjson')
  return {
    key,
    folder,
    file,
    verify: async (content: string | Buffer) => {
      await writeFile(file, content)
      return verifyFile(file, { key: publicKey })
    },
  }
}

test('a file of entries and checkpoints verifies, and says what is not signed', async (t) => {
  const { folder, key, file } = await createWorld(t)
  const written = await openTreeFile(folder, 'acme', key)
  for (const offset of [0, 3, 4]) written.add({ kind: 'decision', source: source(offset), body: { offset } })
  written.sign(7)
  written.sign(8)
  written.add({ kind: 'decision', source: source(9), body: {} })
  await written.flush()
  const { checkpoint, ...rest } = await verifyFile(file, { key: key.public })
  assert.deepEqual(rest, {
    tree: 'acme',
    entries: 4,
    checkpoints: 1,
    erased: 0,
    unsigned: 1,
    isUnfinished: false,
    problem: undefined,
  })
  assert.deepEqual(checkpoint?.checkpoint.partitions, [
    { topic: 'plimsoll.decisions', partition: 0, first: '0', last: '4' },
  ])
})

test('an offset that comes again or before is refused, by the writer too', async (t) => {
  const { folder, key } = await createWorld(t)
  const written = await openTreeFile(folder, 'acme', key)
  written.add({ kind: 'decision', source: source(4), body: {} })
  for (const offset of [4, 3])
    assert.throws(() => written.add({ kind: 'decision', source: source(offset), body: {} }), {
      code: 'record_invalid',
      message: /comes after a later one/,
    })
})

test('an unfinished line is cut off by the next recorder, a false one stops it', async (t) => {
  const { folder, key, file, verify } = await createWorld(t)
  const first = canonicalJson(makeEntry('acme', 0, { kind: 'decision', source: source(0), body: {} }))
  assert.equal((await verify(`${first}\n{"body"`)).isUnfinished, true)
  const again = await openTreeFile(folder, 'acme', key)
  again.add({ kind: 'decision', source: source(1), body: {} })
  again.sign(1)
  await again.flush()
  const verification = await verifyFile(file, { key: key.public })
  assert.deepEqual([verification.problem, verification.entries], [undefined, 2])
  await writeFile(file, `${first}\n${first}\n`)
  await assert.rejects(openTreeFile(folder, 'acme', key), {
    code: 'record_invalid',
    message: /acme\.ndjson, line 2: it has index 0, and 1 follows/,
  })
})

test('hostile lines get a clear answer', async (t) => {
  const { verify } = await createWorld(t)
  const entry = makeEntry('acme', 0, { kind: 'decision', source: source(0), body: {} })
  const line = (over: object) => canonicalJson({ ...entry, ...over })
  const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  const withBody = (body: string) => line({ body: {} }).replace('"body":{}', `"body":${body}`)
  const cases: readonly (readonly [string | Buffer, RegExp])[] = [
    ['', /no checkpoint/],
    ['\n', /line 1: it is not JSON/],
    ['null\n', /it is not JSON/],
    ['[]\n', /no entry/],
    ['{}\n', /no entry: tree: /],
    [Buffer.from([0x7b, 0xff, 0x7d, 0x0a]), /line 1: it is not UTF-8/],
    [`${'x'.repeat(LINE_BYTES_MAX + 1)}\n`, /line 1: it has more than 8388608 bytes/],
    ['x'.repeat(LINE_BYTES_MAX + 1), /line 1: it has more than 8388608 bytes/],
    [`${deep(1_000_000)}\n`, /no entry/],
    [`${withBody(deep(1_000_000))}\n`, /not written as a recorder writes/],
    [`${withBody(deep(500))}\n`, /its body is not the recorded one/],
    [`${withBody('[]')}\n`, /body: expected an object/],
    [`${line({ index: -1 })}\n`, /no entry: index/],
    [`${line({ index: 1e300 })}\n`, /no entry: index/],
    [`${line({ tree: '__proto__' })}\n`, /no entry: tree/],
    [`${line({ source: { ...source(0), offset: '1e9' } })}\n`, /no entry: source\.offset/],
    [`${line({ source: null })}\n`, /wrong `source`/],
    [`${line({ salt: null })}\n`, /a body without a salt/],
    [`${line({ more: 1 })}\n`, /no entry/],
    [` ${line({})}\n`, /not written as a recorder writes/],
    [`${line({}).replace('{', '{"tree":"other",')}\n`, /not written as a recorder writes/],
    ['{"checkpoint":{}}\n', /no checkpoint: /],
    [
      `${line({ kind: 'erasure', source: null, body: { runs: [[0, 5]], by: 'x', time: 0 } })}\n`,
      /erases what comes after it/,
    ],
    [`${line({ kind: 'erasure', source: null })}\n`, /no erasure/],
  ]
  for (const [content, expected] of cases) {
    const { problem = 'none' } = await verify(content)
    assert.match(problem, expected, content.toString('utf8', 0, 200))
    assert.ok(problem.length < 1_000)
  }
})

test('an entry of another tenant is refused', async (t) => {
  const { verify } = await createWorld(t)
  const entries: Entry[] = [
    makeEntry('acme', 0, { kind: 'decision', source: source(0), body: {} }),
    makeEntry('globex', 1, { kind: 'decision', source: source(1), body: {} }),
  ]
  const { problem } = await verify(entries.map((entry) => `${canonicalJson(entry)}\n`).join(''))
  assert.match(problem ?? '', /line 2: it is of tree `globex`, the file of `acme`/)
})

test('a file that is missing, or is a folder, cannot be read', async (t) => {
  const { folder, key } = await createWorld(t)
  for (const file of [path.join(folder, 'missing'), folder])
    await assert.rejects(verifyFile(file, { key: key.public }), { code: 'document_invalid' })
})
