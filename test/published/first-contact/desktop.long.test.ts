/** The README and its page on desktop clients, followed by a user and by a client that reads the configuration of Claude Desktop. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { type McpClient, connectStdio, textOf } from '../../e2e/mcp/clients.js'
import { publishPackages } from '../packages.js'
import { type Project, createProject } from '../project.js'
import { createStopwatch, decisionIn, linesOf, blocksOf } from './journey.js'

const PAGE = 'docs/tutorials/desktop-clients.md'
const CUSTOMER = 'Ann Moor, IBAN DE89370400440532013000, owes 1,240.'

const published = await publishPackages()
after(() => published.remove())

interface Entry {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** What Claude Desktop does with its configuration: starts the server of each entry, with the variables of the entry. */
async function startServers(config: string, env: Project['env']): Promise<Record<string, McpClient>> {
  const { mcpServers } = JSON.parse(await readFile(config, 'utf8')) as {
    readonly mcpServers: Readonly<Record<string, Entry>>
  }
  const started = Object.entries(mcpServers).map(async ([name, { command, args, env: own }]) => {
    // Applications get no more than this of a shell's environment.
    const { HOME = '', PATH = '' } = env
    return [
      name,
      await connectStdio('2025-11-25', [command, ...args], { env: { ...npmOf(env), HOME, PATH, ...own } }),
    ] as const
  })
  return Object.fromEntries(await Promise.all(started))
}

/** Where packages come from: on a user's machine npm knows it by itself. */
const npmOf = (env: Project['env']): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('npm_config_')))

test('Claude Desktop: from an empty folder to a blocked leak and an approved step', async (t) => {
  const home = await mkdtemp(path.join(tmpdir(), 'plimsoll-home-'))
  const { url: registry } = published.registry
  const project = await createProject({ registry, node: process.execPath, hasEmptyCache: true })
  const clients: McpClient[] = []
  t.after(async () => {
    await Promise.all(clients.map((client) => client.close()))
    await project.remove()
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  })
  const at = createStopwatch(t)
  const env: Project['env'] = { ...project.env, HOME: home, npm_config_prefix: path.join(home, 'global') }
  const sh = (line: string) =>
    project.run('sh', ['-c', line], { ...env, PATH: `${home}/global/bin:${env['PATH'] ?? ''}` })
  const open = async () => {
    const servers = await startServers(config, env)
    clients.push(...Object.values(servers))
    const { files, chat } = servers
    assert.ok(files && chat)
    return { files, chat }
  }

  // What the user has before: two servers, one of them with a variable.
  const folder = path.join(project.folder, 'customers')
  await project.write('customers/ann.txt', CUSTOMER)
  const config = path.join(home, '.config/Claude/claude_desktop_config.json')
  const npx = (...args: readonly string[]): Entry => ({ command: 'npx', args: ['-y', ...args] })
  const chatEnv = { SLACK_BOT_TOKEN: 'xoxb-none', SLACK_TEAM_ID: 'T0' }
  const mcpServers = {
    files: npx('@modelcontextprotocol/server-filesystem', folder),
    chat: { ...npx('@modelcontextprotocol/server-slack'), env: chatEnv },
  }
  const before = `${JSON.stringify({ mcpServers }, null, 2)}\n`
  await project.write(path.relative(project.folder, config), before)

  const [install = '', observe = ''] = linesOf((await blocksOf(PAGE, 'sh'))[0] ?? '')
  await sh(install)
  at(install)
  assert.match((await sh(observe)).stdout, /files +behind Plimsoll\n +chat +behind Plimsoll/)
  at(observe)
  const note = path.join(folder, 'ann.txt')
  const leak = { channel_id: 'C0', text: 'Ann Moor owes 1,240: DE89370400440532013000' }

  const observed = await open()
  at('observing: both servers answer')
  assert.equal((await observed.chat.tools()).length, 8)
  assert.equal(textOf(await observed.files.call('read_text_file', { path: note })), CUSTOMER)
  // It runs, and fails for want of a network or of a token.
  assert.doesNotMatch(textOf(await observed.chat.call('slack_post_message', leak)), /plimsoll|blocked/i)
  await Promise.all(clients.splice(0).map((client) => client.close()))
  const { stdout: report } = await sh('plimsoll observed')
  assert.match(report, /slack_post_message/)
  at('plimsoll observed')

  await sh(observe.replace(' --observe', ''))
  const { files, chat } = await open()
  assert.equal(textOf(await files.call('read_text_file', { path: note })), CUSTOMER)
  const refused = await chat.call('slack_post_message', leak)
  assert.equal(refused.isError, true)
  assert.match(textOf(refused), /was blocked/)
  at('the leak is blocked')

  const post = { channel_id: 'C0', text: 'The office is shut on Monday.' }
  const waiting = textOf(await chat.call('slack_post_message', post))
  const approved = await sh(`plimsoll approve '${decisionIn(waiting)}' --yes`)
  assert.match(approved.stdout, /channel_id.*The office is shut on Monday/s)
  assert.doesNotMatch(textOf(await chat.call('slack_post_message', post)), /plimsoll|blocked/i)
  at('the approved step has run')

  await sh('plimsoll mcp unwrap --client claude-desktop')
  assert.equal(await readFile(config, 'utf8'), before)
})
