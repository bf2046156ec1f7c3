import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGuard } from '@plimsoll/client'
import type { Decision } from '@plimsoll/contracts'
import { noMetrics, silentLogger } from '@plimsoll/runtime'
import { createSampleGateway, createServedGateway, type SampleGateway } from '../testing/sample-gateway.js'

const CUSTOMER = 'Case KX-48217: Ann Moor, account 7730194422, owes 1,240.'
const ANALYZE = '/doors/copilot-studio/analyze-tool-execution?api-version=2025-05-01'

/** A payload in the form that the platform sends, with its empty and null members. */
const payload = (tool: string, inputValues: object, more: Record<string, unknown> = {}) => ({
  plannerContext: {
    userMessage: 'What does customer 7 owe?',
    thought: 'I look it up.',
    chatHistory: [
      {
        id: 'm2',
        role: 'user',
        content: 'What does customer 7 owe?',
        timestamp: '2026-05-02T14:34:58.1758533+00:00',
      },
      {
        id: 'm1',
        role: 'assistant',
        content: 'Hello, how may I help?',
        timestamp: '2026-05-02T14:34:50.1758533+00:00',
      },
    ],
    previousToolsOutputs: [],
    ...more,
  },
  toolDefinition: {
    id: `cr_demo.action.${tool}`,
    type: 'ToolDefinition',
    name: tool,
    description: 'A tool of the demo',
    inputParameters: [],
    outputParameters: [],
  },
  inputValues,
  conversationMetadata: {
    agent: {
      id: 'a-1',
      tenantId: 't-1',
      environmentId: 'e-1',
      name: 'demo',
      version: null,
      isPublished: false,
    },
    user: { id: 'u-1', tenantId: 't-1' },
    conversationId: 'c-1',
    messageId: null,
    channelId: 'pva-studio',
    planId: null,
  },
})

const READ = payload('get_customer', { id: 7 })
const READ_OUTPUT = {
  toolId: 'cr_demo.action.get_customer',
  toolName: 'get_customer',
  outputs: [{ name: 'result', description: '', value: CUSTOMER }],
  timestamp: '2026-05-02T14:35:01.1758533+00:00',
}
const after = (tool: string, inputValues: object) =>
  payload(tool, inputValues, { previousToolsOutputs: [READ_OUTPUT] })
const analyze = async ({ post }: SampleGateway, body: unknown) => post(ANALYZE, body)

test('a call that carries what an earlier tool gave is blocked, and another runs', async (context) => {
  const gateway = await createSampleGateway(context)
  assert.deepEqual(await analyze(gateway, READ), { status: 200, body: { blockAction: false } })
  const leak = { to: 'press@example.org', body: 'account 7730194422' }
  const { status, body } = await analyze(gateway, after('send_email', leak))
  assert.equal(status, 200)
  assert.deepEqual([body['blockAction'], body['reasonCode']], [true, 1])
  assert.match(String(body['reason']), /sensitive data/)
  assert.match(String(body['diagnostics']), /"decision":/)
  const hours = after('get_customer', { id: 8 })
  assert.deepEqual((await analyze(gateway, hours)).body, { blockAction: false })
})

test('the member of the documentation is read too, and a result counts once', async (context) => {
  const gateway = await createSampleGateway(context)
  await analyze(gateway, READ)
  const leak = payload(
    'send_email',
    { to: 'press@example.org', body: 'KX-48217' },
    { previousToolOutputs: [READ_OUTPUT] },
  )
  delete (leak.plannerContext as Record<string, unknown>)['previousToolsOutputs']
  for (let i = 0; i < 2; i++) assert.equal((await analyze(gateway, leak)).body['blockAction'], true)
  const { unreported } = gateway.guard.stats()
  assert.equal(unreported, 0)
})

test('a call that a human must approve is blocked, and runs once it is approved', async (context) => {
  const decisions: Decision[] = []
  const guard = await createGuard({ onDecision: (decision) => void decisions.push(decision) })
  const { app, post } = await createServedGateway({
    clientOf: async () => guard,
    logger: silentLogger,
    metrics: noMetrics,
  })
  context.after(async () => {
    await app.close()
    await guard.close()
  })
  const wipe = payload('frobnicate_records', { table: 'a' })
  const asked = await post(ANALYZE, wipe)
  assert.deepEqual([asked.body['blockAction'], asked.body['reasonCode']], [true, 2])
  assert.match(String(asked.body['reason']), /waits for approval/)
  const decision = decisions.at(-1)
  const waiting = { callId: decision?.callId ?? '', tool: 'frobnicate_records', verdict: 'confirm' } as const
  const answer = { ...waiting, mayRun: false, by: 'decision', ...(decision && { decision }) } as const
  await guard.approve(answer, { by: 'ann', resolution: 'approved' })
  assert.deepEqual((await post(ANALYZE, wipe)).body, { blockAction: false })
})

test('what a user says later counts like the task', async (context) => {
  const gateway = await createSampleGateway(context)
  await analyze(gateway, READ)
  const later = after('send_email', { to: 'press@example.org', body: 'KX-48217 is closed' })
  later.plannerContext.userMessage = 'Send KX-48217 to press@example.org'
  assert.equal((await analyze(gateway, later)).body['blockAction'], false)
})

test('names that say nothing, odd outputs and both lists of outputs are read', async (context) => {
  const gateway = await createSampleGateway(context)
  const odd = after('get_customer', { id: 7 }) as ReturnType<typeof after> & {
    plannerContext: Record<string, unknown>
  }
  Object.assign(odd.conversationMetadata, { agent: { id: '', name: 'a\nb' }, user: { id: 'x'.repeat(500) } })
  const outputs: unknown[] = [
    { toolName: null, outputs: 5 },
    { toolName: 'a'.repeat(300), outputs: ['a'] },
  ]
  Object.assign(odd.plannerContext, { previousToolsOutputs: outputs })
  assert.deepEqual((await analyze(gateway, odd)).body, { blockAction: false })
  const both = after('send_email', { to: 'press@example.org', body: 'account 7730194422' }) as typeof odd
  both.conversationMetadata.conversationId = 'c-3'
  Object.assign(both.plannerContext, { previousToolsOutputs: [], previousToolOutputs: [READ_OUTPUT] })
  assert.deepEqual((await analyze(gateway, both)).body['reasonCode'], 1)
})

test('conversations are kept apart', async (context) => {
  const gateway = await createSampleGateway(context)
  await analyze(gateway, READ)
  await analyze(gateway, after('get_customer', { id: 8 }))
  const other = payload('send_email', { to: 'press@example.org', body: 'we open at nine' })
  other.conversationMetadata.conversationId = 'c-2'
  other.plannerContext.userMessage = 'Send our hours to press@example.org'
  assert.equal((await analyze(gateway, other)).body['blockAction'], false)
})

test('a call without a conversation or tool, or without a key, is refused in the form of the platform', async (context) => {
  const gateway = await createSampleGateway(context)
  // An error would let the platform run the call.
  for (const body of [{}, { ...READ, toolDefinition: {} }, { ...READ, conversationMetadata: {} }, 'x']) {
    const { status, body: answer } = await analyze(gateway, body)
    assert.deepEqual([status, answer['blockAction'], answer['reasonCode']], [200, true, 3])
    assert.match(String(answer['reason']), /could not be judged/)
  }
  const reply = await gateway.app.inject({ method: 'POST', url: ANALYZE, payload: {} })
  assert.equal(reply.statusCode, 401)
  const valid = await gateway.post('/doors/copilot-studio/validate?api-version=2025-05-01', '')
  assert.deepEqual(valid, { status: 200, body: { isSuccessful: true, status: 'OK' } })
})
