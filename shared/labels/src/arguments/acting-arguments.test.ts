import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CatalogueEntry } from '@plimsoll/contracts'
import { labelStep } from './label-step.js'

const entry = (capability: 'read' | 'write'): CatalogueEntry => ({
  tools: ['a'],
  labels: { capability, confidentiality: 'internal', trust: 'untrusted', reversibility: 'reversible' },
})
const actsOf = (args: Readonly<Record<string, unknown>>, capability: 'read' | 'write' = 'read') =>
  Object.keys(labelStep('a', args, entry(capability), undefined).signals).filter((name) =>
    name.startsWith('does'),
  )

test('an argument shows an act, whatever the tool is called', () => {
  assert.deepEqual(actsOf({ name: 'main', delete: true }), ['doesDelete'])
  assert.deepEqual(actsOf({ path: 'a.csv', public: true }, 'write'), ['doesGrant'])
  const { signals } = labelStep('get_share_link', { anyone_with_link: true }, undefined, undefined)
  assert.equal(signals.doesGrant, 1)
  assert.deepEqual(actsOf({ table: 'users', where: '1=1' }, 'write'), ['doesDelete'])
  assert.deepEqual(actsOf({ source: 'a.csv', destination: '/dev/null' }, 'write'), ['doesDelete'])
})

test('its neighbours show none', () => {
  for (const args of [
    { include_deleted: true },
    { delete: false },
    { public: true },
    { public: 'true story' },
    { where: '1=1' },
    { filter: 'all', destination: 'b.csv' },
  ])
    assert.deepEqual(actsOf(args), [], JSON.stringify(args))
  assert.deepEqual(actsOf({ where: 'id = 1' }, 'write'), [])
  assert.deepEqual(actsOf({ destination: 'b.csv' }, 'write'), [])
})

test('a tool that is a program for requests is read as its command line', () => {
  const { signals } = labelStep(
    'curl',
    { args: ['-X', 'DELETE', 'https://api.example.com/1'] },
    undefined,
    undefined,
  )
  assert.equal(signals.doesDelete, 1)
})
