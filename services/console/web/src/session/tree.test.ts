import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SessionRow } from '../../../src/api.js'
import { childrenOf } from './tree.js'

const row = (id: string, parent?: string) => ({ id, ...(parent !== undefined && { parent }) }) as SessionRow
const ids = (rows: readonly SessionRow[] | undefined) => rows?.map(({ id }) => id)

test('sub-sessions stand below their parents', () => {
  const { roots, children } = childrenOf([row('b', 'a'), row('a'), row('c', 'b'), row('d', 'gone')])
  assert.deepEqual(ids(roots), ['a', 'd'])
  assert.deepEqual(ids(children.get('a')), ['b'])
  assert.deepEqual(ids(children.get('b')), ['c'])
})

test('parents that lead in a circle end it', () => {
  const { roots, children } = childrenOf([row('a', 'b'), row('b', 'a'), row('c', 'a'), row('own', 'own')])
  assert.deepEqual(ids(roots), ['a', 'b', 'own'])
  assert.deepEqual(ids(children.get('a')), ['c'])
})
