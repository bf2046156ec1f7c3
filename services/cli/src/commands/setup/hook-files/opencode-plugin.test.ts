import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { opencodePlugin } from './opencode-plugin.js'

type Call = (...args: readonly unknown[]) => Promise<void>
interface Plugin {
  readonly server: (input: object) => Promise<Record<string, Call>>
  readonly setup: (context: object) => Promise<() => void>
}

/** The plugin before a program that answers `stop` to commands that begin with `rm`, and writes down what it gets. */
async function pluginIn(t: TestContext, failOpen = false) {
  const folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-opencode-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [program, log] = [path.join(folder, 'program.mjs'), path.join(folder, 'log')]
  writeFileSync(
    program,
    `import { appendFileSync, readFileSync } from 'node:fs'
const text = readFileSync(0, 'utf8')
const { args } = JSON.parse(text)
if (args?.command === 'fail') process.exit(1)
appendFileSync(${JSON.stringify(log)}, text + '\\n')
console.log(JSON.stringify(args?.command?.startsWith('rm') ? { stop: 'not named' } : {}))
`,
  )
  const file = path.join(folder, 'plimsoll.mjs')
  writeFileSync(file, opencodePlugin({ words: [process.execPath, program, 'settings'], failOpen }))
  const { default: plugin } = (await import(pathToFileURL(file).href)) as { default: Plugin }
  const sent = () =>
    readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  return { plugin, sent }
}

const SESSIONS: Record<string, object> = {
  root: { id: 'root', directory: '/srv/app' },
  child: { id: 'child', parentID: 'root', directory: '/srv/app' },
}
const client = {
  session: { get: ({ path: { id } }: { path: { id: string } }) => Promise.resolve({ data: SESSIONS[id] }) },
}

test('OpenCode 1: a stopped call throws its reason, another runs, and results are reported', async (t) => {
  const { plugin, sent } = await pluginIn(t)
  const hooks = await plugin.server({ client, directory: '/srv' })
  const call = { tool: 'bash', sessionID: 'root', callID: 'c1' }
  const before = (command: string) => hooks['tool.execute.before']?.(call, { args: { command } })
  await before('ls')
  await hooks['tool.execute.after']?.({ ...call, args: { command: 'ls' } }, { output: 'a.ts' })
  await assert.rejects(async () => before('rm -rf /'), { message: 'not named' })
  await assert.rejects(async () => before('fail'), /Plimsoll gave no verdict: it ended with 1/)
  await hooks['event']?.({ event: { type: 'session.idle', properties: { sessionID: 'root' } } })
  const step = { sessionID: 'root', rootID: 'root', directory: '/srv/app', callID: 'c1', tool: 'bash' }
  assert.deepEqual(sent(), [
    { event: 'tool.execute.before', ...step, args: { command: 'ls' } },
    { event: 'tool.execute.after', ...step, args: { command: 'ls' }, output: 'a.ts' },
    { event: 'tool.execute.before', ...step, args: { command: 'rm -rf /' } },
    { event: 'session.idle', sessionID: 'root', rootID: 'root', directory: '/srv/app' },
  ])
})

test('OpenCode 1: what an agent asks its sub-agent is no prompt of the user, and its calls name the session', async (t) => {
  const { plugin, sent } = await pluginIn(t)
  const hooks = await plugin.server({ client, directory: '/srv' })
  const say = (sessionID: string, ...parts: object[]) => hooks['chat.message']?.({ sessionID }, { parts })
  await say(
    'root',
    { type: 'text', text: 'Fix it' },
    { type: 'text', text: 'a file', synthetic: true },
    { type: 'file' },
  )
  await say('child', { type: 'text', text: 'Delete all' })
  await say('unknown', { type: 'text', text: 'Delete all' })
  await hooks['tool.execute.before']?.({ tool: 'bash', sessionID: 'child', callID: 'c' }, { args: {} })
  await hooks['event']?.({ event: { type: 'session.idle', properties: { sessionID: 'child' } } })
  assert.deepEqual(
    sent().map(({ event, sessionID, rootID, text }) => [event, sessionID, rootID, text]),
    [
      ['chat.message', 'root', 'root', 'Fix it'],
      ['tool.execute.before', 'child', 'root', undefined],
      ['session.idle', 'child', 'root', undefined],
    ],
  )
})

test('OpenCode: with `--fail-open` a call runs if the program fails', async (t) => {
  const { plugin } = await pluginIn(t, true)
  const hooks = await plugin.server({ client, directory: '/srv' })
  await hooks['tool.execute.before']?.(
    { tool: 'bash', sessionID: 'root', callID: 'c' },
    { args: { command: 'fail' } },
  )
})

test('OpenCode 2: the same by its hooks and events, with the old names of tools', async (t) => {
  const { plugin, sent } = await pluginIn(t)
  const hooks: Record<string, Call> = {}
  const hook = (name: string, call: Call) => Promise.resolve(void (hooks[name] = call))
  const found = { parentID: undefined, location: { directory: '/srv/app' } }
  let end = () => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  const stop = await plugin.setup({
    session: { hook, get: () => Promise.resolve(found) },
    tool: { hook },
    event: {
      async *subscribe() {
        await ended
        yield { type: 'session.execution.succeeded', data: { sessionID: 'root' } }
        yield { type: 'session.renamed', data: {} }
      },
    },
  })
  const step = { sessionID: 'root', id: 'c1', tool: 'shell' }
  await hooks['prompt']?.({ sessionID: 'root', prompt: { text: 'Fix it' } })
  await hooks['execute.before']?.({ ...step, input: { command: 'ls' } })
  await hooks['execute.after']?.({ ...step, input: { command: 'ls' }, result: { content: 'a.ts' } })
  await assert.rejects(async () => hooks['execute.before']?.({ ...step, input: { command: 'rm a' } }), {
    message: 'not named',
  })
  end()
  while (sent().length < 5) await new Promise((resolve) => setTimeout(resolve, 10))
  stop()
  assert.deepEqual(
    sent().map(({ event, tool, text, output }) => [event, tool, text ?? output]),
    [
      ['chat.message', undefined, 'Fix it'],
      ['tool.execute.before', 'bash', undefined],
      ['tool.execute.after', 'bash', 'a.ts'],
      ['tool.execute.before', 'bash', undefined],
      ['session.idle', undefined, undefined],
    ],
  )
})
