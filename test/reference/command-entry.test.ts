import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { CatalogueEntry } from '@plimsoll/contracts'
import { projectRoot } from '../support/paths.js'
import { type CommandEntry, readCommandEntries, readCommandsFile } from './command-entry.js'
import { EXAMPLE } from './pages/commands-page.js'

const wordsOf = (words: string | readonly string[]): string[] => [words].flat().join(' ').split(' ')

test('every entry of the commands has known fields, and each program has each of them once', () => {
  const entries = readCommandEntries(readCommandsFile())
  assert.ok(entries.length > 300)
  const JOINED: ReadonlySet<string> = new Set(['names', 'is', 'acts', 'carries', 'values'])
  const seen = new Set<string>()
  const twice: string[] = []
  for (const entry of entries)
    for (const field of Object.keys(entry).filter((name) => !JOINED.has(name)))
      for (const name of wordsOf(entry.names)) {
        const key = `${name}: ${field}`
        if (seen.has(key)) twice.push(key)
        seen.add(key)
      }
  assert.deepEqual(twice, [])
})

test('a wrong entry is refused by its name, with what is wrong', () => {
  const read = (entry: unknown) => () => readCommandEntries(JSON.stringify({ commands: [entry] }))
  assert.throws(read({ names: 'skyhost', wirtes: 'last' }), /entry `skyhost`: .*wirtes/)
  assert.throws(read({ names: 'skyhost', acts: [{ act: 'destroy', reason: 'x', when: [''] }] }), /acts/)
  assert.throws(read({ names: 'skyhost', risky: { options: '/(/' } }), /regular expression/)
  assert.throws(read({ looks: 'status' }), /entry `number 1`/)
})

const SHELL: CatalogueEntry = {
  tools: ['bash'],
  labels: {
    capability: 'execute',
    confidentiality: 'internal',
    trust: 'untrusted',
    reversibility: 'partial',
  },
  least: { capability: 'read', reversibility: 'reversible' },
  arguments: [{ in: 'command', as: 'shell' }],
}

interface Labels {
  labelStep(
    tool: string,
    args: unknown,
    entry: CatalogueEntry,
    organisation: undefined,
  ): {
    readonly labels: { readonly capability?: string }
    readonly derived: boolean
    readonly signals: Readonly<Record<string, number>>
    readonly objects: readonly {
      readonly act: string
      readonly reach?: string
      readonly names: readonly string[]
    }[]
  }
}

/** The labels package with other entries, from a folder of its own. */
async function labelsWith(entries: readonly unknown[]): Promise<{ labels: Labels; remove: () => void }> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'plimsoll-commands-'))
  const from = path.join(projectRoot, 'shared/labels')
  for (const part of ['dist', 'data', 'package.json'])
    cpSync(path.join(from, part), path.join(folder, part), { recursive: true })
  symlinkSync(path.join(projectRoot, 'node_modules'), path.join(folder, 'node_modules'), 'dir')
  writeFileSync(path.join(folder, 'data/commands.json'), JSON.stringify({ commands: entries }))
  const url = pathToFileURL(path.join(folder, 'dist/arguments/label-step.js')).href
  return {
    labels: (await import(url)) as Labels,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

test('a newcomer teaches a program by one entry in one file', async () => {
  const { labels, remove } = await labelsWith([
    ...readCommandEntries(readCommandsFile()),
    JSON.parse(EXAMPLE) as CommandEntry,
  ])
  try {
    const read = (command: string) => labels.labelStep('bash', { command }, SHELL, undefined)
    const acts = (command: string) =>
      read(command).objects.map(({ act, reach }) => `${act} ${reach ?? ''}`.trim())
    assert.deepEqual(acts('skyhost status'), [])
    assert.equal(read('skyhost apps destroy shop').signals['doesDelete'], 1)
    assert.ok(acts('skyhost apps destroy shop').includes('delete live'))
    assert.ok(read('skyhost apps destroy shop').objects.some(({ names }) => names.includes('shop')))
    assert.ok(acts('npx skyhost deploy').includes('deploy live'))
    assert.equal(read('skyhost console -C "rm -rf /data/customers"').signals['doesDelete'], 1)
    assert.ok(read('skyhost secrets set API_KEY=abcd1234 -a shop').objects.length > 0)
  } finally {
    remove()
  }
})
