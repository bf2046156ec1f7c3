import { type Answer, approvalLines, explain, isWaiting } from '@plimsoll/client'
import {
  type HttpAnswer,
  type HttpCheck,
  type HttpStart,
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
import type { HeldSession, OpenTerms } from '../sessions/session-registry.js'
import { type Caller, type Route, defineRoute, present } from './route.js'

/** How long a session that its first check started may be unused, milliseconds: then its user's next step starts another. */
export const UNNAMED_IDLE_MS = 3_600_000

/** How long a session that was started explicitly may be unused: no approval takes longer. */
export const NAMED_IDLE_MS = 24 * 3_600_000

/** All addresses under `/v1`. */
export const CHECK_ROUTES: readonly Route[] = [
  defineRoute({
    path: '/v1/sessions',
    name: 'startSession',
    summary: 'Start a session',
    description:
      'One run of one agent on one task. Without it the first check starts a session for its caller and user; a task makes verdicts better.',
    body: httpStartSchema,
    reply: httpStartedSchema,
    answer: async (start, caller): Promise<HttpStarted> => {
      const { token, session } = await caller.sessions.open(caller.principal, termsOf(start, caller))
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
    answer: async ({ text, ...which }, caller) => {
      const { session } = await find(which, caller)
      if (caller.principal.trust === 'host') await session.instruct(text)
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
      'The answer to a `confirm`: `confirm` again while it is unanswered, `block` once it has expired.',
    body: httpResolutionSchema,
    reply: httpAnswerSchema,
    answer: async ({ callId, waitMs, ...which }, caller): Promise<HttpAnswer> => {
      const held = await find(which, caller)
      return answerBody(held, await held.calls.resolve(callId, { timeoutMs: waitMs, signal: caller.signal }))
    },
  }),
  defineRoute({
    path: '/v1/complete',
    name: 'complete',
    summary: 'Report that a step ran',
    description:
      'And its result, which counts for the steps after it. Report a step that ran without a check here too, with its `tool`, also if it waits for approval.',
    body: httpCompletionSchema,
    reply: undefined,
    answer: async ({ callId, tool, session, user, child, ...result }, caller) => {
      const which = { session, user }
      const held = await (tool === undefined ? find(which, caller) : findOrOpen(which, caller))
      const relative = child === undefined ? undefined : (await find({ session: child }, caller)).session
      // What an agent reports as a result may be only a part of it.
      const isWhole = caller.principal.trust === 'host'
      await held.calls.complete(callId, async (answer) => {
        const ran = answer && tool === undefined ? await approvedCall(held, answer) : answer
        await held.session.complete(
          ran ?? uncheckedCall(callId, tool),
          present({ ...result, isWhole, child: relative }),
        )
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
    answer: async ({ outcome, session, user }, { principal, sessions }) => {
      if (session !== undefined && sessions.hasEnded(principal, session)) return undefined
      const held = await (session === undefined
        ? sessions.findNamed(principal, nameOf(user))
        : sessions.find(principal, session, RESUMED))
      if (held) await sessions.end(held, outcome)
      return undefined
    },
  }),
]

interface Which {
  readonly session?: string | undefined
  readonly user?: string | undefined
}

const RESUMED: OpenTerms = { idleMs: NAMED_IDLE_MS, isResumable: true }

/** The name of a user's session that no request names. */
const nameOf = (user = ''): string => `http\n${user}`

async function find({ session, user }: Which, { principal, sessions }: Caller): Promise<HeldSession> {
  if (session !== undefined) return sessions.find(principal, session, RESUMED)
  const held = await sessions.findNamed(principal, nameOf(user))
  if (held) return held
  throw new PlimsollError('session_unknown', 'you have no such session')
}

/** The session that is named or, if none is, the one of the principal and user, which is started if needed. */
async function findOrOpen(which: Which & HttpStart, caller: Caller): Promise<HeldSession> {
  if (which.session !== undefined) return find(which, caller)
  const { user } = which
  const terms = { ...termsOf(which, caller), idleMs: UNNAMED_IDLE_MS, scope: { user } }
  return caller.sessions.findOrOpen(caller.principal, nameOf(user), terms)
}

function termsOf({ category, agent, user, task, parent, world }: HttpStart, caller: Caller): OpenTerms {
  const start = async () => {
    const relative = parent === undefined ? undefined : (await find({ session: parent }, caller)).session
    return present({ category, agent, user, task, parent: relative, world })
  }
  return { ...RESUMED, start }
}

async function check(asked: HttpCheck, caller: Caller): Promise<HttpAnswer> {
  const { tool, description, callId, labels, evidence, timeoutMs, waitMs } = asked
  const { sessions, metrics, signal, trace } = caller
  const held = await findOrOpen(asked, caller)
  const members = present({ description, arguments: asked.arguments, callId, labels, evidence, trace })
  const askedAt = performance.now()
  let answer = await held.calls.propose({ tool, ...members }, { signal, ...present({ timeoutMs }) })
  metrics.checked(answer, (performance.now() - askedAt) / 1000)
  if (answer.decision && isWaiting(answer))
    caller.approvals?.describe(
      answer.decision.id,
      approvalLines(answer, { arguments: asked.arguments ?? {} }),
    )
  if (waitMs > 0 && answer.verdict === 'confirm')
    answer = await held.calls.resolve(answer.callId, { timeoutMs: waitMs, signal })
  // The monitors count the session as ended, or do not know it.
  const { kind, reasons = [] } = answer.decision ?? {}
  const isOver = reasons.some(({ code }) => code === 'session_ended' || code === 'session_state_lost')
  if (kind === 'refusal' && isOver) sessions.forget(held)
  return answerBody(held, answer)
}

function answerBody({ token, session }: HeldSession, answer: Answer): HttpAnswer {
  const { callId, tool, verdict, mayRun, by, decision } = answer
  const message = lineOf(answer)
  const members = { session: token, sessionId: session.id, callId, tool, verdict, mayRun, by, message }
  return { ...members, ...present({ decision }) }
}

/** One line for an agent: whether its step may run, why, and what to do instead. */
function lineOf(answer: Answer): string {
  const { mayRun, tool, by, decision } = answer
  const { waitFor = [], reasons = [] } = decision ?? {}
  if (!mayRun)
    return waitFor.length === 0 ? explain(answer) : `${explain(answer)}; wait for ${waitFor.join(', ')}`
  if (by !== 'decision')
    return `\`${tool}\` may run: ${by === 'observe' ? 'it is only observed' : 'no verdict came'}`
  const remarks = reasons.filter(({ liftedBy, verdict }) => !liftedBy && verdict !== 'allow')
  const messages = [...new Set(remarks.map(({ message }) => message))].join('; ')
  return messages === '' ? `\`${tool}\` may run` : `\`${tool}\` may run: ${messages}`
}

/** A call that a human has approved by now, or that waits for none. Throws `step_blocked` while it waits: nothing may have run. */
async function approvedCall({ session }: HeldSession, answer: Answer): Promise<Answer> {
  const now = await session.resolution(answer, { timeoutMs: 0 })
  if (!isWaiting(now)) return now
  throw new PlimsollError(
    'step_blocked',
    `call \`${answer.callId}\` waits for approval and may not run yet: wait with \`/v1/resolution\` until \`mayRun\`; if it ran all the same, send its \`tool\` too`,
  )
}

/** A step that was not checked ran without a verdict. */
function uncheckedCall(callId: string, tool: string | undefined): Answer {
  if (tool !== undefined) return { callId, tool, verdict: 'allow', mayRun: true, by: 'fail_open' }
  throw new PlimsollError(
    'schema_invalid',
    `tool: call \`${callId}\` was not checked here: send its \`tool\``,
  )
}
