import assert from 'node:assert/strict'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { findHookClient } from '@plimsoll/hooks'
import { parse } from 'jsonc-parser'
import type { Command } from '../../command.js'
import { hookInstall, hookUninstall } from './hook-config.js'
import { HOOK_PLACES } from './hook-places.js'

const NONE = {
  project: false,
  dryRun: false,
  observe: false,
  failOpen: false,
  policy: undefined,
  catalogue: [],
  decide: 'here',
}

/** A user in a project, with an empty home. */
function userIn(t: TestContext, name = 'home') {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'plimsoll-hook-config-')))
  const [home, cwd, state] = [
    path.join(folder, name),
    path.join(folder, 'app'),
    path.join(folder, `${name} state`),
  ]
  for (const each of [home, cwd]) mkdirSync(each)
  const before = process.cwd()
  process.chdir(cwd)
  t.after(() => {
    process.chdir(before)
    rmSync(folder, { recursive: true })
  })
  const env = { HOME: home, PLIMSOLL_STATE_DIR: state, PATH: '/usr/bin' }
  async function run(command: Command, client: string, options: object = {}): Promise<string> {
    let output = ''
    const stream = { write: (text: string) => void (output += text), isTerminal: false }
    const context = { env, stdout: stream, stderr: stream, signal: new AbortController().signal }
    assert.equal(await command.run({ ...NONE, ...options }, [client], context), 0)
    return output
  }
  return {
    home,
    cwd,
    state,
    install: (client: string, options?: object) => run(hookInstall, client, options),
    uninstall: (client: string, options?: object) => run(hookUninstall, client, options),
    /** The file or the folder of a client's hooks. */
    at: (client: string, isProject = false) => {
      const row = HOOK_PLACES.find((each) => each.client === client)
      return (isProject ? row?.project : row?.user)?.({ platform: process.platform, home, cwd, env }) ?? ''
    },
  }
}

/** All that is in a folder: text and mode by path. */
const treeOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => {
      const file = path.join(folder, name)
      const { mode } = lstatSync(file)
      return [name, `${mode.toString(8)} ${statSync(file).isFile() ? readFileSync(file, 'utf8') : ''}`]
    }),
  )

function put(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const CLIENTS = HOOK_PLACES.map(({ client }) => client)
/** Clients with JSON that may hold other hooks. */
const EDITED = CLIENTS.filter((client) => !['cline', 'opencode', 'goose'].includes(client))

for (const client of CLIENTS)
  for (const project of [false, true])
    test(`${client}${project ? ' of a project' : ''}: installed twice writes once, and uninstalled leaves nothing`, async (t) => {
      const { home, cwd, state, install, uninstall, at } = userIn(t)
      const { title = '' } = findHookClient(client) ?? {}
      const output = await install(client, { project })
      assert.ok(output.includes(at(client, project)), output)
      assert.match(output, new RegExp(`hook uninstall ${client}${project ? ' --project' : ''}\` undoes it`))
      assert.ok(existsSync(at(client, project)))
      assert.deepEqual(treeOf(project ? home : cwd), {})
      const [settings = ''] = readdirSync(path.join(state, 'hooks'))
      assert.match(settings, new RegExp(`^${client}-[0-9a-f]{12}\\.json$`))
      const [first, written] = [
        treeOf(path.dirname(home)),
        statSync(path.join(state, 'hooks', settings)).mtimeMs,
      ]
      assert.equal(await install(client, { project }), 'nothing to change\n')
      assert.deepEqual(treeOf(path.dirname(home)), first)
      assert.equal(statSync(path.join(state, 'hooks', settings)).mtimeMs, written)
      assert.match(await uninstall(client, { project }), new RegExp(`removed\\n(.*\\n)*restart ${title}\\n$`))
      assert.deepEqual([treeOf(home), treeOf(cwd)], [{}, {}])
      assert.equal(existsSync(path.join(state, 'hooks')), false)
      assert.match(
        await uninstall(client, { project }),
        /^nothing to change: there are no hooks of Plimsoll in /,
      )
    })

/** The user's own configuration, with hooks of theirs in an event that Plimsoll uses. */
const configsFor = (event: string): readonly (readonly [name: string, text: string])[] => [
  ['no text', ''],
  ['an empty object', '{}'],
  ['empty hooks', `{ "hooks": { "${event}": [] }, "version": 1 }\n`],
  ['other members in one line', `{"model":"x","hooks":{"${event}":[{"command":"./mine.sh"}]}}`],
  [
    'comments, tabs, Windows line ends and trailing commas',
    `{\r\n\t// mine\r\n\t"model": "x", /* here */\r\n\t"hooks": {\r\n\t\t"${event}": [ // first\r\n\t\t\t{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "./mine.sh" },], }, // last\r\n\t\t],\r\n\t\t"Other": [{ "command": "./other.sh" }],\r\n\t},\r\n}\r\n`,
  ],
  [
    'a byte-order mark',
    `\uFEFF{\n    "hooks": {\n        "${event}": [\n            { "command": "./mine.sh" }\n        ]\n    }\n}\n`,
  ],
]

for (const client of EDITED) {
  const [event = ''] = eventsOf(client)
  for (const [name, text] of configsFor(event))
    test(`${client}: a file with ${name} is as it was, byte for byte`, async (t) => {
      const { home, install, uninstall, at } = userIn(t, "Ada's home")
      const file = at(client)
      put(file, text)
      const before = treeOf(home)
      const output = await install(client)
      assert.ok(output.includes(`the file as it was: ${file}.plimsoll-hooks-backup`), output)
      const installed = readFileSync(file, 'utf8')
      const { hooks } = parse(installed.replace(/^\uFEFF/, ''), [], { allowTrailingComma: true }) as {
        hooks: Record<string, unknown[]>
      }
      for (const each of eventsOf(client)) assert.match(JSON.stringify(hooks[each]), /hook-program\.js/)
      for (const kept of text.match(/\/\/ \w+|\/\* \w+ \*\/|"\.\/\w+\.sh"|"model"|\uFEFF/g) ?? [])
        assert.ok(installed.includes(kept), kept)
      if (text.includes('\r\n')) assert.doesNotMatch(installed, /[^\r]\n/)
      assert.equal(await install(client), 'nothing to change\n')
      assert.equal(readFileSync(file, 'utf8'), installed)
      await install(client, { failOpen: true, observe: true })
      await uninstall(client)
      assert.deepEqual(treeOf(home), before)
    })

  test(`${client}: what was edited since stays`, async (t) => {
    const { install, uninstall, at } = userIn(t)
    const file = at(client)
    put(file, `{\n  "hooks": {\n    "${event}": [{ "command": "./mine.sh" }]\n  }\n}\n`)
    await install(client)
    writeFileSync(file, readFileSync(file, 'utf8').replace('{', '{\n  // since\n  "added": true,'))
    await uninstall(client)
    const text = readFileSync(file, 'utf8')
    assert.match(text, /\/\/ since/)
    assert.deepEqual(parse(text), { added: true, hooks: { [event]: [{ command: './mine.sh' }] } })
    assert.deepEqual(readdirSync(path.dirname(file)), [path.basename(file)])
  })

  test(`${client}: a file that Plimsoll made stays with what was added since`, async (t) => {
    const { install, uninstall, at } = userIn(t)
    const file = at(client)
    await install(client)
    writeFileSync(file, readFileSync(file, 'utf8').replace('{', '{\n  "added": true,'))
    await install(client, { failOpen: true })
    await uninstall(client)
    const { version, ...left } = parse(readFileSync(file, 'utf8')) as Record<string, unknown>
    assert.deepEqual(left, { added: true })
    assert.ok(version === undefined || version === 1)
  })

  test(`${client}: a file that is no JSON is refused, and nothing is written`, async (t) => {
    const { home, state, install, at } = userIn(t)
    for (const [text, problem] of [
      ['{\n  "hooks": ', /is not JSON: \w+ at line 2, column \d+/],
      ['[]', /is not a JSON object/],
      ['{ "hooks": [] }', /has `hooks`, which is not an object/],
      [`{ "hooks": { "${event}": {} } }`, /has `hooks\.\w+`, which is not an array/],
    ] as const) {
      put(at(client), text)
      const before = treeOf(home)
      await assert.rejects(install(client), { code: 'document_invalid', message: problem })
      assert.deepEqual(treeOf(home), before)
      assert.equal(existsSync(state), false)
    }
  })
}

function eventsOf(client: string): readonly string[] {
  const hook = { words: [], failOpen: false, isProject: false, platform: process.platform }
  const [file] = HOOK_PLACES.find((each) => each.client === client)?.files('', hook) ?? []
  return file?.kind === 'entries' ? Object.keys(file.entries) : []
}

test('a handler of Plimsoll among others of a group is removed alone', async (t) => {
  const { install, uninstall, at } = userIn(t)
  const file = at('claude-code')
  await install('claude-code')
  const value = JSON.parse(readFileSync(file, 'utf8')) as { hooks: { PreToolUse: { hooks: object[] }[] } }
  value.hooks.PreToolUse[0]?.hooks.unshift({ type: 'command', command: './mine.sh' })
  writeFileSync(file, JSON.stringify(value))
  await uninstall('claude-code')
  assert.deepEqual(parse(readFileSync(file, 'utf8')), {
    hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: './mine.sh' }] }] },
  })
})

test("the user's hooks and the project's are apart", async (t) => {
  const { home, cwd, install, uninstall } = userIn(t)
  await install('gemini')
  const before = treeOf(home)
  await install('gemini', { project: true })
  await uninstall('gemini', { project: true })
  assert.deepEqual([treeOf(home), treeOf(cwd)], [before, {}])
})

test('settings have what the options say; other options alone change only the settings', async (t) => {
  const { state, cwd, install } = userIn(t)
  await install('codex', { observe: true })
  const [name = ''] = readdirSync(path.join(state, 'hooks'))
  const settingsOf = () =>
    JSON.parse(readFileSync(path.join(state, 'hooks', name), 'utf8')) as Record<string, unknown>
  const { client, options, socket, failOpen } = settingsOf()
  assert.deepEqual([client, failOpen, options], ['codex', false, ['--socket', socket, '--observe']])
  await install('codex', { observe: true, project: true })
  assert.equal(await install('codex'), 'the options are changed, from the next call on\n')
  assert.deepEqual(settingsOf()['options'], ['--socket', settingsOf()['socket']])
  assert.ok(existsSync(path.join(cwd, '.codex/hooks.json')))
})

test('`--dry-run` shows the change and writes nothing', async (t) => {
  const { home, state, install, uninstall, at } = userIn(t)
  const output = await install('codex', { dryRun: true })
  assert.match(output, /^\+ {6}"PreToolUse": \[|^\+ {4}"PreToolUse": \[/m)
  assert.match(output, /nothing was written\n$/)
  assert.deepEqual([treeOf(home), existsSync(state)], [{}, false])
  await install('codex')
  const before = treeOf(home)
  assert.match(await uninstall('codex', { dryRun: true }), /^-.*"PreToolUse"/m)
  assert.deepEqual(treeOf(home), before)
  assert.ok(existsSync(at('codex')))
})

for (const client of ['cline', 'opencode'])
  test(`${client}: a file of the user is not replaced`, async (t) => {
    const { home, state, install, at } = userIn(t)
    const file = client === 'cline' ? path.join(at(client), 'PreToolUse') : at(client)
    put(file, '#!/bin/sh\necho mine\n')
    const before = treeOf(home)
    await assert.rejects(install(client), { code: 'usage_invalid', message: /is not Plimsoll's: move it/ })
    assert.deepEqual([treeOf(home), existsSync(state)], [before, false])
  })

test('scripts of Cline can be run', async (t) => {
  const { install, at } = userIn(t)
  await install('cline')
  assert.equal(statSync(path.join(at('cline'), 'PreToolUse')).mode & 0o777, 0o700)
})

test('an unknown client is refused with the list of clients', async (t) => {
  const { install, uninstall } = userIn(t)
  for (const run of [install, uninstall])
    await assert.rejects(run('emacs'), {
      code: 'usage_invalid',
      message: /there is no coding agent `emacs`: choose claude-code, codex/,
    })
})

test('from the cache of npx it installs nothing, and uninstalls', async (t) => {
  const { home, install, uninstall } = userIn(t)
  await install('cursor')
  const script = process.argv[1] ?? ''
  t.after(() => (process.argv[1] = script))
  process.argv[1] = '/home/ada/.npm/_npx/4f/node_modules/.bin/plimsoll'
  await assert.rejects(install('codex'), { code: 'usage_invalid', message: /npm install --global plimsoll/ })
  await uninstall('cursor')
  assert.deepEqual(treeOf(home), {})
})
