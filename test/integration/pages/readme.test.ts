import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { kafka, withoutPair } from '../../support/components/components.js'
import { deploy } from '../../support/sessions/deployment.js'
import { withGateway } from '../../support/gateway-world.js'
import { readmeExample, writeExample } from '../../support/readme.js'

const run = promisify(execFile)

async function runExample(t: TestContext, name: string, code: string): Promise<string> {
  const file = await writeExample(t, name, code)
  const { stdout } = await run(process.execPath, [file], { timeout: 60_000 })
  return stdout
}

test("README's agent in library mode may not mail what it has read", async (t) => {
  const library = await readmeExample('@plimsoll/client')
  const stdout = await runExample(t, 'readme-library', library)
  assert.match(stdout, /^block /)
  assert.match(stdout, /carries sensitive data/)
})

test("README's agent connects to a gateway, and its step runs", async (t) => {
  const code = await readmeExample('@plimsoll/client/gateway')
  await withGateway('embedded', async (deployment) => {
    deployment.startMonitor()
    const ours = code
      .replace('http://127.0.0.1:9465', deployment.gateway.url)
      .replace('process.env.GATEWAY_KEY', "'key-of-desk'")
    const stdout = await runExample(t, 'readme-gateway', ours)
    assert.equal(stdout, 'sent to ann@example.org\n')
    assert.deepEqual(
      deployment.seen.events.map(({ value }) => (JSON.parse(String(value)) as { type: string }).type),
      ['session.started', 'step.proposed', 'step.completed', 'session.ended'],
    )
  })
})

test("README's agent over Kafka gets a decision", { skip: withoutPair }, async (t) => {
  const overKafka = await readmeExample('@plimsoll/client/kafka')
  const deployment = await deploy('real')
  try {
    deployment.startMonitor()
    const ours = `brokers: ${JSON.stringify(kafka.brokers)}, topicPrefix: '${deployment.prefix}plimsoll'`
    const code = overKafka
      .replace("brokers: ['127.0.0.1:9092']", ours)
      .replace('process.env.FINGERPRINT_KEY', "'a key of fingerprints for tests'")
    assert.notEqual(code, overKafka)
    const stdout = await runExample(
      t,
      `readme-kafka-${deployment.prefix}`,
      `${code}\nconsole.log(final.by, final.verdict)\n`,
    )
    assert.equal(stdout, 'decision allow\n', 'its task asks for the mail')
  } finally {
    await deployment.close()
  }
})
