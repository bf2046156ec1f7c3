import { type Answer, explain } from '@plimsoll/client'
import {
  type HttpAnswer,
  type HttpCheck,
  type HttpStarted,
  PlimsollError,
  httpAnswerSchema,
  httpCheckSchema,
  httpCompletionSchema,
  httpEndSchema,
  httpInstructionSchema,
  httpResolutionSchema,
  httpStartSchema,
  httpStartedSchema,
} from '@plimsoll/contracts'
import { type Caller, type Route, defineRoute } from './metrics.js'
import { type Held, type HttpSessionRegistry, present } from './session-registry.js'

/** One line for an agent: whether its step may run, why, and what would do instead. */
export function lineOf(answer: Answer): string {
  const { mayRun, tool, by, decision } = answer
  const { waitFor = [] } = decision ?? {}
  if (!mayRun)
    return waitFor.length === 0 ? explain(answer) : `${explain(answer)}; wait for ${waitFor.join(', ')}`
  if (by !== 'decision')
    return `\`${tool}\` may run: ${by === 'observe' ? 'it is only observed' : 'no verdict came'}`
  const reported = decision?.reasons.filter(({ liftedBy, verdict }) => !liftedBy && verdict !== 'allow') ?? []
  const remarks = [...new Set(reported.map(({ message }) => message))].join('; ')
  return remarks === '' ? `\`${tool}\` may run` : `\`${tool}\` may run: ${remarks}`
}

/** Everything that can be said and asked of sessions over HTTP. */
export const CHECK_ROUTES: readonly Route[] = [
  defineRoute({
    path: '/v1/sessions',
    name: 'startSession',
    summary: 'Start a session',
    description:
      'One run of one agent on one task. Without it the first check starts a session for its caller and user; a task makes verdicts better.',
    body: httpStartSchema,
    reply: httpStartedSchema,
    answer: async (reported, { principal, sessions: registry }): Promise<HttpStarted> => {
      const { token, session } = await registry.start(principal, reported)
      return { session: token, sessionId: session.id }
    },
  }),
  defineRoute({
    path: '/v1/instruct',
    name: 'instruct',
    summary: 'Report what the user says later',
    description:
      "The user's own words after the task, and nothing that an agent or a tool wrote: they count as the task does, from the next check on. Of a principal that is an agent they are dropped, as its tasks are.",
    body: httpInstructionSchema,
    reply: undefined,
    answer: async ({ text, ...which }, { principal, sessions: registry }) => {
      const { session } = await registry.find(principal, which)
      if (principal.trust === 'host') await session.instruct(text)
      return undefined
    },
  }),
  defineRoute({
    path: '/v1/check',
    name: 'check',
    summary: 'Ask before a step runs',
    description:
      'The verdict on one tool call. Run it only if `mayRun` is true, with exactly these arguments. If a human is asked, wait with `waitMs`, or with `/v1/resolution`.',
    body: httpCheckSchema,
    reply: httpAnswerSchema,
    answer: check,
  }),
  defineRoute({
    path: '/v1/resolution',
    name: 'resolution',
    summary: "Wait for a human's answer",
    description:
      'What has become of a `confirm`: `confirm` again while nobody has answered, `block` once it has expired.',
    body: httpResolutionSchema,
    reply: httpAnswerSchema,
    answer: async (
      { callId, waitMs, ...which },
      { principal, sessions: registry, signal },
    ): Promise<HttpAnswer> => {
      const held = await registry.find(principal, which)
      return answerBody(held, await held.calls.resolve(callId, { timeoutMs: waitMs, signal }))
    },
  }),
  defineRoute({
    path: '/v1/complete',
    name: 'complete',
    summary: 'Report that a step ran',
    description:
      'And its result, which counts for the steps after it. Report a step that ran without a check here too, with its `tool`.',
    body: httpCompletionSchema,
    reply: undefined,
    answer: async ({ callId, tool, session, user, child, ...result }, { principal, sessions: registry }) => {
      const which = { session, user }
      const held = await (tool === undefined
        ? registry.find(principal, which)
        : registry.findOrStart(principal, which))
      const relative =
        child === undefined ? undefined : (await registry.find(principal, { session: child })).session
      await held.calls.complete(callId, async (call) => {
        const reported = call ?? unaskedOf(callId, tool)
        // What an agent tells as a result need not be what came back.
        const isWhole = principal.trust === 'host'
        await held.session.complete(reported, present({ ...result, isWhole, child: relative }))
      })
      return undefined
    },
  }),
  defineRoute({
    path: '/v1/end',
    name: 'endSession',
    summary: 'End a session',
    description: 'It takes no more steps. A session that is not ended ends when it has been idle for long.',
    body: httpEndSchema,
    reply: undefined,
    answer: async ({ outcome, ...which }, { principal, sessions: registry }) => {
      await registry.end(principal, which, outcome)
      return undefined
    },
  }),
]

async function check(
  asked: HttpCheck,
  { principal, sessions: registry, metrics, signal, trace }: Caller,
): Promise<HttpAnswer> {
  const { tool, description, callId, labels, evidence, timeoutMs, waitMs } = asked
  const held = await registry.findOrStart(principal, asked)
  const step = {
    tool,
    ...present({ description, arguments: asked.arguments, callId, labels, evidence, trace }),
  }
  const askedAt = performance.now()
  let answer = await held.calls.propose(step, { signal, ...present({ timeoutMs }) })
  metrics.checked(answer, (performance.now() - askedAt) / 1000)
  if (waitMs > 0 && answer.verdict === 'confirm')
    answer = await held.calls.resolve(answer.callId, { timeoutMs: waitMs, signal })
  dropIfEnded(registry, held, answer)
  return answerBody(held, answer)
}

/** A session that the monitors hold for ended, or know nothing of, can be asked nothing more. */
function dropIfEnded(registry: HttpSessionRegistry, held: Held, { decision }: Answer): void {
  if (decision?.kind !== 'refusal') return
  if (decision.reasons.some(({ code }) => code === 'session_ended' || code === 'session_state_lost'))
    registry.forget(held)
}

function answerBody({ token, session }: Held, answer: Answer): HttpAnswer {
  const { callId, tool, verdict, mayRun, by, decision } = answer
  const message = lineOf(answer)
  const reported = { session: token, sessionId: session.id, callId, tool, verdict, mayRun, by, message }
  return { ...reported, ...present({ decision }) }
}

/** A step that nobody asked about ran without a verdict. */
function unaskedOf(callId: string, tool: string | undefined): Answer {
  if (tool === undefined)
    throw new PlimsollError(
      'schema_invalid',
      `tool: call \`${callId}\` was not checked here: send its \`tool\``,
    )
  return { callId, tool, verdict: 'allow', mayRun: true, by: 'fail_open' }
}
