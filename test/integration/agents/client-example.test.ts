import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { kafka, withoutPair } from '../../support/components/components.js'
import { deploy } from '../../support/sessions/deployment.js'
import { projectRoot } from '../../support/paths.js'

const agent = path.join(projectRoot, 'examples/agent/agent.mjs')

/** The verdicts that the example prints, in order. */
async function runAgent(over: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const { KAFKA_BROKERS: _, ...env } = process.env
  const { stdout } = await promisify(execFile)(process.execPath, [agent], { env: { ...env, ...over } })
  return stdout.split('\n').filter((line) => line !== '' && !line.startsWith(' '))
}

const WITH_KEY = ['get_customer: allow', 'send_email: block', 'send_email: block']
const WITHOUT_KEY = ['get_customer: allow', 'send_email: confirm', 'send_email: block']

test('the example agent, in its own process', async () => {
  assert.deepEqual(await runAgent(), WITH_KEY)
})

test('the example agent, over Kafka', { skip: withoutPair }, async () => {
  const deployment = await deploy('real')
  try {
    await deployment.startMonitor().started
    const brokers = kafka.brokers.join(',')
    const prefix = deployment.topics.events.replace(/\.events$/, '')
    const over = { KAFKA_BROKERS: brokers, PLIMSOLL_TOPIC_PREFIX: prefix }
    assert.deepEqual(await runAgent(over), WITHOUT_KEY)
    const PLIMSOLL_FINGERPRINT_KEY = 'a key for this test alone'
    assert.deepEqual(await runAgent({ ...over, PLIMSOLL_FINGERPRINT_KEY }), WITH_KEY)
  } finally {
    await deployment.close()
  }
})
