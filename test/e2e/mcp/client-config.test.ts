import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { parse } from 'jsonc-parser'
import { projectRoot } from '../../support/paths.js'
import { runCli } from '../cli-process.js'
import { officialServer } from '../documents/mcp-servers.js'
import { type McpClient, connectStdio, textOf } from './clients.js'

// The entries start the script that runs.
process.argv[1] = path.join(projectRoot, 'services/cli/bin/plimsoll.js')

interface ClientEntry {
  readonly command: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** Official servers as a user would configure them: `node` by its name, keys in `env`. */
function entriesFor(folder: string, token: string): Record<string, ClientEntry> {
  const entry = (name: Parameters<typeof officialServer>[0], env?: Record<string, string>): ClientEntry => ({
    command: 'node',
    args: [...officialServer(name).slice(1, 2), ...(name === 'filesystem' ? [folder] : [])],
    ...(env && { env }),
  })
  return {
    files: entry('filesystem'),
    memory: entry('memory', { MEMORY_FILE_PATH: path.join(folder, 'memory.jsonl') }),
    everything: entry('everything'),
    slack: entry('slack', { SLACK_BOT_TOKEN: token, SLACK_TEAM_ID: 'T0' }),
  }
}

interface Format {
  readonly name: string
  readonly file: string
  /** Those that are started. */
  readonly servers: readonly (keyof typeof CALLS)[]
  readonly textOf: (folder: string) => string
}

const INPUT = '${input:token}'
const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

const FORMATS: readonly Format[] = [
  {
    name: 'Claude Desktop',
    file: 'claude_desktop_config.json',
    servers: ['files', 'slack'],
    textOf: (folder: string) => json({ mcpServers: entriesFor(folder, 'xoxb-fake') }),
  },
  {
    name: 'Cursor',
    file: '.cursor/mcp.json',
    servers: ['memory', 'everything'],
    textOf: (folder: string) => json({ mcpServers: entriesFor(folder, 'xoxb-fake') }),
  },
  {
    name: 'VS Code',
    file: '.vscode/mcp.json',
    servers: ['slack', 'files'],
    textOf: (folder: string) =>
      `// shared by the team\n${json({
        inputs: [{ type: 'promptString', id: 'token', description: 'token', password: true }],
        servers: Object.fromEntries(
          Object.entries(entriesFor(folder, INPUT)).map(([name, entry]) => [
            name,
            { type: 'stdio', ...entry },
          ]),
        ),
      }).replace(/\n}\n$/, ',\n}\n')}`,
  },
]

/** Starts a server as a desktop client does: by its entry alone, without a search path, and with what its user typed for inputs. */
async function startAsClient(t: TestContext, file: string, name: string, more: Record<string, string> = {}) {
  const config = parse(await readFile(file, 'utf8'), [], { allowTrailingComma: true }) as Record<
    string,
    Record<string, ClientEntry>
  >
  const entry = (config['mcpServers'] ?? config['servers'])?.[name]
  assert.ok(entry, name)
  const env = Object.fromEntries(
    Object.entries(entry.env ?? {}).map(([name, value]) => [name, value.replace(INPUT, 'xoxb-typed')]),
  )
  const command = [entry.command, ...(entry.args ?? [])]
  const client = await connectStdio('2025-11-25', command, {
    env: { ...env, ...more, PATH: '/nonexistent' },
  })
  t.after(() => client.close())
  return client
}

/** Lists the tools of each server and calls one; Slack's would need the network. */
const CALLS = {
  files: async (client: McpClient, folder: string) => {
    assert.equal((await client.tools()).length, 14)
    const note = await client.call('read_text_file', { path: path.join(folder, 'note.txt') })
    assert.equal(textOf(note), 'five crates')
    assert.equal((note.meta['dev.plimsoll/decision'] as { verdict: string }).verdict, 'allow')
  },
  slack: async (client: McpClient) => assert.equal((await client.tools()).length, 8),
  memory: async (client: McpClient) => assert.match(textOf(await client.call('read_graph')), /entities/),
  everything: async (client: McpClient) =>
    assert.match(textOf(await client.call('get-sum', { a: 2, b: 3 })), /5/),
}

for (const { name, file: relative, textOf: text, servers } of FORMATS)
  test(`${name}: real servers behind the proxy, started from the client's configuration, and undone`, async (t) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-client-'))
    t.after(() => rm(folder, { recursive: true, force: true }))
    const file = path.join(folder, relative)
    await mkdir(path.dirname(file), { recursive: true })
    const original = text(folder)
    await writeFile(file, original, { mode: 0o640 })
    await writeFile(path.join(folder, 'note.txt'), 'five crates')
    const mcp = async (...args: string[]) => {
      const [verb = '', ...rest] = args
      const { code, stdout, stderr } = await runCli(['mcp', verb, '--file', file, ...rest])
      assert.equal(code, 0, stderr)
      return stdout
    }

    assert.match(await mcp('wrap', '--dry-run'), /\+ .*plimsoll\.js/)
    assert.equal(await readFile(file, 'utf8'), original)
    assert.ok((await mcp('wrap')).includes(`\`npx plimsoll mcp unwrap --file ${file}\` restores the old`))
    const wrapped = await readFile(file, 'utf8')
    assert.notEqual(wrapped, original)
    assert.match(await mcp('wrap'), /nothing to change/)
    assert.equal(await readFile(file, 'utf8'), wrapped)
    assert.equal((await stat(file)).mode & 0o777, 0o640)

    for (const server of servers) await CALLS[server](await startAsClient(t, file, server), folder)

    await mcp('add', 'again', '--', 'node', 'server.js')
    await mcp('add', 'again', '--undo')
    assert.equal(await readFile(file, 'utf8'), wrapped)
    await mcp('unwrap')
    assert.equal(await readFile(file, 'utf8'), original)
    await assert.rejects(stat(`${file}.plimsoll-backup`))
  })

test('a project cannot have the copy of its configuration written over another file', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-client-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const [file, other] = [path.join(folder, '.mcp.json'), path.join(folder, 'other.json')]
  await writeFile(file, json({ mcpServers: { planted: { command: 'node', args: ['server.js'] } } }))
  await writeFile(other, json({ mcpServers: {} }))
  await symlink(other, `${file}.plimsoll-backup`)
  const { code, stderr } = await runCli(['mcp', 'wrap', '--file', file])
  assert.equal(code, 2)
  assert.match(stderr, /plimsoll-backup` is a link/)
  assert.equal(await readFile(other, 'utf8'), json({ mcpServers: {} }))
})

test('a server is not put behind a catalogue that is not there', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-client-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'mcp.json')
  const original = json({ mcpServers: { notes: { command: 'node', args: ['notes.js'] } } })
  await writeFile(file, original)
  const missing = path.join(folder, 'nope.yaml')
  for (const option of ['--catalogue', '--policy']) {
    const { code, stderr } = await runCli(['mcp', 'wrap', '--file', file, option, missing])
    assert.equal(code, 2)
    assert.match(stderr, /nope\.yaml` cannot be read/)
  }
  assert.equal(await readFile(file, 'utf8'), original)
})

test('a client without a configuration gets one, and what it observes is reported', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-client-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const env = {
    HOME: folder,
    XDG_CONFIG_HOME: path.join(folder, 'config'),
    APPDATA: path.join(folder, 'config'),
  }
  const server = ['--', 'node', ...officialServer('memory').slice(1)]
  const run = (...args: string[]) =>
    runCli(['mcp', ...args], { env }).then(({ code, stdout, stderr }) => {
      assert.equal(code, 0, stderr)
      return JSON.parse(stdout) as { file: string }
    })
  const more = ['--observe', '--env', `MEMORY_FILE_PATH=${path.join(folder, 'memory.jsonl')}`]
  const { file } = await run('add', 'memory', '--client', 'claude-desktop', ...more, '--json', ...server)
  assert.ok(file.startsWith(folder), file)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  const state = { PLIMSOLL_STATE_DIR: path.join(folder, 'state') }
  const client = await startAsClient(t, file, 'memory', state)
  assert.equal((await client.tools()).length, 9)
  // Asked about otherwise: nobody's task asks to delete.
  const deleted = await client.call('delete_entities', { entityNames: ['Ines'] })
  assert.notEqual(deleted.isError, true, textOf(deleted))
  await client.close()
  const found = await runCli(['observed'], { env: state })
  assert.match(
    found.stdout,
    /^delete_entities: 1 asked, 0 blocked of 1 step, in 1 of 1 session/m,
    found.stderr,
  )
  assert.doesNotMatch(await readFile(path.join(folder, 'state/decisions.jsonl'), 'utf8'), /Ines/)
  const taken = await runCli(['mcp', 'add', 'memory', '--client', 'claude-desktop', '--', 'other'], { env })
  assert.equal(taken.code, 2)
  assert.match(
    taken.stderr,
    /has a server `memory` already: `npx plimsoll mcp wrap memory --client claude-desktop`/,
  )
})

test('a file without servers, and one with the line ends of Windows', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-client-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'mcp.json')
  await writeFile(file, '{}')
  const empty = await runCli(['mcp', 'wrap', '--file', file])
  assert.match(
    empty.stdout,
    /nothing to change: there are no servers in `mcpServers`; `plimsoll mcp add` adds/,
  )
  await writeFile(
    file,
    json({ mcpServers: { notes: { command: 'node', args: ['notes.js'] } } }).replaceAll('\n', '\r\n'),
  )
  const { stdout } = await runCli(['mcp', 'wrap', '--file', file, '--dry-run'])
  assert.match(stdout, /^\+ +"mcp",$/m)
  const bare = await runCli(['mcp', 'unwrap', '--file', file])
  assert.match(bare.stdout, /nothing to change: no server is behind Plimsoll/)
})
