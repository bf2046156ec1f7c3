import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { labelStep } from '@plimsoll/labels'
import { parseDocument } from '@plimsoll/policy'
import { runCli } from '../cli-process.js'
import { DUMMY_TOKEN, OFFICIAL_SERVERS, officialServer, serverOf } from './mcp-servers.js'

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-label-'))
  try {
    await work(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

for (const name of OFFICIAL_SERVERS)
  test(`the catalogue proposed for the official server ${name} covers it, and the shipped one fits it`, () =>
    inFolder(async (folder) => {
      const out = path.join(folder, 'proposed.yaml')
      const server = ['--env', 'GITHUB_PERSONAL_ACCESS_TOKEN', '--', ...officialServer(name)]
      const labelled = await runCli(['label', '--out', out, ...server], { env: DUMMY_TOKEN })
      assert.deepEqual([labelled.code, labelled.stderr], [0, ''])
      const tools = parseDocument('catalogue', await readFile(out, 'utf8'), out).tools
      assert.match(labelled.stdout, new RegExp(`^${tools.length} tools, \\d+ clear, \\d+ doubtful`, 'm'))
      const guessed = tools.filter((entry) => entry.guessed).length
      assert.match(labelled.stdout, new RegExp(`, ${guessed} doubtful, `))
      const untouched = await runCli(['label', 'check', out, ...server], { env: DUMMY_TOKEN })
      assert.equal(untouched.code, guessed > 0 ? 1 : 0, untouched.stdout)
      const checked = await runCli(['label', 'check', '--allow-guesses', out, ...server], {
        env: DUMMY_TOKEN,
      })
      assert.deepEqual([checked.code, checked.stderr], [0, ''], checked.stdout)
      assert.match(
        checked.stdout,
        new RegExp(`^${tools.length} tools labelled as proposed, 0 differently$`, 'm'),
      )
      const shipped = `shared/labels/catalogues/mcp-${name}.yaml`
      const fits = await runCli(['label', 'check', shipped, '--json', ...server], { env: DUMMY_TOKEN })
      assert.equal(fits.code, 0, fits.stdout)
      const { findings } = JSON.parse(fits.stdout) as { findings: { status: string }[] }
      // No tool without a label, no label without a tool; `warn` marks where a human corrected the heuristics.
      assert.deepEqual(
        findings.filter(({ status }) => status !== 'warn'),
        [],
      )
    }))

test('the table has a header, and the evidence for each label', async () => {
  const tools = [
    { name: 'delete_page', description: 'Deletes a page for good', inputSchema: { type: 'object' } },
    { name: 'frob', annotations: { destructiveHint: true }, inputSchema: { type: 'object' } },
  ]
  const { code, stdout } = await runCli(['label', '--', ...serverOf(tools)])
  assert.equal(code, 0)
  assert.match(stdout, /^tool +capability +reversibility +confidentiality +trust +because$/m)
  assert.match(stdout, /^delete_page +write +irreversible .*write, irreversible: `delete` in its name/m)
  assert.match(stdout, /^frob +write .*write, partial: a guess: nothing tells/m)
})

test('a guess fails `label check` until a human removes its mark', () =>
  inFolder(async (folder) => {
    const out = path.join(folder, 'proposed.yaml')
    const server = ['--', ...serverOf([{ name: 'frobnicate', inputSchema: { type: 'object' } }])]
    assert.equal((await runCli(['label', '--out', out, ...server])).code, 0)
    const untouched = await runCli(['label', 'check', out, ...server])
    assert.equal(untouched.code, 1)
    assert.match(untouched.stdout, /^fail {2}frobnicate +labelled on a guess: check and correct/m)
    const allowed = await runCli(['label', 'check', '--allow-guesses', out, ...server])
    assert.equal(allowed.code, 0)
    assert.match(allowed.stdout, /^warn {2}frobnicate +labelled on a guess/m)
    await writeFile(out, (await readFile(out, 'utf8')).replace('    guessed: true\n', ''))
    assert.equal((await runCli(['label', 'check', out, ...server])).code, 0)
  }))

test('an argument that selects the operation: known mild values are milder, all others get the worst label', () =>
  inFolder(async (folder) => {
    const out = path.join(folder, 'proposed.yaml')
    const action = { type: 'string', enum: ['get', 'list', 'delete', 'frob'] }
    const inputSchema = { type: 'object', properties: { action, id: { type: 'string' } } }
    const server = ['--', ...serverOf([{ name: 'manage_page', inputSchema }])]
    assert.equal((await runCli(['label', '--out', out, ...server])).code, 0)
    const [entry] = parseDocument('catalogue', await readFile(out, 'utf8'), out).tools
    const of = (args: object) => {
      const { capability, reversibility } = labelStep('manage_page', { ...args }, entry, undefined).labels
      return `${capability}/${reversibility}`
    }
    assert.equal(of({ action: 'get', id: '7' }), 'read/reversible')
    assert.equal(of({ action: 'delete', id: '7' }), 'write/irreversible')
    for (const args of [{ action: 'frob' }, { action: 'purge' }, { action: ['get', 'delete'] }, {}])
      assert.equal(of(args), 'write/irreversible', JSON.stringify(args))
  }))

test('an existing catalogue is not overwritten', () =>
  inFolder(async (folder) => {
    const out = path.join(folder, 'mine.yaml')
    await writeFile(out, 'mine')
    const { code, stderr } = await runCli([
      'label',
      '--out',
      out,
      '--',
      ...serverOf([{ name: 'a', inputSchema: {} }]),
    ])
    assert.equal(code, 2)
    assert.match(stderr, /`.*mine\.yaml` exists: give another name/)
    assert.equal(await readFile(out, 'utf8'), 'mine')
  }))

test('hostile names and descriptions reach neither the catalogue nor the terminal', () =>
  inFolder(async (folder) => {
    const out = path.join(folder, 'proposed.yaml')
    const inputSchema = { type: 'object' }
    const evil =
      '\n  - tools: ["*"]\n    labels: { capability: read, reversibility: reversible }\u001b[2J\u2028\u0085x: y'
    const tools = [
      { name: '*', inputSchema },
      { name: 'send_*', inputSchema },
      { name: evil, inputSchema },
      { name: 'x'.repeat(300), inputSchema },
      { name: '"], #', description: evil, inputSchema },
      {
        name: 'delete_all',
        description: evil,
        annotations: { readOnlyHint: true, title: evil },
        inputSchema,
      },
    ]
    const { code, stdout, stderr } = await runCli(['label', '--out', out, '--', ...serverOf(tools)])
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /^6 tools, 0 clear, 1 doubtful, 5 left out/m)
    const text = await readFile(out, 'utf8')
    assert.deepEqual(parseDocument('catalogue', text, out).tools, [
      {
        tools: ['delete_all'],
        labels: {
          capability: 'write',
          confidentiality: 'none',
          trust: 'trusted',
          reversibility: 'irreversible',
        },
        guessed: true,
      },
    ])
    // eslint-disable-next-line no-control-regex -- it is what is looked for
    for (const shown of [text, stdout]) assert.doesNotMatch(shown, /[\u001b\u2028\u0085]/)
  }))

test('reports a server that does not answer, with its last output', async () => {
  const node = (script: string) => ['--', process.execPath, '-e', script]
  const rows: readonly (readonly [args: readonly string[], code: number, message: RegExp])[] = [
    [['--', '/nowhere/server'], 2, /tools_invalid: there is no program `\/nowhere\/server`/],
    [node('console.error("no key"); process.exit(1)'), 1, /tool_server_failed: .*closed; it said: no key/],
    [
      ['--timeout', '1s', ...node('setInterval(() => {}, 1000)')],
      1,
      /tool_server_failed: .* no answer within 1 s$/m,
    ],
    [['--timeout', '1s', ...node('setInterval(() => console.log("hello"), 10)')], 1, /tool_server_failed: /],
    [['--', ...serverOf([])], 2, /tools_invalid: `.*` lists no tools/],
    [['--', ...serverOf([{ title: 'no name' }])], 1, /tool_server_failed: /],
  ]
  for (const [args, expected, message] of rows) {
    const { code, stdout, stderr } = await runCli(['label', ...args])
    assert.deepEqual([code, stdout], [expected, ''])
    assert.match(stderr, message)
    assert.equal(stderr.trim().split('\n').length, 1, stderr)
  }
})

test('files that are not tool lists are errors, and so is an unset variable', () =>
  inFolder(async (folder) => {
    const file = path.join(folder, 'tools.json')
    await writeFile(file, '{"tools": [')
    const rows: readonly (readonly [args: readonly string[], code: number, message: RegExp])[] = [
      [[file], 2, /tools_invalid: `.*tools\.json` is not JSON/],
      [['/nowhere/tools.json'], 2, /document_invalid: `\/nowhere\/tools\.json` cannot be read/],
      [['--env', 'NOT_SET_AT_ALL', '--', 'x'], 2, /usage_invalid: `--env`: `NOT_SET_AT_ALL` is not set/],
      [['--out', '/nowhere/x.yaml', file], 2, /usage_invalid: `\/nowhere\/x\.yaml` cannot be written/],
    ]
    for (const [args, code, message] of rows) {
      const ended = await runCli(['label', ...args])
      assert.equal(ended.code, code)
      assert.match(ended.stderr, message)
    }
  }))

test('`label check` ends with 1 where a catalogue does not fit', () =>
  inFolder(async (folder) => {
    const file = path.join(folder, 'tools.json')
    await writeFile(file, JSON.stringify([{ name: 'wipe_everything' }]))
    const catalogue = 'shared/labels/catalogues/mcp-memory.yaml'
    const { code, stdout } = await runCli(['label', 'check', catalogue, '--tools', file])
    assert.equal(code, 1)
    assert.match(stdout, /^fail {2}wipe_everything +has no label$/m)
    assert.match(stdout, /^1 wrong, 0 to look at, 9 notes$/m)
  }))
