import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { kafka, withoutPair } from '../../support/components/components.js'
import { FINGERPRINT_KEY, withGateway } from '../../support/gateway-world.js'
import { projectRoot } from '../../support/paths.js'

const agent = path.join(projectRoot, 'examples/client/agent.mjs')

/** What the example prints: what it read, and why its mail was not sent. */
const PRINTED = [
  'get_customer: {"id":7,"name":"Ada Example","account":"7730194422"}',
  'send_email: {"refused":"`send_email` was blocked: this step carries sensitive data that the session has read; instead: send it without the data, or send a summary; where it has to go out, ask the user for a declassification"}',
  '',
].join('\n')

async function runAgent(over: Readonly<Record<string, string>> = {}): Promise<string> {
  const { KAFKA_BROKERS: _, ...env } = process.env
  const { stdout } = await promisify(execFile)(process.execPath, [agent], { env: { ...env, ...over } })
  return stdout
}

test('the client page shows its example unchanged', async () => {
  const page = await readFile(path.join(projectRoot, 'docs/reference/client.md'), 'utf8')
  const code = (await readFile(agent, 'utf8')).replace(/^\/\*\*.*?\*\/\n/s, '')
  assert.ok(page.includes(code.trim()))
})

test('the example runs in its own process', async () => {
  assert.equal(await runAgent(), PRINTED)
})

test('the example runs behind a gateway', async () => {
  await withGateway('embedded', async (deployment) => {
    await deployment.startMonitor().started
    const over = { GATEWAY_URL: deployment.gateway.url, PLIMSOLL_API_KEY: 'key-of-desk' }
    assert.equal(await runAgent(over), PRINTED)
  })
})

test('the example runs over Kafka', { skip: withoutPair }, async () => {
  await withGateway('real', async (deployment) => {
    await deployment.startMonitor().started
    const over = {
      KAFKA_BROKERS: kafka.brokers.join(','),
      PLIMSOLL_TOPIC_PREFIX: deployment.topics.events.replace(/\.events$/, ''),
      PLIMSOLL_FINGERPRINT_KEY: FINGERPRINT_KEY,
    }
    assert.equal(await runAgent(over), PRINTED)
  })
})
