import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { HOOK_CLIENTS } from '@plimsoll/hooks'
import { parse } from 'jsonc-parser'
import { runCli } from '../cli-process.js'
import { PLIMSOLL, claude, servicesAt } from './hook-process.js'

// The hooks start the script that runs.
process.argv[1] = PLIMSOLL

/** An empty home and project, whose names a shell must not take apart. */
async function world(context: TestContext) {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "plimsoll it's a-")))
  const [home, project] = [path.join(folder, 'ann & bob'), path.join(folder, 'app $HOME')]
  await mkdir(home)
  await mkdir(project)
  const before = process.cwd()
  process.chdir(project)
  const env = {
    HOME: home,
    PATH: process.env['PATH'] ?? '',
    XDG_STATE_HOME: path.join(home, '.local/state'),
  }
  const state = path.join(home, '.local/state/plimsoll/hooks')
  context.after(async () => {
    process.chdir(before)
    for (const pid of servicesAt(state)) process.kill(pid, 'SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })
  return {
    home,
    project,
    env,
    run: (...args: string[]) => runCli(['hook', ...args], { env }),
    /** All files and folders but those of Plimsoll. */
    files: () => [home, project].flatMap((at) => filesIn(at).filter((each) => !each.includes('.local'))),
  }
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((each) => {
    const whole = path.join(folder, each.name)
    return each.isDirectory() ? [whole, ...filesIn(whole)] : [whole]
  })
}

const NAMES = HOOK_CLIENTS.map(({ name }) => name)

for (const scope of [[], ['--project']])
  test(`install and uninstall leave an empty folder as it was${scope.join(' ')}`, async (context) => {
    const { run, files } = await world(context)
    for (const name of NAMES) {
      const installed = await run('install', name, ...scope)
      assert.equal(installed.code, 0, `${name}: ${installed.stderr}`)
      assert.match(installed.stdout, new RegExp(`hook uninstall ${name}`))
      const written = files()
      assert.ok(written.length > 0, name)
      const again = await run('install', name, ...scope)
      assert.equal(again.stdout, 'nothing to change\n', name)
      assert.deepEqual(files(), written)
      const removed = await run('uninstall', name, ...scope)
      assert.equal(removed.code, 0, removed.stderr)
      assert.deepEqual(files(), [], name)
    }
  })

/** A configuration with comments, other hooks and the layout of its user. */
const OWN = `{\r
\t// mine\r
\t"model": "large",\r
\t"hooks": {\r
\t\t"PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "my-hook" }] }], // keep\r
\t\t"preToolUse": [{ "command": "my-hook" }],\r
\t},\r
}\r
`

const FILES = {
  'claude-code': '.claude/settings.json',
  codex: '.codex/hooks.json',
  gemini: '.gemini/settings.json',
  qwen: '.qwen/settings.json',
  cursor: '.cursor/hooks.json',
  windsurf: '.codeium/windsurf/hooks.json',
} as const

test('keeps comments, layout and other hooks, and gives them back byte for byte', async (context) => {
  const { home, run } = await world(context)
  for (const [name, relative] of Object.entries(FILES)) {
    const file = path.join(home, relative)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, OWN)
    await run('install', name)
    const text = await readFile(file, 'utf8')
    assert.match(text, /\/\/ mine/)
    assert.match(text, /my-hook/)
    assert.notEqual(text, OWN)
    await run('uninstall', name)
    assert.equal(await readFile(file, 'utf8'), OWN, name)
  }
})

test('what was edited after the installation stays', async (context) => {
  const { home, run } = await world(context)
  const file = path.join(home, FILES['claude-code'])
  await mkdir(path.dirname(file))
  await writeFile(file, OWN)
  await run('install', 'claude-code')
  await writeFile(file, (await readFile(file, 'utf8')).replace('"large"', '"small"'))
  await run('uninstall', 'claude-code')
  const value = parse(await readFile(file, 'utf8'), [], { allowTrailingComma: true }) as object
  const before = parse(OWN, [], { allowTrailingComma: true }) as object
  assert.deepEqual(value, { ...before, model: 'small' })
})

test('other options replace the hook', async (context) => {
  const { home, run } = await world(context)
  await run('install', 'claude-code')
  const state = path.join(home, '.local/state/plimsoll/hooks')
  const settings = async () => {
    const name = readdirSync(state).find((each) => /^claude-code-\w+\.json$/.test(each)) ?? ''
    return JSON.parse(await readFile(path.join(state, name), 'utf8')) as {
      options: string[]
      failOpen: boolean
    }
  }
  assert.equal((await settings()).failOpen, false)
  await run('install', 'claude-code', '--observe', '--fail-open')
  assert.ok((await settings()).options.includes('--observe'))
  assert.equal((await settings()).failOpen, true)
  const { hooks } = JSON.parse(await readFile(path.join(home, FILES['claude-code']), 'utf8')) as {
    hooks: Record<string, unknown[]>
  }
  assert.equal(hooks['PreToolUse']?.length, 1)
  assert.equal(statSync(state).mode & 0o777, 0o700)
  for (const name of readdirSync(state))
    assert.equal(statSync(path.join(state, name)).mode & 0o777, 0o600, name)
})

test('shows what it would do, and writes nothing', async (context) => {
  const { run, files } = await world(context)
  const shown = await run('install', 'cursor', '--dry-run')
  assert.match(shown.stdout, /nothing was written/)
  assert.deepEqual(files(), [])
})

test('refuses a configuration that is broken, and a file of the user in its place', async (context) => {
  const { home, project, run } = await world(context)
  const file = path.join(home, FILES.gemini)
  await mkdir(path.dirname(file))
  for (const text of ['{ "hooks": ', '[]', '{ "hooks": [] }']) {
    await writeFile(file, text)
    const refused = await run('install', 'gemini')
    assert.equal(refused.code, 2, text)
    assert.match(refused.stderr, /settings\.json/)
    assert.equal(await readFile(file, 'utf8'), text)
  }
  const script = path.join(project, '.clinerules/hooks/PreToolUse')
  await mkdir(path.dirname(script), { recursive: true })
  await writeFile(script, '#!/bin/sh\n')
  const refused = await run('install', 'cline', '--project')
  assert.equal(refused.code, 2)
  assert.match(refused.stderr, /is not Plimsoll's/)
  assert.equal(await readFile(script, 'utf8'), '#!/bin/sh\n')
  const unknown = await run('install', 'emacs')
  assert.equal(unknown.code, 2)
  assert.match(unknown.stderr, /claude-code/)
})

test('a shell starts the command that is written, from any folder', async (context) => {
  const { home, env, run } = await world(context)
  await run('install', 'claude-code')
  await run('install', 'cline')
  const { hooks } = JSON.parse(await readFile(path.join(home, FILES['claude-code']), 'utf8')) as {
    hooks: Record<string, { hooks: { command: string }[] }[]>
  }
  const command = hooks['PreToolUse']?.[0]?.hooks[0]?.command ?? ''
  const input = JSON.stringify(claude.before('rm -rf ~/Documents/*'))
  const answer = execFileSync('sh', ['-c', command], { cwd: '/', env, input, encoding: 'utf8' })
  assert.match(answer, /"permissionDecision":"ask"/)
  const script = path.join(home, 'Documents/Cline/Hooks/PreToolUse')
  assert.ok(existsSync(script))
  const call = { toolName: 'execute_command', parameters: { command: 'rm -rf ~/Documents/*' } }
  const event = { hookName: 'PreToolUse', taskId: 't-1', workspaceRoots: ['/srv/app'], preToolUse: call }
  const ran = spawnSync(script, { env, input: JSON.stringify(event), encoding: 'utf8' })
  assert.match(ran.stdout, /"cancel":true/, ran.stderr)
})
