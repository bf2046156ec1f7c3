import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { HOOK_CLIENTS, findHookClient, hookProgram } from '@plimsoll/hooks'
import type { HookFile } from './hook-files/file-changes.js'
import { opencodePlugin } from './hook-files/opencode-plugin.js'
import { HOOK_PLACES, type Hook, commandText } from './hook-places.js'

const HOOK: Hook = {
  words: ['/opt/node', '/opt/main.js', '/state/hooks/x.json'],
  failOpen: false,
  isProject: false,
  platform: 'linux',
}

const filesOf = (client: string, hook: Partial<Hook> = {}): readonly HookFile[] =>
  HOOK_PLACES.find((each) => each.client === client)?.files('/at', { ...HOOK, ...hook }) ?? []

const entriesOf = (client: string, hook: Partial<Hook> = {}): Record<string, string> =>
  Object.fromEntries(
    filesOf(client, hook).flatMap((file) =>
      file.kind === 'entries'
        ? Object.entries(file.entries).map(([event, list]) => [event, JSON.stringify(list)])
        : [],
    ),
  )

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-hook-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

test('each client of hooks has its place', () => {
  assert.deepEqual(
    HOOK_PLACES.map(({ client }) => client),
    HOOK_CLIENTS.map(({ name }) => name),
  )
})

test('places of a user and of a project, where variables move them', () => {
  const env = { CLAUDE_CONFIG_DIR: '/c', CODEX_HOME: '/x', COPILOT_HOME: '/p', XDG_CONFIG_HOME: '/o' }
  const place = { platform: 'linux', home: '/home/ada', cwd: '/srv/app', env: {} } as const
  const placesOf = (client: string) => {
    const found = HOOK_PLACES.find((each) => each.client === client)
    return [found?.user(place), found?.user({ ...place, env }), found?.project(place)]
  }
  assert.deepEqual(placesOf('claude-code'), [
    '/home/ada/.claude/settings.json',
    '/c/settings.json',
    '/srv/app/.claude/settings.local.json',
  ])
  assert.deepEqual(placesOf('codex'), [
    '/home/ada/.codex/hooks.json',
    '/x/hooks.json',
    '/srv/app/.codex/hooks.json',
  ])
  assert.deepEqual(placesOf('copilot'), [
    '/home/ada/.copilot/hooks/plimsoll.json',
    '/p/hooks/plimsoll.json',
    '/srv/app/.github/copilot/settings.local.json',
  ])
  assert.equal(placesOf('opencode')[1], '/o/opencode/plugins/plimsoll.js')
})

/** What any client needs in an event. */
const PAYLOAD = {
  session_id: 's',
  conversation_id: 's',
  trajectory_id: 's',
  taskId: 's',
  sessionID: 's',
  tool: 'bash',
  tool_name: 'Bash',
  submitted_prompt: 'Fix it',
  command: 'ls',
  preToolUse: { toolName: 'run_commands' },
  postToolUse: { toolName: 'run_commands' },
  tool_info: { mcp_tool_name: 'a' },
}
for (const { name } of HOOK_CLIENTS)
  test(`${name}: each event is one of its adapter, with a step before and after it`, () => {
    const own = filesOf(name).flatMap((file) =>
      file.kind === 'own' && /\/[A-Z]\w+$/.test(file.file) ? [path.basename(file.file)] : [],
    )
    const events = name === 'opencode' ? opencodeEvents() : [...Object.keys(entriesOf(name)), ...own]
    const kinds = events.map((event) => findHookClient(name)?.read(PAYLOAD, event)?.kind)
    assert.ok(!kinds.includes(undefined), `${events.join()}: ${kinds.join()}`)
    for (const kind of ['prompted', 'step-proposed', 'step-completed'] as const)
      assert.ok(kinds.includes(kind), kind)
  })

const opencodeEvents = (): readonly string[] =>
  [
    ...opencodePlugin(HOOK).matchAll(
      /'((?:tool\.execute|chat|session)\.(?:before|after|message|idle|deleted))'/g,
    ),
  ].map(([, event = '']) => event)

const SWITCHES = [
  ['claude-code', 'PreToolUse', '"onFailure":"block"'],
  ['cursor', 'beforeShellExecution', '"failClosed":true'],
  ['cursor', 'preToolUse', '"failClosed":true'],
  ['goose', 'PreToolUse', '"on_failure":"block"'],
] as const
for (const [client, event, text] of SWITCHES)
  test(`${client} stops a call if its hook ${event} fails, unless it is to run`, () => {
    assert.ok(entriesOf(client)[event]?.includes(text))
    assert.ok(!entriesOf(client, { failOpen: true })[event]?.includes(text))
    for (const [other, entry] of Object.entries(entriesOf(client)))
      if (/post|after|stop|end|prompt/i.test(other)) assert.ok(!entry.includes(text), other)
  })

const LIMITS = [
  ['claude-code', 'PreToolUse', '"timeout":30,'],
  ['codex', 'PreToolUse', '"timeout":30}'],
  ['codex', 'SessionEnd', '"timeout":3}'],
  ['gemini', 'BeforeTool', '"timeout":30000}'],
  ['qwen', 'PreToolUse', '"timeout":30000}'],
  ['copilot', 'preToolUse', '"timeoutSec":30}'],
] as const
for (const [client, event, text] of LIMITS)
  test(`${client} waits for ${event} with ${text}`, () =>
    assert.ok(entriesOf(client)[event]?.includes(text), entriesOf(client)[event]))

test('a client that does not send the name of the event gets it in the command', () =>
  assert.match(entriesOf('copilot')['preToolUse'] ?? '', /x\.json preToolUse"/))

test('on Windows a command is for the shell of the client', () => {
  const words = ['C:\\Program Files\\node.exe', "C:\\Ada's\\main.js", 'PreToolUse']
  assert.equal(commandText(words, 'cmd'), `"C:\\Program Files\\node.exe" "C:\\Ada's\\main.js" PreToolUse`)
  assert.equal(
    commandText(words, 'powershell'),
    `& 'C:\\Program Files\\node.exe' 'C:\\Ada''s\\main.js' 'PreToolUse'`,
  )
  const onWindows = entriesOf('windsurf', { platform: 'win32' })['pre_run_command']
  assert.match(onWindows ?? '', /"powershell":"& '/)
  assert.match(entriesOf('goose', { platform: 'win32' })['PreToolUse'] ?? '', /"command":"\/opt\/node /)
})

/** Names that a shell takes apart unless they are quoted. */
const ODD_FOLDER = `it's a "$HOME" & \`id\`; folder`

for (const client of HOOK_CLIENTS.map(({ name }) => name).filter((name) => name !== 'opencode'))
  test(`${client}: a shell starts the program, whatever its paths are`, (t) => {
    const folder = path.join(folderOf(t), ODD_FOLDER)
    mkdirSync(folder)
    const settings = path.join(folder, 'settings.json')
    writeFileSync(settings, JSON.stringify({ schema: 1, kind: 'plimsoll.hook', client: 'unknown' }))
    const hook = { words: [process.execPath, fileURLToPath(hookProgram), settings] }
    const commands = filesOf(client, hook).flatMap((file) =>
      file.kind === 'entries'
        ? Object.values(file.entries).flatMap((list) => commandsIn(list))
        : path.basename(file.file) === 'PreToolUse'
          ? [file.text]
          : [],
    )
    assert.ok(commands.length > 0)
    const { stderr, status } = spawnSync('sh', ['-c', commands[0] ?? ''], { input: '{}', encoding: 'utf8' })
    assert.equal(stderr, 'plimsoll: there is no client `unknown`\n')
    assert.equal(status, 2)
  })

const commandsIn = (value: unknown): readonly string[] =>
  Object.entries(value as Record<string, unknown>).flatMap(([name, member]) =>
    typeof member === 'object' && member !== null
      ? commandsIn(member)
      : name === 'command' || name === 'bash'
        ? [String(member)]
        : [],
  )
