/**
 * An agent whose tool calls are steps of a session. A step runs if it may, with exactly the judged arguments.
 *
 *   node examples/client/agent.mjs                                                        decided in this process
 *   GATEWAY_URL=http://127.0.0.1:9465 PLIMSOLL_API_KEY=… node examples/client/agent.mjs  behind a gateway
 *   KAFKA_BROKERS=127.0.0.1:9092 node examples/client/agent.mjs                           on a trusted host, over Kafka
 */
import { createGuard, StepBlocked } from '@plimsoll/client'
import { connectGateway } from '@plimsoll/client/gateway'
import { connectClient } from '@plimsoll/client/kafka'

const { GATEWAY_URL: url, PLIMSOLL_API_KEY: credential = '', KAFKA_BROKERS: brokers } = process.env
const { PLIMSOLL_TOPIC_PREFIX: topicPrefix, PLIMSOLL_FINGERPRINT_KEY: fingerprintKey } = process.env

async function connect() {
  if (url) return connectGateway({ url, credential })
  if (brokers) return connectClient({ brokers: brokers.split(','), topicPrefix, fingerprintKey })
  return createGuard()
}

const tools = {
  get_customer: async ({ id }) => ({ id, name: 'Ada Example', account: '7730194422' }),
  send_email: async ({ to }) => `sent to ${to}`,
}

const client = await connect()
const session = await client.startSession({ category: 'data_handling', agent: 'example' })

/** Returns what the model gets: the tool's result, or why the step did not run. */
async function callTool(tool, values) {
  const step = { tool, arguments: values }
  try {
    // Waits up to five minutes for an approval, and for steps that must be complete first.
    return await session.run(step, tools[tool], { approvalMs: 300_000 })
  } catch (error) {
    if (!(error instanceof StepBlocked)) throw error
    return { refused: error.message }
  }
}

const customer = await callTool('get_customer', { id: 7 })
const mail = await callTool('send_email', { to: 'someone@example.org', body: JSON.stringify(customer) })
process.stdout.write(`get_customer: ${JSON.stringify(customer)}\nsend_email: ${JSON.stringify(mail)}\n`)
await session.end('completed')
await client.close()
