import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { PlimsollError } from '@plimsoll/contracts'
import { sampleTrace } from '../testing.js'
import { type ReadProgress, LINE_CHARS_MAX, findTraces, readTraces, traceFilesIn } from './read-traces.js'

const line = (...tools: string[]): string =>
  JSON.stringify({ ...sampleTrace(tools), goal: 'dropped', seq_hash: 'dropped' })

function file(t: TestContext, name: string, content: string | Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-read-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

async function idsOf(...files: string[]): Promise<string[]> {
  const ids: string[] = []
  for await (const trace of readTraces(files)) ids.push(trace.trace_id)
  return ids
}

test('plain and gzipped files are read in turn, blank lines skipped, the last line with or without its end', async (t) => {
  const plain = file(t, 'a.jsonl', `${line('look')}\n\n${line('mail')}\r\n`)
  const packed = file(t, 'b.jsonl.gz', gzipSync(`${line('send')}\n${line('wärt', 'été')}`))
  assert.deepEqual(await idsOf(plain, packed), ['look', 'mail', 'send', 'wärt-été'])
})

test('only what is used is kept', async (t) => {
  for await (const trace of readTraces([file(t, 'a.jsonl', line('look'))])) {
    assert.ok(!('goal' in trace) && !('seq_hash' in trace))
    assert.deepEqual(trace.steps, [{ i: 0, tool: 'look' }])
  }
})

test('a bad line is refused, naming file, line and field', async (t) => {
  for (const [bad, problem] of [
    ['{"half', 'not JSON'],
    ['null', 'trace: '],
    [JSON.stringify({ ...sampleTrace(['look']), steps: [{ i: 0 }] }), 'steps.0.tool: '],
    [JSON.stringify({ ...sampleTrace(['look']), label: { unsafe: 'no' } }), 'label.unsafe: '],
  ] as const) {
    const name = file(t, 'bad.jsonl', `${line('look')}\n${bad}\n${line('mail')}\n`)
    await assert.rejects(idsOf(name), (error) => {
      assert.ok(error instanceof PlimsollError)
      assert.equal(error.code, 'traces_invalid')
      assert.ok(error.message.startsWith(`\`${name}\` line 2: ${problem}`), error.message)
      return true
    })
  }
})

test('a file that is missing, cut off or no gzip at all is refused by name', async (t) => {
  const packed = gzipSync(Array.from({ length: 50 }, (_, n) => line('look', `step ${n}`)).join('\n'))
  for (const name of [
    join(tmpdir(), 'plimsoll-no-such.jsonl'),
    tmpdir(),
    file(t, 'cut.jsonl.gz', packed.subarray(0, packed.length - 20)),
    file(t, 'plain.jsonl.gz', line('look')),
  ])
    await assert.rejects(idsOf(name), {
      code: 'traces_invalid',
      message: new RegExp(`^\`${name}\` cannot be read`),
    })
})

test('the error of a truncated file names the last line that could be read', async (t) => {
  // What is stored and not packed: half of the bytes are half of the lines.
  const packed = gzipSync(`${line('look')}\n`.repeat(4_000), { level: 0 })
  const name = file(t, 'half.jsonl.gz', packed.subarray(0, packed.length / 2))
  await assert.rejects(idsOf(name), (error) => {
    const [, whole] =
      /cannot be read after line (\d+): /.exec(error instanceof Error ? error.message : '') ?? []
    assert.ok(Math.abs(Number(whole) - 2_000) < 400, `${whole}`)
    return true
  })
})

test('a line beyond the limit is refused and not gathered', async (t) => {
  const name = file(t, 'long.jsonl.gz', gzipSync(' '.repeat(LINE_CHARS_MAX + 100_000)))
  await assert.rejects(idsOf(name), { code: 'traces_invalid', message: /longer than 4000000 characters/ })
})

test('progress ends at all bytes and all sessions', async (t) => {
  const files = [
    file(t, 'a.jsonl', `${line('look')}\n`.repeat(600)),
    file(t, 'b.jsonl.gz', gzipSync(line('mail'))),
  ]
  const reports: ReadProgress[] = []
  for await (const trace of readTraces(files, (progress) => reports.push(progress))) assert.ok(trace)
  assert.deepEqual(
    reports.map(({ traces }) => traces),
    [256, 512, 600, 601],
  )
  const last = reports.at(-1)
  assert.equal(last?.bytesRead, last?.bytesTotal)
})

test('a reader may leave early', async (t) => {
  const name = file(t, 'a.jsonl.gz', gzipSync(`${line('look')}\n`.repeat(10_000)))
  for await (const trace of readTraces([name])) {
    assert.equal(trace.trace_id, 'look')
    break
  }
})

function project(t: TestContext): { root: string; beside: string } {
  const home = mkdtempSync(join(tmpdir(), 'plimsoll-find-'))
  t.after(() => rmSync(home, { recursive: true }))
  const root = join(home, 'project')
  const beside = join(home, 'shared', 'traces')
  for (const folder of [root, beside, join(root, 'shared', 'traces')]) mkdirSync(folder, { recursive: true })
  return { root, beside }
}

test("recordings are found beside the project, not in the project's own shared folder", (t) => {
  const { root, beside } = project(t)
  assert.equal(findTraces({}, root), beside)
  assert.equal(findTraces({ PLIMSOLL_TRACES: '' }, root), beside)
})

test('PLIMSOLL_TRACES goes first, and is not skipped where it is wrong', (t) => {
  const { root } = project(t)
  assert.equal(findTraces({ PLIMSOLL_TRACES: root }, '/nowhere'), root)
  assert.equal(findTraces({ PLIMSOLL_TRACES: join(root, 'no such folder') }, root), undefined)
  assert.equal(findTraces({}, '/nowhere/at/all'), undefined)
})

test('the files of a folder come by name', (t) => {
  const { root } = project(t)
  for (const name of ['b.jsonl.gz', 'a.jsonl', 'tools.json', 'README.md']) writeFileSync(join(root, name), '')
  assert.deepEqual(traceFilesIn(root), [join(root, 'a.jsonl'), join(root, 'b.jsonl.gz')])
})
