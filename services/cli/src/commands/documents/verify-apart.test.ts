import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PlimsollError } from '@plimsoll/contracts'
import { readDocument } from '@plimsoll/policy'
import { verifyApart } from './verify-apart.js'

const [policy, catalogue] = await Promise.all([readDocument('policy'), readDocument('catalogue')])
const small = { ...catalogue, tools: catalogue.tools.slice(0, 2) }

test('gets the report from the thread', async () => {
  const report = await verifyApart({ policy, catalogue: small }, new AbortController().signal)
  assert.equal(report?.policy, policy.name)
})

test('ends the search when it is asked to', async () => {
  const abort = new AbortController()
  const verifying = verifyApart({ policy, catalogue: small }, abort.signal)
  abort.abort()
  assert.equal(await verifying, undefined)
})

test('passes the error of an invalid document on', async () => {
  const sum = { of: 'args.', max: 1, per: 'session' as const }
  const broken = { ...policy, specs: [{ id: 'a', tier: 'blocklist' as const, tools: ['x'], sum }] }
  await assert.rejects(
    verifyApart({ policy: broken, catalogue: small }, new AbortController().signal),
    (error: unknown) => error instanceof PlimsollError && error.code === 'document_invalid',
  )
})
