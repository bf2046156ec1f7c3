import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { commandOf } from './own-command.js'

test('the command that a person types runs this very Plimsoll', (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "plimsoll's command-"))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'plimsoll.js')
  writeFileSync(file, '')
  const linked = (name: string): string => {
    mkdirSync(path.join(folder, name), { recursive: true })
    const link = path.join(folder, name, 'plimsoll')
    symlinkSync(file, link)
    return link
  }
  const [global, local, npx] = ['bin', 'project/node_modules/.bin', '_npx/4f/node_modules/.bin'].map(linked)
  const commandFrom = (script = '', searchPath = '', cwd?: string) =>
    commandOf({ script, searchPath, release: '1.2.3' }, cwd)

  assert.equal(commandFrom(global, path.dirname(global ?? '')), 'plimsoll')
  const quoted = `'${(global ?? '').replace("'", String.raw`'\''`)}'`
  assert.equal(commandFrom(global), quoted, 'a desktop client has no search path')
  assert.match(commandFrom(local, path.dirname(local ?? '')), /project\/node_modules\/\.bin\/plimsoll'$/)
  assert.equal(commandFrom(local, '', path.join(folder, 'project')), 'npx plimsoll')
  assert.match(commandFrom(local, '', path.join(folder, 'other')), /\.bin\/plimsoll'$/)
  assert.equal(commandFrom(npx, path.dirname(npx ?? '')), 'npx -y plimsoll@1.2.3')
  assert.equal(commandFrom('/clone/services/cli/bin/plimsoll.js'), 'npx plimsoll')
})
