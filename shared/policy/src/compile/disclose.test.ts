import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Policy, PlimsollError } from '@plimsoll/contracts'
import {
  type Disclosure,
  DISCLOSED_CHARS_MAX,
  DISCLOSED_VALUE_CHARS_MAX,
  createDisclosure,
  disclosuresOf,
} from './disclose.js'
import { readDocument } from '../document/documents.js'

const RULES: readonly Disclosure[] = [
  { tools: ['send_*'], arguments: ['to', 'cc'] },
  { tools: ['send_money', 'refund'], arguments: ['amount'] },
]

const MAIL = { to: ['ann@example.com'], body: 'the secret text' }

/** So many characters of JSON. */
const chars = (count: number) => 'x'.repeat(count - 2)

const ROWS = [
  { name: 'no rule, no argument', rules: [], tool: 'send_email', values: MAIL, reported: undefined },
  { name: 'a tool that no rule names', tool: 'read_file', values: { to: 'a' }, reported: undefined },
  {
    name: 'what is named, `null` where it is not there',
    tool: 'send_email',
    values: MAIL,
    reported: { to: ['ann@example.com'], cc: null },
  },
  {
    name: 'those of all rules that match',
    tool: 'send_money',
    values: { to: 'ann', amount: 3, cc: undefined, note: 'secret' },
    reported: { to: 'ann', cc: null, amount: 3 },
  },
  { name: 'a call without arguments', tool: 'refund', values: undefined, reported: { amount: null } },
  {
    name: 'members that every object inherits are none of the call',
    rules: [{ tools: ['*'], arguments: ['toString', 'constructor'] }],
    tool: 'any',
    values: {},
    reported: { toString: null, constructor: null },
  },
  {
    name: 'values as JSON holds them',
    tool: 'send_email',
    values: { to: new Date(0), cc: Number.NaN },
    reported: { to: '1970-01-01T00:00:00.000Z', cc: null },
  },
  {
    name: 'a value of the maximum length is sent',
    tool: 'refund',
    values: { amount: chars(DISCLOSED_VALUE_CHARS_MAX) },
    reported: { amount: chars(DISCLOSED_VALUE_CHARS_MAX) },
  },
  {
    name: 'a longer value is left out entirely',
    tool: 'send_email',
    values: { to: chars(DISCLOSED_VALUE_CHARS_MAX + 1), cc: 'ann' },
    reported: { cc: 'ann' },
  },
  {
    name: '`*`: whatever the call has, beside what other rules name',
    rules: [...RULES, { tools: ['send_*'], arguments: ['*'] }],
    tool: 'send_email',
    values: { ...MAIL, bcc: undefined, note: null },
    reported: { to: ['ann@example.com'], cc: null, body: 'the secret text', note: null },
  },
] as const satisfies readonly {
  name: string
  rules?: readonly Disclosure[]
  tool: string
  values: Readonly<Record<string, unknown>> | undefined
  reported: Readonly<Record<string, unknown>> | undefined
}[]

for (const row of ROWS)
  test(`what travels: ${row.name}`, () => {
    const rules = 'rules' in row ? row.rules : RULES
    assert.deepEqual(createDisclosure(rules)(row.tool, row.values), row.reported)
  })

test('all together travel within their bound; what finds no room is left out', () => {
  const names = Array.from({ length: 6 }, (_, i) => `a${i}`)
  const values = Object.fromEntries(names.map((name) => [name, chars(DISCLOSED_VALUE_CHARS_MAX)]))
  const reported = createDisclosure([{ tools: ['*'], arguments: names }])('any', values)
  const fitting = names.slice(0, DISCLOSED_CHARS_MAX / DISCLOSED_VALUE_CHARS_MAX)
  assert.deepEqual(Object.keys(reported ?? {}), fitting)
})

test('names that the agent makes up take room too', () => {
  const values = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`${i}`.padEnd(1_000, 'x'), 1]))
  const reported = createDisclosure([{ tools: ['*'], arguments: ['*'] }])('any', values)
  assert.ok(JSON.stringify(reported).length < 1.1 * DISCLOSED_CHARS_MAX)
})

test('later changes of the arguments do not change the report', () => {
  const values = { to: ['ann@example.com'] }
  const reported = createDisclosure(RULES)('send_email', values)
  values.to.push('eve@example.org')
  assert.deepEqual(reported, { to: ['ann@example.com'], cc: null })
})

const reads = async (members: Partial<Policy>) =>
  disclosuresOf({ ...(await readDocument('policy')), ...members })

const mail = { tools: ['send_*'] }

test('a policy that reads no arguments asks for none', async () => {
  assert.deepEqual(await reads({}), [])
  assert.deepEqual(
    await reads({ specs: [{ id: 'a', tier: 'blocklist', ...mail, recipient: 'external' }] }),
    [],
  )
})

test('what each expression reads is asked for of the tools that it speaks of, wherever it stands', async () => {
  const specs: Policy['specs'] = [
    { id: 'own', tier: 'blocklist', ...mail, where: 'args.to == args.from' },
    { id: 'any', tier: 'blocklist', capability: ['network'], where: 'args["body"].size() > 3' },
    { id: 'after', tier: 'confirmation', ...mail, after: { tools: ['read'], where: 'args.path == "x"' } },
    {
      id: 'flow',
      tier: 'blocklist',
      flow: { from: { trust: ['untrusted'] }, to: { ...mail, where: 'has(args.cc)' } },
    },
    {
      id: 'paid',
      tier: 'mustlist',
      tools: ['order'],
      followedBy: { step: { tools: ['pay'], where: 'args.paid' }, within: 'session' },
    },
    {
      id: 'narrow',
      tier: 'blocklist',
      tools: ['post'],
      flow: { from: { tags: ['pii'] }, to: { capability: ['network'], where: 'args.url == ""' } },
    },
    { id: 'sum', tier: 'blocklist', tools: ['pay'], sum: { of: 'args.amount', max: 9, per: 'session' } },
    { id: 'some', tier: 'blocklist', ...mail, distinct: { of: 'args.to', max: 9, per: 'session' } },
  ]
  const declassifiers: Policy['declassifiers'] = [
    { id: 'd', step: { tools: ['mask'], where: 'args.all == true' }, from: 'sensitive' },
  ]
  assert.deepEqual(await reads({ specs, declassifiers }), [
    { tools: ['send_*'], arguments: ['to', 'from', 'cc'] },
    { tools: ['*'], arguments: ['body'] },
    { tools: ['read'], arguments: ['path'] },
    { tools: ['pay'], arguments: ['paid', 'amount'] },
    { tools: ['post'], arguments: ['url'] },
    { tools: ['mask'], arguments: ['all'] },
  ])
})

test('an expression that is none is refused', async () => {
  const specs: Policy['specs'] = [{ id: 'a', tier: 'blocklist', ...mail, where: 'args.to ==' }]
  const isInvalid = (error: unknown) => error instanceof PlimsollError && error.code === 'document_invalid'
  await assert.rejects(reads({ specs }), isInvalid)
})
