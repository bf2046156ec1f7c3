/** A client that gets a verdict and is then killed; see spawn-victim. */
import { connectClient } from '@plimsoll/client/kafka'

const given: unknown = JSON.parse(process.argv[2] ?? '{}')
const { brokers, topicPrefix } = given as { brokers: string[]; topicPrefix: string }
const client = await connectClient({ brokers, topicPrefix, timeoutMs: 60_000 })
const session = await client.startSession()
const answer = await session.propose({ tool: 'get_customer' })
if (!answer.mayRun) throw new Error(`not let run: ${answer.verdict}`)
process.stdout.write(`${session.id}\n`)
// Reports nothing more and waits to be killed.
setInterval(() => {}, 60_000)
