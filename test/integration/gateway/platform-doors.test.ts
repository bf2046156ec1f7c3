import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { hashOfKey, parsePrincipals } from '@plimsoll/gateway'
import { DEPLOYMENTS } from '../../support/sessions/deployment.js'
import { withGateway } from '../../support/gateway-world.js'

const PRINCIPALS = parsePrincipals({
  principals: [
    { name: 'desk', trust: 'host', keys: [hashOfKey('key-of-desk')], webhookSecretEnv: 'HIVE_SECRET' },
  ],
})

const conversation = { agent: { id: 'a-1', name: 'demo' }, user: { id: 'u-1' }, conversationId: 'c-1' }
const OUTPUT = {
  toolId: 'x.get_customer',
  toolName: 'get_customer',
  outputs: [{ name: 'result', value: 'Case KX-48217: Ann Moor, account 7730194422, owes 1,240.' }],
  timestamp: '2026-05-02T14:35:01.1758533+00:00',
}

for (const [kind, skip] of DEPLOYMENTS)
  test(`Copilot Studio asks at its door, ${kind}`, { skip }, () =>
    withGateway(kind, async (deployment) => {
      await deployment.startMonitor().started
      const ask = async (address: string, body: string) => {
        const headers = { authorization: 'Bearer key-of-desk', 'content-type': 'application/json' }
        const url = `${deployment.gateway.url}/doors/copilot-studio/${address}?api-version=2025-05-01`
        const reply = await fetch(url, { method: 'POST', headers, body })
        return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
      }
      const analyze = (name: string, inputValues: object, previousToolsOutputs: readonly object[] = []) =>
        ask(
          'analyze-tool-execution',
          JSON.stringify({
            plannerContext: {
              userMessage: 'What does customer 7 owe?',
              chatHistory: [],
              previousToolsOutputs,
            },
            toolDefinition: { id: `x.${name}`, type: 'ToolDefinition', name, description: '' },
            inputValues,
            conversationMetadata: conversation,
          }),
        )
      assert.deepEqual(await ask('validate', ''), { status: 200, body: { isSuccessful: true, status: 'OK' } })
      const read = await analyze('get_customer', { id: 7 })
      assert.deepEqual(read, { status: 200, body: { blockAction: false } })
      const leak = { to: 'press@example.org', body: 'account 7730194422' }
      const { body } = await analyze('send_email', leak, [OUTPUT])
      assert.deepEqual([body['blockAction'], body['reasonCode']], [true, 1], JSON.stringify(body))
      assert.deepEqual(deployment.seen.deadLetters, [])
    }),
  )

test('ToolHive asks at its door with the secret of its principal', () =>
  withGateway(
    'embedded',
    async (deployment) => {
      await deployment.startMonitor().started
      const ask = async (secret: string) => {
        const body = JSON.stringify({
          version: 'v0.1.0',
          uid: 'u-1',
          principal: { subject: 'ann' },
          mcp_request: {
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: { name: 'get_customer', arguments: {} },
          },
          context: { server_name: 'crm', source_ip: '127.0.0.1', transport: 'sse' },
        })
        const timestamp = String(Math.floor(Date.now() / 1000))
        const headers = {
          'content-type': 'application/json',
          'x-toolhive-timestamp': timestamp,
          'x-toolhive-signature': `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`,
        }
        const reply = await fetch(`${deployment.gateway.url}/doors/toolhive/desk`, {
          method: 'POST',
          headers,
          body,
        })
        return [reply.status, ((await reply.json()) as Record<string, unknown>)['allowed']]
      }
      assert.deepEqual(await ask('a secret of the webhook'), [200, true])
      assert.deepEqual(await ask('another secret of it'), [401, undefined])
    },
    { principals: PRINCIPALS, environment: { HIVE_SECRET: 'a secret of the webhook' } },
  ))
