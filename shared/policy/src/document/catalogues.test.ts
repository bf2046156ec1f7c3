import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Catalogue, CatalogueEntry } from '@plimsoll/contracts'
import { mergeShipped } from './catalogues.js'
import { defaultDocuments, parseDocument } from './documents.js'

const entry = (...tools: string[]): CatalogueEntry => ({
  tools,
  labels: { capability: 'read', reversibility: 'reversible' },
})

const catalogue = (name: string, ...tools: CatalogueEntry[]): Catalogue => ({
  schema: 1,
  kind: 'plimsoll.catalogue',
  name,
  tools,
})

test('entries of those that ship that differ by their names alone become one, up to 512 names; patterns stay apart', () => {
  const names = Array.from({ length: 300 }, (_, n) => `tool${n}`)
  const [first, second] = [catalogue('a', entry(...names), entry('look_*')), catalogue('b', entry('find'))]
  const third = catalogue('c', entry(...names.map((name) => `${name}b`)))
  const merged = mergeShipped(first, second, third)
  assert.deepEqual(
    merged.tools.map(({ tools }) => tools.length),
    [301, 300, 1],
  )
  assert.deepEqual(mergeShipped(merged), merged)
})

test('the shipped catalogue, written and merged again as in a package, is the same', async () => {
  const { catalogue: shipped } = await defaultDocuments()
  const written = parseDocument('catalogue', JSON.stringify(shipped), 'merged')
  assert.deepEqual(mergeShipped(written), shipped)
})
