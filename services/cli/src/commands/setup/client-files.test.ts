import assert from 'node:assert/strict'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { type ClientName, type Place, configFile, filesOf } from './client-files.js'
import { launcherOf } from './launcher.js'
import { replaceFile } from './replace-file.js'

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-config-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

const place = (platform: NodeJS.Platform, env: Record<string, string> = {}): Place => ({
  platform,
  home: '/home/ada',
  cwd: '/home/ada/project',
  env,
})

const PLACES: readonly [ClientName, Place, readonly string[]][] = [
  [
    'claude-desktop',
    place('darwin'),
    ['/home/ada/Library/Application Support/Claude/claude_desktop_config.json'],
  ],
  ['claude-desktop', place('linux'), ['/home/ada/.config/Claude/claude_desktop_config.json']],
  ['claude-desktop', place('linux', { XDG_CONFIG_HOME: '/x' }), ['/x/Claude/claude_desktop_config.json']],
  ['claude-desktop', place('win32', { APPDATA: '/Roaming' }), ['/Roaming/Claude/claude_desktop_config.json']],
  ['claude-code', place('linux'), ['/home/ada/project/.mcp.json']],
  ['cursor', place('win32'), ['/home/ada/project/.cursor/mcp.json', '/home/ada/.cursor/mcp.json']],
  ['vscode', place('linux'), ['/home/ada/project/.vscode/mcp.json', '/home/ada/.config/Code/User/mcp.json']],
]
for (const [client, where, files] of PLACES)
  test(`${client} on ${where.platform} ${JSON.stringify(where.env)}`, () =>
    assert.deepEqual(filesOf(client, where), files))

test('the file that is meant: named, of the client, or the only file there', (t) => {
  const folder = folderOf(t)
  const here: Place = { platform: 'linux', home: folder, cwd: folder, env: {} }
  const wanted = { file: undefined, client: undefined, mayBeNew: false }
  assert.throws(() => configFile(wanted, here), { code: 'usage_invalid', message: /found no configuration/ })
  assert.throws(() => configFile({ ...wanted, client: 'vscode' }, here), /`vscode` has no configuration at/)
  assert.throws(() => configFile({ ...wanted, file: 'typo.json' }, here), /there is no file `.*typo\.json`/)
  const made = configFile({ ...wanted, client: 'claude-desktop', mayBeNew: true }, here)
  assert.equal(made, path.join(folder, '.config/Claude/claude_desktop_config.json'))
  assert.equal(configFile({ ...wanted, file: 'a.json', mayBeNew: true }, here), path.join(folder, 'a.json'))
  writeFileSync(path.join(folder, '.mcp.json'), '{}')
  assert.equal(configFile(wanted, here), path.join(folder, '.mcp.json'))
  mkdirSync(path.join(folder, '.vscode'))
  writeFileSync(path.join(folder, '.vscode/mcp.json'), '{}')
  assert.throws(() => configFile(wanted, here), /found .*\.mcp\.json`, .*mcp\.json`: name one/)
})

test('a file is replaced with its mode, through a link, and nothing is left beside it', async (t) => {
  const folder = folderOf(t)
  const [target, link] = [path.join(folder, 'real.json'), path.join(folder, 'link.json')]
  writeFileSync(target, 'old')
  chmodSync(target, 0o640)
  symlinkSync(target, link)
  await replaceFile(link, 'new')
  assert.equal(readFileSync(target, 'utf8'), 'new')
  assert.equal(statSync(target).mode & 0o777, 0o640)
  assert.ok(lstatSync(link).isSymbolicLink())
  const made = path.join(folder, 'sub/new.json')
  await replaceFile(made, 'x')
  assert.equal(statSync(made).mode & 0o777, 0o600)
  await assert.rejects(replaceFile(folder, 'x'), { code: 'usage_invalid', message: /cannot be written: E/ })
})

test('starts itself by absolute paths that outlive an update of Node', (t) => {
  const folder = folderOf(t)
  const [cellar, bin] = [path.join(folder, 'Cellar/22.1'), path.join(folder, 'bin')]
  for (const each of [cellar, bin]) mkdirSync(each, { recursive: true })
  const execPath = path.join(cellar, 'node')
  writeFileSync(execPath, '')
  const script = '/usr/local/bin/plimsoll'
  const given = { execPath, script, release: '1.2.3', searchPath: `${bin}:/nothing` }
  assert.deepEqual(launcherOf(given), { command: execPath, args: [script] })
  symlinkSync(execPath, path.join(bin, 'node'))
  assert.deepEqual(launcherOf(given), { command: path.join(bin, 'node'), args: [script] })
  const cached = launcherOf({ ...given, script: '/home/ada/.npm/_npx/4f/node_modules/.bin/plimsoll' })
  assert.deepEqual(cached.args, ['-y', 'plimsoll@1.2.3'])
  assert.match(cached.note ?? '', /npm install --global plimsoll/)
})
