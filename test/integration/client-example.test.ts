import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { kafka, withoutPair } from '../support/components.js'
import { deploy } from '../support/deployment.js'
import { projectRoot } from '../support/paths.js'

const agent = path.join(projectRoot, 'examples/agent/agent.mjs')

/** The verdicts that the example prints, in their order. */
async function runAgent(over: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const { KAFKA_BROKERS: _, ...env } = process.env
  const { stdout } = await promisify(execFile)(process.execPath, [agent], { env: { ...env, ...over } })
  return stdout.split('\n').filter((line) => line !== '' && !line.startsWith(' '))
}

const EXPECTED = ['get_customer: allow', 'send_email: confirm', 'send_email: block']

test('the example agent, in its own process', async () => {
  assert.deepEqual(await runAgent(), EXPECTED)
})

test('the example agent, over Kafka', { skip: withoutPair }, async () => {
  const world = await deploy('real')
  try {
    await world.startMonitor().started
    const brokers = kafka.brokers.join(',')
    const prefix = world.topics.events.replace(/\.events$/, '')
    assert.deepEqual(await runAgent({ KAFKA_BROKERS: brokers, PLIMSOLL_TOPIC_PREFIX: prefix }), EXPECTED)
  } finally {
    await world.close()
  }
})
