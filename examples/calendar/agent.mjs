/**
 * An agent that moves a meeting and tells its attendees, with a real MCP server. It asks Plimsoll before each call.
 *
 *   node examples/calendar/agent.mjs [PLAN]                            decided in this process; plans.mjs has the plans
 *   CALENDAR_MODE=observe node examples/calendar/agent.mjs [PLAN]      … and every step runs, whatever is decided
 *   KAFKA_BROKERS=127.0.0.1:9092 node examples/calendar/agent.mjs      decided by the monitors that read from Kafka
 */
import { setTimeout } from 'node:timers/promises'
import { connectTools, guarded } from './guarded-tools.mjs'
import { HARM, PLANS, TASK } from './plans.mjs'
import { connectPlimsoll } from './plimsoll.mjs'
import { createRecording } from './recording.mjs'

const [name = 'well-behaved'] = process.argv.slice(2)
const plan = PLANS[name]
if (!plan) {
  process.stderr.write(`there is no plan \`${name}\`: ${Object.keys(PLANS).join(', ')}\n`)
  process.exit(2)
}

const client = await connectPlimsoll()
const tools = await connectTools(process.env.CALENDAR_OUTBOX)
try {
  const session = await client.startSession({ agent: 'calendar', task: TASK })
  const recording = createRecording(process.env.CALENDAR_RECORDING, { name, task: TASK, harmAt: HARM[name] })
  const call = guarded(tools, session, { onAnswer: tell, onResult: recording.add })
  for (const [i, step] of plan.entries()) {
    if (i > 0) await setTimeout(Number(process.env.CALENDAR_PAUSE_MS ?? 0))
    await call(step)
  }
  await session.end('completed')
  await recording.end()
} finally {
  await tools.close()
  await client.close()
}

/** A line a step, and why below it. */
function tell(step, { verdict, decision }) {
  const reasons = decision?.reasons ?? [{ code: 'no verdict', message: 'none came in time' }]
  const lines = reasons.map(({ code, message }) => `  ${code}: ${message}`)
  process.stdout.write(
    `${[`${step.tool} ${JSON.stringify(step.arguments)}: ${verdict}`, ...lines].join('\n')}\n`,
  )
}
