import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Catalogue } from '@plimsoll/contracts'
import { entryByName, isReadByName } from '@plimsoll/labels'
import { toolNames } from './tool-names.js'

const catalogue: Catalogue = {
  schema: 1,
  kind: 'plimsoll.catalogue',
  name: 'test',
  tools: [
    {
      tools: ['send_email', 'read_email', '*_draft'],
      labels: { capability: 'read', reversibility: 'reversible' },
    },
  ],
}

test('names that documents have, one for each pattern, and strangers', () => {
  const { names, isWhole } = toolNames(catalogue, [{ tools: ['pay', 'load_*'] }])
  assert.ok(isWhole)
  for (const name of ['send_email', 'read_email', 'pay', 'tool_of_nobody', 'get_items_of_nobody'])
    assert.ok(names.includes(name), name)
  assert.ok(names.some((name) => name.endsWith('_draft')))
  assert.ok(names.some((name) => name.startsWith('load_')))
})

test('a pattern of the policy that can name a server gives each name of the catalogue there', () => {
  const { names } = toolNames(catalogue, [{ tools: ['mcp__mail__*', 'mcp__*__send_*', '*bank*'] }])
  for (const name of ['mcp__mail__send_email', 'mcp__mail__read_email']) assert.ok(names.includes(name), name)
  assert.ok(names.some((name) => /^mcp__.*bank.*__read_email$/.test(name)))
})

test('strangers are named like every kind of tool that a name shows, and like none', () => {
  const { names } = toolNames({ ...catalogue, tools: [] }, [])
  const shown = names.map((name) => {
    const { labels, least } = entryByName(name) ?? {}
    return isReadByName(name)
      ? 'reads'
      : labels
        ? `${labels.capability} ${labels.reversibility}${least ? ', understood' : ''}`
        : 'nothing'
  })
  assert.deepEqual(shown.toSorted(), [
    'execute partial, understood',
    'network irreversible',
    'network partial',
    'network reversible',
    'nothing',
    'reads',
    'write irreversible',
    'write partial',
    'write reversible',
  ])
})
