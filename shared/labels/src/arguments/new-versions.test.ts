import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newVersions, newVersionsOfSed } from './new-versions.js'

test('an edit that changes a version and nothing else says of what', () => {
  assert.deepEqual(newVersions('python-version: 3.11', 'python-version: 3.13'), {
    of: ['python'],
    versions: ['3.13'],
  })
  assert.deepEqual(
    newVersions('a\n  - uses: actions/setup-go@v5', 'a\n  - uses: actions/setup-go@v6')?.versions,
    ['6'],
  )
  for (const [before, after] of [
    ['run: npm test', 'run: true'],
    ['node: 22', 'node: 24\nrun: x'],
    ['if: 1 == 1', 'if: 1 == 2'],
    ['run: exit 1', 'run: exit 0'],
    ['same: 1', 'same: 1'],
  ] as const)
    assert.equal(newVersions(before, after), undefined, after)
})

test('a program of sed is read if it replaces one text', () => {
  assert.deepEqual(newVersionsOfSed(['-i', 's#node: 22#node: 24#', 'a.yml']), {
    of: ['node'],
    versions: ['24'],
  })
  for (const program of ['s/a/b/', 's/node: 22/node: 24/;d', 's/node: 22/node: 24/e', '/x/d', ''])
    assert.equal(newVersionsOfSed(['-i', program]), undefined, program)
})

test('long edits are not read', () => {
  assert.equal(newVersions(`node: ${'1'.repeat(100_000)}`, `node: ${'2'.repeat(100_000)}`), undefined)
})
