import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PlimsollError, type Policy } from '@plimsoll/contracts'
import { disclosuresOf } from './disclosures.js'
import { readDocument } from './documents.js'

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
