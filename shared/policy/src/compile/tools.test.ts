import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Policy } from '@plimsoll/contracts'
import { specRule } from '@plimsoll/engine'
import { createEntryFinder } from '@plimsoll/labels'
import { SAMPLE_CATALOGUE, samplePolicy } from '../testing.js'
import { compileSpecs } from '../specs/compile-specs.js'
import { compileTools } from './tools.js'

const specs: Policy['specs'] = [
  {
    id: 'never',
    tier: 'blocklist',
    tools: ['drop_*', 'send_money'],
    message: 'not here',
    requirements: ['R-1'],
  },
  { id: 'ask', tier: 'confirmation', tools: ['send_*'], alternative: 'draft it' },
  { id: 'known', tier: 'allowlist', tools: ['send_report', '*_page'], lifts: ['line', 'forward'] },
]
const compiled = (...of: Policy['specs']) => compileSpecs(samplePolicy(...of))
const entryOf = createEntryFinder(SAMPLE_CATALOGUE)
const STAND_IN = {
  verdict: 'confirm',
  labels: {
    capability: 'execute',
    confidentiality: 'internal',
    trust: 'untrusted',
    reversibility: 'partial',
  },
} satisfies Policy['unlabelled']

test('everything that is known of a tool', () => {
  const tool = compileTools(compiled(...specs), entryOf, STAND_IN)
  const send = { exposure: 0, escalation: 3, reversibility: 2, untrusted: false }
  const ask = specRule({
    id: 'ask',
    message: 'the confirmation names this tool in `ask`',
    alternative: 'draft it',
    verdict: 'confirm',
    source: 'confirmation',
  })
  const known = { tags: 0, mustlist: [], memory: { updates: [], creditables: [], expressions: [] } }
  assert.deepEqual(tool('send_money'), {
    ...known,
    isNamed: true,
    labels: send,
    blocklist: [
      specRule({
        id: 'never',
        message: 'not here',
        requirements: ['R-1'],
        verdict: 'block',
        source: 'blocklist',
      }),
    ],
    allowlist: [],
    confirmation: [ask],
  })
  assert.deepEqual(tool('send_report'), {
    ...known,
    isNamed: true,
    labels: send,
    blocklist: [],
    allowlist: [
      {
        ...specRule({
          id: 'known',
          message: 'the allowlist names this tool in `known`',
          verdict: 'allow',
          source: 'confirmation',
        }),
        lifts: new Set(['line', 'forward']),
      },
    ],
    confirmation: [ask],
  })
  const nothing = {
    ...known,
    isNamed: false,
    labels: undefined,
    blocklist: [],
    allowlist: [],
    confirmation: [],
  }
  for (const name of ['mystery', '__proto__', 'toString']) assert.deepEqual(tool(name), nothing)
  assert.equal(tool('purge_records').isFinalByName, true)
})

test('how far arguments may bring a tool down', () => {
  const least = { capability: 'read', reversibility: 'reversible' } as const
  const [read, send] = SAMPLE_CATALOGUE.tools
  const tools = [{ ...read, least }, { ...send }] as typeof SAMPLE_CATALOGUE.tools
  const tool = compileTools(compiled(), createEntryFinder({ ...SAMPLE_CATALOGUE, tools }), STAND_IN)
  assert.deepEqual(tool('read_a').least, { exposure: 0, escalation: 0, reversibility: 0, untrusted: false })
  assert.ok(!('least' in tool('send_a')))
})

test('what an entry leaves out of its results is what an unlabelled tool is taken for', () => {
  const bare = { capability: 'read', reversibility: 'reversible' } as const
  const said = { ...bare, confidentiality: 'none', trust: 'trusted' } as const
  const entries = [
    { tools: ['bare'], labels: bare },
    { tools: ['said'], labels: said },
    { tools: ['least'], labels: bare, least: bare },
    { tools: ['least_says'], labels: bare, least: said },
    {
      tools: ['labels_say'],
      labels: { ...said, confidentiality: 'sensitive', trust: 'untrusted' },
      least: bare,
    },
    { tools: ['trust'], labels: { ...bare, trust: 'trusted' } },
  ] satisfies typeof SAMPLE_CATALOGUE.tools
  const find = createEntryFinder({ ...SAMPLE_CATALOGUE, tools: entries })
  const tool = compileTools(compiled(), find, STAND_IN)
  const read = (exposure: number, untrusted: boolean) => ({
    exposure,
    escalation: 0,
    reversibility: 0,
    untrusted,
  })
  const [none, unknown, sensitive] = [read(0, false), read(2, true), read(3, true)]
  assert.deepEqual(tool('bare').labels, unknown)
  assert.deepEqual(tool('said').labels, none)
  assert.deepEqual([tool('least').labels, tool('least').least], [unknown, unknown])
  assert.deepEqual([tool('least_says').labels, tool('least_says').least], [unknown, none])
  assert.deepEqual([tool('labels_say').labels, tool('labels_say').least], [sensitive, none])
  assert.deepEqual(tool('trust').labels, read(2, false))
  // A policy whose stand-in leaves them out as well takes them for nothing of note, from a trusted source.
  assert.deepEqual(compileTools(compiled(), find, { verdict: 'confirm', labels: bare })('bare').labels, none)
})

test('a rule is worked out once, and the memory of rules is bounded', () => {
  let asked = 0
  const counting = (name: string) => {
    asked++
    return entryOf(name)
  }
  const tool = compileTools(compiled(...specs), counting, STAND_IN)
  assert.equal(tool('send_report'), tool('send_report'))
  assert.equal(asked, 1)
  for (let i = 0; i < 10_000; i++) tool(`t${i}`)
  assert.equal(asked, 10_001)
  tool('t9999')
  assert.equal(asked, 10_001)
  assert.deepEqual(
    tool('send_report').allowlist.map(({ id }) => id),
    ['known'],
  )
  assert.equal(asked, 10_002)
})

test('a tool that nothing labels is taken for a read where its name plainly says so', () => {
  const tool = compileTools(compiled(), () => undefined, STAND_IN)
  const internal = { exposure: 2, escalation: 0, reversibility: 0, untrusted: true }
  for (const name of ['ping', 'list_orders', 'mcp__shop__search_items', 'get_balance'])
    assert.deepEqual(tool(name).byName, internal, name)
  for (const name of ['get_password', 'frobnicate', 'get_and_delete', 'fetch_url', 'update_list'])
    assert.equal(tool(name).byName, undefined, name)
  assert.equal(tool('ping').labels, undefined)
})

test('a tool that nothing labels counts as what its name plainly says, where the policy has a verdict for those', () => {
  const tool = compileTools(compiled(), () => undefined, { ...STAND_IN, byName: 'warn' })
  const rows = [
    ['mcp__tracker__create_issue', 3, 1],
    ['toggle_lamp', 1, 0],
    ['delete_channel', 1, 2],
    ['create_and_obliterate', 1, 2],
    ['run_bash', 2, 1],
    ['mcp__prod-db__execute_sql', 2, 1],
  ] as const
  for (const [name, escalation, reversibility] of rows) {
    const { byName, labels } = tool(name)
    assert.deepEqual(
      [byName?.escalation, byName?.reversibility, labels],
      [escalation, reversibility, undefined],
      name,
    )
    assert.deepEqual([byName?.exposure, byName?.untrusted], [2, true], name)
  }
  assert.equal(tool('run_bash').least?.escalation, 0)
  for (const name of ['frobnicate', 'cloudflare_batch_records', 'run_agent'])
    assert.equal(tool(name).byName, undefined, name)
})
