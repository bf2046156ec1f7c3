/**
 * An agent that reads a customer's file and then tries to e-mail it. No step is unsafe; the sequence is.
 *
 *   node examples/agent/agent.mjs                                     decided in this process
 *   KAFKA_BROKERS=127.0.0.1:9092 node examples/agent/agent.mjs        decided by the monitors that read from Kafka
 */
const { KAFKA_BROKERS: brokers, PLIMSOLL_TOPIC_PREFIX: prefix, PLIMSOLL_FINGERPRINT_KEY: key } = process.env
const client = brokers ? await connect(brokers.split(',')) : await guard()

const tools = {
  get_customer: async ({ id }) => ({ id, name: 'Ada Example', iban: 'XX00 0000 0000' }),
  send_email: async ({ to }) => `sent to ${to}`,
}

/** Runs a tool call if the answer permits it. */
async function callTool(session, step) {
  const answer = await session.propose(step)
  const reasons = answer.decision?.reasons.map(({ message }) => message) ?? ['no verdict came in time']
  process.stdout.write(`${[`${step.tool}: ${answer.verdict}`, ...reasons].join('\n  because ')}\n`)
  if (!answer.mayRun) return undefined
  const result = await tools[step.tool](step.arguments)
  // The result's text stays here. With a key (a guard has its own) fingerprints of it are sent.
  await session.complete(answer, { result })
  return result
}

const session = await client.startSession({ category: 'data_handling', agent: 'example' })
const customer = await callTool(session, { tool: 'get_customer', arguments: { id: 7 } })
const mail = { to: 'someone@example.org', body: JSON.stringify(customer) }
// With a key Plimsoll knows that the file is in the mail, and blocks. Without a key it asks a human; `session.resolution(answer)` would wait for the answer.
await callTool(session, { tool: 'send_email', arguments: mail })
// The host reports it: blocked with or without a key.
await callTool(session, { tool: 'send_email', arguments: mail, evidence: 'present' })
await session.end('completed')
await client.close()

async function guard() {
  const { createGuard } = await import('@plimsoll/client')
  return createGuard()
}

async function connect(brokers) {
  const { connectClient } = await import('@plimsoll/client/kafka')
  return connectClient({
    brokers,
    ...(prefix && { topicPrefix: prefix }),
    ...(key && { fingerprintKey: key }),
    // The person who approves an e-mail must see it, so its arguments are sent. Those of other tools stay here.
    disclose: [{ tools: ['send_email'], arguments: ['*'] }],
  })
}
