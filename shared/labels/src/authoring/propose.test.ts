import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Catalogue, CatalogueEntry, ToolLabels } from '@plimsoll/contracts'
import { agreementOf, coverageOf } from './coverage.js'
import { lintCatalogue } from './lint.js'
import { proposeLabels } from './propose.js'
import { parseToolList, TOOLS_MAX } from './tool-list.js'

const RETURNS = { confidentiality: 'none', trust: 'trusted' } as const
const READ: ToolLabels = { capability: 'read', ...RETURNS, reversibility: 'reversible' }
const SEND: ToolLabels = { capability: 'network', ...RETURNS, reversibility: 'irreversible' }
const catalogue = (...tools: CatalogueEntry[]): Catalogue => ({
  schema: 1,
  kind: 'plimsoll.catalogue',
  name: 'test',
  tools,
})
const findings = (...tools: CatalogueEntry[]): string[] =>
  lintCatalogue(catalogue(...tools)).map(({ status, tool, what }) => `${status} ${tool}: ${what}`)

test('parseToolList accepts all common shapes of tool lists', () => {
  const tools = [
    { name: 'a', description: 'does', annotations: { readOnlyHint: true } },
    { name: 'b', description: 7 },
  ]
  const expected = [{ name: 'a', description: 'does', annotations: { readOnlyHint: true } }, { name: 'b' }]
  for (const value of [tools, { tools }, { jsonrpc: '2.0', id: 1, result: { tools } }, { mail: tools }])
    assert.deepEqual(parseToolList(value, 'x'), expected)
  assert.deepEqual(parseToolList({ mail: tools, web: [{ name: 'c' }] }, 'x', 'web'), [{ name: 'c' }])
})

test('parseToolList says what is wrong with an invalid list', () => {
  const rows: readonly (readonly [unknown, RegExp])[] = [
    [null, /`x` is no list of tools/],
    ['tools', /`x` is no list of tools/],
    [{}, /`x` is no list of tools/],
    [[], /`x` lists no tools/],
    [{ tools: [] }, /`x` lists no tools/],
    [[{ name: 'a' }, 'b'], /`x` tool 1 is no object/],
    [[{ title: 'a' }], /`x` tool 0 has no name/],
    [{ a: [], b: [] }, /holds several lists, say which: a, b/],
    [Array.from({ length: TOOLS_MAX + 1 }, () => ({ name: 'a' })), /more than 4096/],
  ]
  for (const [value, message] of rows)
    assert.throws(() => parseToolList(value, 'x'), { code: 'tools_invalid', message })
  assert.throws(() => parseToolList({ a: [], b: [] }, 'x', 'c'), { message: /no list `c`; there are a, b/ })
})

test('proposeLabels lists doubtful tools first and refuses names that no catalogue can hold', () => {
  const names = ['read_file', 'frobnicate', '*', 'read_*', '', 'two words', 'naïve', '\u001b[2J', 'read_file']
  const { labellings, refused } = proposeLabels(names.map((name) => ({ name })))
  assert.deepEqual(
    labellings.map(({ tool, doubts }) => [tool, doubts.length > 0]),
    [
      ['frobnicate', true],
      ['read_file', false],
    ],
  )
  assert.deepEqual(
    refused.map(({ tool }) => tool),
    ['*', 'read_*', '', 'two words', 'naïve', '\u001b[2J', 'read_file'],
  )
})

test('lint reports entries that contradict each other or can never match', () => {
  assert.deepEqual(findings({ tools: ['a', 'b*'], labels: READ }, { tools: ['c', 'bc'], labels: SEND }), [])
  assert.deepEqual(
    findings(
      { tools: ['a', 'b*', 'c'], labels: READ },
      { tools: ['a', 'bc*'], labels: SEND },
      { tools: ['c'], labels: READ },
    ),
    [
      'fail a: labelled twice with different labels: the first entry counts',
      'fail bc*: labelled twice with different labels: the first entry counts',
      'warn c: labelled twice',
    ],
  )
  assert.deepEqual(findings({ tools: ['*'], labels: READ }), [
    'warn *: labels every tool, including unknown ones',
  ])
  assert.deepEqual(findings({ tools: ['a'], labels: READ, least: SEND }), [
    'fail a: capability: `least` is worse than `labels`; `labels` are the worst that it can do, raise them or lower `least`',
    'fail a: reversibility: `least` is worse than `labels`; `labels` are the worst that it can do, raise them or lower `least`',
  ])
})

test('lint reports missing labels, tool by tool', () => {
  const labels = { capability: 'read', trust: 'trusted', reversibility: 'reversible' } as const
  assert.deepEqual(findings({ tools: ['a', 'b'], labels, least: { ...labels, confidentiality: 'public' } }), [
    'warn a: confidentiality missing, so the policy treats it as unlabelled (`unlabelled`); write `none` or `trusted` if that is meant',
    'warn b: confidentiality missing, so the policy treats it as unlabelled (`unlabelled`); write `none` or `trusted` if that is meant',
  ])
})

test('lint against tools reports gaps, milder labels and unused names', () => {
  const tools = [{ name: 'send_email' }, { name: 'read_price' }, { name: 'calculate' }]
  const found = lintCatalogue(catalogue({ tools: ['send_*', 'gone', 'calculate'], labels: READ }), { tools })
  assert.deepEqual(
    found.map(({ status, tool, what }) => [status, tool, what.split(/[ :]/)[0]]),
    [
      ['fail', 'read_price', 'has'],
      ['warn', 'send_email', 'capability'],
      ['warn', 'send_email', 'reversibility'],
      ['note', 'gone', 'none'],
    ],
  )
})

test('coverage counts steps, and agreement counts tools', () => {
  const known = catalogue({ tools: ['calculate', 'send_email'], labels: READ })
  const calls = new Map([
    ['calculate', 7],
    ['odd', 1],
    ['other', 2],
  ])
  assert.deepEqual(coverageOf(known, calls), {
    steps: 10,
    labelled: 7,
    unlabelled: [
      ['other', 2],
      ['odd', 1],
    ],
  })
  const tools = ['calculate', 'send_email', 'unheard_of'].map((name) => ({ name }))
  assert.deepEqual(agreementOf(known, tools), { agreed: 1, corrected: ['send_email'] })
})
