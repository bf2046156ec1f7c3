import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CatalogueEntry } from '@plimsoll/contracts'
import { labelStep } from './label-step.js'
import { ownName } from './shell/own-folders.js'

const WRITE: CatalogueEntry = {
  tools: ['write_file'],
  labels: { capability: 'write', confidentiality: 'none', trust: 'trusted', reversibility: 'partial' },
}
const step = (tool: string, args: Readonly<Record<string, unknown>>) =>
  labelStep(tool, args, undefined, undefined)

test('a tool that deletes files says which, under the name by which the session may have made them', () => {
  const [deleted] = step('delete_file', { target_file: 'src/a.ts' }).objects
  assert.deepEqual([deleted?.act, deleted?.kind, deleted?.thing], ['delete', 'path', 'src/a.ts'])
  assert.ok(new Set(deleted?.names).has('a.ts'))
  const { claimed } = labelStep('write_file', { path: 'src/a.ts', content: 'x' }, WRITE, undefined)
  assert.deepEqual(claimed, ['src/a.ts'])
  assert.ok(new Set(deleted?.own).has(ownName('src/a.ts')))
  assert.equal(step('remove_directory', { paths: ['a', 'b'] }).objects.length, 2)
})

test('a file elsewhere has an id, and no path', () => {
  assert.deepEqual(step('delete_file', { file_id: '13' }).objects, [])
})

test('a file of records that is written empty is lost, a new one is not', () => {
  const empty = { path: 'data/users.csv', content: '' }
  const objects = (tool: string) => labelStep(tool, empty, { ...WRITE, tools: [tool] }, undefined).objects
  assert.equal(objects('write_file')[0]?.act, 'delete')
  assert.deepEqual(objects('create_file'), [])
})

test('a tool that pushes sends what files hold, and its arguments', () => {
  const { signals } = step('git_push', { remote: 'origin', branch: 'main' })
  assert.deepEqual([signals.pushes, signals.records, signals.outside], [1, 1, 1])
  assert.equal(step('git_commit', { message: 'a' }).signals.pushes, undefined)
})

test('a tool that moves files by their paths puts no text into any', () => {
  const entry: CatalogueEntry = { tools: ['x'], labels: { capability: 'write', reversibility: 'partial' } }
  const moves = (tool: string, args: Readonly<Record<string, unknown>>) =>
    labelStep(tool, args, { ...entry, tools: [tool] }, undefined).signals['moves'] ?? 0
  const paths = { source: '/a/b.txt', destination: '/a/c', overwrite: true }
  for (const tool of ['move_file', 'copy_node', 'rename', 'fs__cp']) assert.equal(moves(tool, paths), 1, tool)
  assert.equal(moves('create_directory', { path: '/a' }), 1)
  for (const tool of ['write_file', 'create_file']) assert.equal(moves(tool, paths), 0, tool)
  assert.equal(moves('copy_text_to_file', { text: 'a secret', path: '/a' }), 0)
  assert.equal(moves('copy_node', { ...paths, payload: { a: 1 } }), 0)
  assert.equal(moves('copy_node', { source: 'two\nlines' }), 0)
  for (const tool of ['save_file', 'save_to_file'])
    assert.equal(moves(tool, { path: '/a', content: 'a secret' }), 0, tool)
  assert.equal(moves('rename', { path: '/a/b', description: 'Ann' }), 0)
  assert.equal(moves('rename', { source: '/a/b', destination: '/a/what Ann said' }), 0)
  for (const [source, destination] of [
    ['/home/ann/private/a.docx', '/srv/site/a.docx'],
    ['/home/ann/private/a.docx', '/home/ann/site/a.docx'],
  ])
    assert.equal(moves('copy_file', { source, destination }), 0, source)
  assert.equal(moves('copy_file', { source: '/home/ann/site/a', destination: '/home/ann/site/b' }), 1)
})

test('a tool that brings files from another place puts into files what its arguments do not show', () => {
  const labels = { capability: 'write', reversibility: 'partial' } as const
  const takes = (source: string, destination: string, tool = 'copy_node') =>
    labelStep(tool, { source, destination }, { tools: [tool], labels }, undefined).signals['takesAll'] ?? 0
  assert.equal(takes('/user/info/notes.txt', '/github/img'), 1)
  assert.equal(takes('/user/info/notes.txt', '/downloads/img', 'move_node'), 1)
  assert.equal(takes('/downloads/../user/info/notes.txt', '/github/img'), 1)
  assert.equal(takes('/downloads/cat.jpg', '/github/img'), 0)
  assert.equal(takes('/home/ann/Downloads/cat.jpg', '/home/ann/site'), 0)
  assert.equal(takes('/github/img/a.txt', '/github/img/b.txt'), 0)
})

test('a tool that looks at files by its name writes none', () => {
  const labels = { capability: 'read', reversibility: 'reversible' } as const
  const looks = (tool: string, args: Readonly<Record<string, unknown>> = { path: '/a' }) =>
    labelStep(tool, args, { tools: [tool], labels }, undefined).signals['readsFile'] ?? 0
  for (const tool of ['list_directory', 'read_file', 'mcp__fs__read_text_file', 'ls', 'search_files'])
    assert.equal(looks(tool), 1, tool)
  for (const tool of [
    'get_report',
    'read_file_and_save',
    'list',
    'read',
    'read_email',
    'screenshot',
    'view_page',
  ])
    assert.equal(looks(tool), 0, tool)
  assert.equal(looks('read_file', { path: '/a', output_path: '/b' }), 0)
  const writing: CatalogueEntry = { tools: ['x'], labels: { capability: 'write', reversibility: 'partial' } }
  assert.equal(labelStep('read_file', { path: '/a' }, writing, undefined).signals['readsFile'], undefined)
})
