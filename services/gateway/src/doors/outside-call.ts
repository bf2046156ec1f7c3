import { type Answer, type Session, approvalLines, isWaiting } from '@plimsoll/client'
import { digestOf } from '@plimsoll/contracts'
import type { Caller } from '../http/route.js'
import { present } from '../http/route.js'
import type { HeldSession } from '../sessions/session-registry.js'

/** A call that another platform asks about before it runs it, with what it says of the conversation. */
export interface OutsideCall {
  /** Sets the conversation apart from all others of the principal. */
  readonly conversation: string
  readonly agent?: string | undefined
  readonly user?: string | undefined
  /** The user's own words in order; the first are the task. */
  readonly said: readonly string[]
  /** Calls that ran, with their results, in order; those that were reported before count once. Undefined where results never come. */
  readonly ran: readonly OutsideResult[] | undefined
  readonly step: {
    readonly tool: string
    readonly description?: string | undefined
    readonly arguments: Readonly<Record<string, unknown>>
  }
}

export interface OutsideResult {
  readonly tool: string
  readonly result: unknown
  /** What sets it apart from another result of the tool, such as its time. */
  readonly at?: string | undefined
}

/** How long a conversation may be unused, milliseconds: its next call starts another session. */
const IDLE_MS = 3_600_000
/** Conversations of one principal: a further one ends the least recently used. */
const CONVERSATIONS_MAX = 5_000
/** What is remembered of one conversation: more texts and results than one request may carry, and calls whose result may come. */
const REPORTED_MAX = 8_192
const OPEN_MAX = 24

interface Known {
  readonly reported: Set<string>
  readonly open: Answer[]
  /** Requests of one conversation are answered one after the other. */
  queue: Promise<unknown>
}

const known = new WeakMap<HeldSession, Known>()

/** The answer to a call of another platform. What it reports counts first, once. Rejects as a check does. */
export async function judgeOutside(call: OutsideCall, caller: Caller, timeoutMs: number): Promise<Answer> {
  const { principal, sessions } = caller
  const { agent, user, said } = call
  const [task] = said
  const held = await sessions.findOrOpen(principal, `door ${call.conversation}`, {
    idleMs: IDLE_MS,
    ofOneMax: CONVERSATIONS_MAX,
    scope: { user, conversation: call.conversation },
    start: async () => present({ agent: agent?.replaceAll(/[^\w.:/@+=~-]/g, '-'), user, task }),
  })
  const memory = memoryOf(held, task)
  const answer = memory.queue.then(() =>
    sessions.during(held, () => judgeOne(call, held, memory, caller, timeoutMs)),
  )
  memory.queue = answer.catch(() => {})
  return answer
}

function memoryOf(held: HeldSession, task: string | undefined): Known {
  const found = known.get(held)
  if (found) return found
  const made: Known = { reported: new Set(), open: [], queue: Promise.resolve() }
  if (task !== undefined) made.reported.add(digestOf(['said', task]))
  known.set(held, made)
  return made
}

async function judgeOne(
  { said, ran, step }: OutsideCall,
  { session, principal }: HeldSession,
  memory: Known,
  { approvals }: Caller,
  timeoutMs: number,
): Promise<Answer> {
  for (const text of said)
    if (principal.trust === 'host') await onceFor(memory, ['said', text], () => session.instruct(text))
  if (ran === undefined) await completeUnknown(session, memory)
  for (const result of ran ?? [])
    await onceFor(memory, ['ran', result.tool, result.at ?? '', result.result], () =>
      complete(session, memory, result),
    )
  const proposed = present({ description: step.description, arguments: step.arguments })
  const answer = await session.ask({ tool: step.tool, ...proposed }, { timeoutMs, prerequisitesMs: 0 })
  if (answer.decision && isWaiting(answer))
    approvals?.describe(answer.decision.id, approvalLines(answer, { arguments: step.arguments }))
  if (answer.mayRun) {
    memory.open.push(answer)
    const [oldest] = memory.open.length > OPEN_MAX ? memory.open.splice(0, 1) : []
    if (oldest) await session.complete(oldest, { outcome: 'error', isWhole: false })
  }
  return answer
}

/** What earlier calls gave is not known. */
async function completeUnknown(session: Session, { open }: Known): Promise<void> {
  for (const answer of open.splice(0)) await session.complete(answer, { outcome: 'ok', isWhole: false })
}

/** Reports what was not reported before; what fails is reported again at the next call. */
async function onceFor(
  { reported }: Known,
  what: readonly unknown[],
  report: () => Promise<void>,
): Promise<void> {
  const digest = digestOf(what)
  if (reported.has(digest)) return
  await report()
  reported.add(digest)
  const [oldest] = reported
  if (reported.size > REPORTED_MAX && oldest !== undefined) reported.delete(oldest)
}

/** Reports a result: of the oldest open call of its tool, else of a step that ran without a verdict. */
async function complete(session: Session, { open }: Known, { tool, result }: OutsideResult): Promise<void> {
  const at = open.findIndex((answer) => answer.tool === tool)
  const [answer] = at < 0 ? [] : open.splice(at, 1)
  await session.complete(
    answer ?? {
      callId: `unasked-${digestOf([tool, result]).slice(0, 16)}`,
      tool,
      verdict: 'allow',
      mayRun: true,
      by: 'fail_open',
    },
    { result },
  )
}
