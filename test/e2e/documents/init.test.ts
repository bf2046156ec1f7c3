import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { COMMANDS, runCli as runCommand } from '@plimsoll/cli'
import { runCli } from '../cli-process.js'
import { officialServer, serverOf } from './mcp-servers.js'

const UNKNOWN = { name: 'wipe_vault', description: 'Deletes a vault', inputSchema: { type: 'object' } }

interface Figures {
  readonly frameworks: readonly { readonly name: string }[]
  readonly servers: readonly { name: string; tools: readonly string[]; problem?: string }[]
  readonly proposed: readonly string[]
  readonly samples: readonly { tool: string; alone: { verdict: string } }[]
  readonly next: readonly string[]
}

/** A project with a framework and three MCP servers, as the working directory. */
function enterProject(t: TestContext): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'plimsoll-init-')))
  const before = process.cwd()
  t.after(() => {
    process.chdir(before)
    rmSync(folder, { recursive: true })
  })
  process.chdir(folder)
  writeFileSync('package.json', JSON.stringify({ dependencies: { '@mastra/core': '1' } }))
  const entry = ([command, ...args]: readonly string[], more = {}) => ({ command, args, ...more })
  const mcpServers = {
    slack: entry(officialServer('slack'), {
      env: { SLACK_BOT_TOKEN: '${FAKE_TOKEN:-x}', SLACK_TEAM_ID: 'T' },
    }),
    vault: entry(serverOf([UNKNOWN])),
    prompted: entry(['node', 'x'], { env: { TOKEN: '${input:token}' } }),
  }
  writeFileSync('.mcp.json', JSON.stringify({ mcpServers }))
  return folder
}

const figuresOf = (stdout: string): Figures => JSON.parse(stdout) as Figures

test('init starts no server without consent, and asks where somebody can answer', async (t) => {
  const folder = enterProject(t)
  const env = { HOME: folder, XDG_CONFIG_HOME: folder }
  const { code, stdout, stderr } = await runCli(['init', '--json'], { env })
  assert.equal(code, 0, stderr)
  const figures = figuresOf(stdout)
  assert.deepEqual(
    figures.servers.map(({ name, tools, problem = '' }) => [name, tools.length, problem.slice(0, 11)]),
    [
      ['slack', 0, 'not started'],
      ['vault', 0, 'not started'],
      ['prompted', 0, 'only its cl'],
    ],
  )
  assert.deepEqual(figures.samples, [])
  const again = await runCli(['init'], { env })
  assert.equal(again.code, 2)
  assert.match(again.stderr, /`plimsoll\/policy.yaml` exists: `--force` overwrites it/)

  const asked: string[] = []
  let shown = ''
  const output = { write: (text: string) => void (shown += text), isTerminal: true }
  await runCommand(['init', '--force', '--json'], COMMANDS, {
    env: { ...process.env, ...env },
    stdout: output,
    stderr: { ...output, write: () => {} },
    ask: async (question) => (asked.push(question) === 1 ? 'n' : 'y'),
    signal: new AbortController().signal,
  })
  assert.match(
    asked[0] ?? '',
    /start `.*slack.*` with SLACK_BOT_TOKEN, .* of .* to list the tools of slack\?/,
  )
  assert.deepEqual(
    figuresOf(shown).servers.map(({ tools }) => tools),
    [[], ['wipe_vault'], []],
  )
})

test('init --yes writes a policy and a catalogue that hold, and says what would have been asked', async (t) => {
  const folder = enterProject(t)
  const env = { HOME: folder, XDG_CONFIG_HOME: folder }
  const { code, stdout, stderr } = await runCli(['init', '--yes', '--json'], { env })
  assert.equal(code, 0, stderr)
  const { frameworks, servers, proposed, samples, next } = figuresOf(stdout)
  assert.deepEqual(
    frameworks.map(({ name }) => name),
    ['Mastra'],
  )
  assert.deepEqual(
    servers.map(({ tools }) => tools.length),
    [8, 1, 0],
  )
  // Slack's tools are known already.
  assert.deepEqual(proposed, ['wipe_vault'])
  assert.equal(samples.length, 9)
  assert.equal(samples.find(({ tool }) => tool === 'wipe_vault')?.alone.verdict, 'confirm')
  assert.equal(samples.find(({ tool }) => tool === 'slack_list_channels')?.alone.verdict, 'allow')
  assert.ok(
    next.some((line) => line.includes('plimsoll mcp wrap --file .mcp.json --observe')),
    next.join('\n'),
  )
  assert.match(readFileSync('plimsoll/catalogue.yaml', 'utf8'), /tools: \["wipe_vault"\]/)
  const lint = await runCli([
    'policy',
    'lint',
    'plimsoll/policy.yaml',
    '--catalogue',
    'plimsoll/catalogue.yaml',
  ])
  assert.equal(lint.code, 0, lint.stdout)
})

test('init goes on where the file of one client is broken, and names no step that does not apply', async (t) => {
  const folder = enterProject(t)
  writeFileSync('.mcp.json', '{ "mcpServers": ')
  const { code, stdout, stderr } = await runCli(['init', '--json'], {
    env: { HOME: folder, XDG_CONFIG_HOME: folder },
  })
  assert.equal(code, 0, stderr)
  const { servers, next } = figuresOf(stdout)
  assert.match(servers.find(({ name }) => name === '')?.problem ?? '', /^is not JSON: .* at line 1/)
  assert.ok(!next.some((line) => /\.mcp\.json/.test(line)), next.join('\n'))
  // Its page is one of this release.
  const [, page = ''] = /\(([^)]*frameworks\.md)\)$/m.exec(next.join('\n')) ?? []
  assert.ok(existsSync(page), next.join('\n'))
})
