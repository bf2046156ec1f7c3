import { randomBytes } from 'node:crypto'
import type { Answer, ProposedStep, Session } from '@plimsoll/client'
import { type HttpStart, PlimsollError, digestOf, identityClaimsSchema } from '@plimsoll/contracts'
import type { Principal } from '../auth/principals-file.js'
import type { GatewayContext } from '../context.js'

/** Calls of a session that are remembered: twice as many as the engine lets be open. */
const CALLS_MAX = 64

export interface Patience {
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/**
 * The calls of one session, by the ids that their agent chose: over HTTP the answer to a request can get lost, and the same request
 * comes again. What was asked once is not asked twice, and what ran is not told twice.
 */
export interface Calls {
  /** Proposes, or gives the answer to the same proposal. Throws `call_conflict` where the id stands for another step that may still run. */
  propose(step: ProposedStep, patience: Patience): Promise<Answer>
  /** Waits where a human is asked. Throws `approval_unknown` for a call that is not remembered. */
  resolve(callId: string, patience: Patience): Promise<Answer>
  /** Runs `tell`, once for each call that was asked about. */
  complete(callId: string, report: (call: Answer | undefined) => Promise<void>): Promise<void>
}

interface Call {
  /** What was asked: tool and arguments. */
  readonly subject: string
  answer: Promise<Answer>
  /** Once it is known. */
  known: Answer | undefined
  completion: Promise<void> | undefined
}

export function createCalls(session: Session): Calls {
  const calls = new Map<string, Call>()

  function keep(callId: string, call: Call): void {
    calls.delete(callId)
    calls.set(callId, call)
    if (calls.size <= CALLS_MAX) return
    for (const oldest of calls.keys()) if (calls.delete(oldest)) return
  }

  /** From now on `answer` is what is known of the call. An answer that does not come leaves nothing behind. */
  function follow(callId: string, call: Call, answer: Promise<Answer>): Promise<Answer> {
    call.answer = answer
    answer.then(
      (known) => void (call.known = known),
      () => {
        if (!call.known && calls.get(callId) === call) calls.delete(callId)
      },
    )
    return answer
  }

  function proposeNamed(callId: string, step: ProposedStep, { timeoutMs }: Patience): Promise<Answer> {
    const subject = subjectOf(step)
    const earlier = calls.get(callId)
    if (earlier && mayStillRun(earlier)) {
      if (earlier.subject === subject) return earlier.known ? Promise.resolve(earlier.known) : earlier.answer
      throw new PlimsollError('call_conflict', `call \`${callId}\` is another step, which may still run`)
    }
    // Anyone who hangs up may ask again: the signal of one request is not that of the call.
    const answer = session.propose(step, timeoutMs === undefined ? {} : { timeoutMs })
    const call: Call = { subject, answer, known: undefined, completion: undefined }
    keep(callId, call)
    return follow(callId, call, answer)
  }

  async function proposeUnnamed(step: ProposedStep, patience: Patience): Promise<Answer> {
    const answer = await session.propose(step, patience)
    const known = Promise.resolve(answer)
    keep(answer.callId, { subject: subjectOf(step), answer: known, known: answer, completion: undefined })
    return answer
  }

  return {
    propose: async (step, patience) =>
      step.callId === undefined ? proposeUnnamed(step, patience) : proposeNamed(step.callId, step, patience),
    resolve: async (callId, patience) => {
      const call = calls.get(callId)
      if (!call) throw new PlimsollError('approval_unknown', `call \`${callId}\` waits for no approval`)
      const resolved = await session.resolution(call.known ?? (await call.answer), patience)
      call.known = resolved
      return resolved
    },
    complete: async (callId, report) => {
      const call = calls.get(callId)
      if (!call) return report(undefined)
      call.completion ??= report(call.known ?? (await call.answer))
      try {
        await call.completion
      } catch (error) {
        // It has not been told: it may be told again.
        call.completion = undefined
        throw error
      }
    },
  }
}

const mayStillRun = ({ known, completion }: Call): boolean =>
  completion === undefined && (known === undefined || known.verdict !== 'block' || known.mayRun)

/** Throws nothing: what cannot be digested is refused by the session itself. */
function subjectOf({ tool, arguments: values }: ProposedStep): string {
  try {
    return `${tool} ${digestOf(values ?? {})}`
  } catch {
    return tool
  }
}

/** The members of `told` that are there: what is left out of a body is left out of what is made of it. */
export function present<T extends object>(reported: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const members = Object.entries(reported).filter(([, value]) => value !== undefined)
  return Object.fromEntries(members) as { [K in keyof T]?: Exclude<T[K], undefined> }
}

/** How long a session that nobody started may go unused, milliseconds: then the next step of its user begins another. */
export const UNNAMED_IDLE_MS = 3_600_000

/** How long one that was started may: no approval takes longer. */
export const NAMED_IDLE_MS = 24 * 3_600_000

/** Sessions that are over and still known as that. */
const ENDED_MAX = 10_000

/** Sessions that were left lying, ended with each start: more than one, so that they become fewer. */
const SWEPT_MAX = 2

/** A session that is spoken of over HTTP. */
export interface Held {
  readonly session: Session
  /** By which its principal names it. */
  readonly token: string
  readonly calls: Calls
}

export interface Which {
  readonly session?: string | undefined
  readonly user?: string | undefined
}

/** Finds sessions by what requests say of them. A principal finds its own and no others; that others exist nobody is told. */
export interface HttpSessionRegistry {
  /** Rejects with `session_unknown` for a parent that is not the principal's, and with what a start of the client does. */
  start(principal: Principal, reported: HttpStart): Promise<Held>
  /** One that another gateway began is gone on with. Rejects with `session_unknown`, and with `session_ended` for one that was ended here. */
  find(principal: Principal, which: Which): Promise<Held>
  /** The one that is named or, where none is, that of the principal and the user, which begins now where there is none. */
  findOrStart(principal: Principal, which: Which & HttpStart): Promise<Held>
  /** Ends a session. Harmless a second time. Rejects with `session_unknown`. */
  end(principal: Principal, which: Which, outcome: Outcome): Promise<void>
  /** The session is over: its user's next step begins another. */
  forget(held: Held): void
}

type Outcome = Parameters<Session['end']>[0]

export interface HttpSessionRegistryOptions extends Pick<GatewayContext, 'clientOf'> {
  readonly now: () => number
}

interface Entry {
  readonly principal: string
  readonly held: Held
  /** Of whom it is the session where none is named. */
  readonly owner: string | undefined
  usedAt: number
}

export function createHttpSessionRegistry({
  clientOf,
  now,
}: HttpSessionRegistryOptions): HttpSessionRegistry {
  /** By their tokens, in the order of their last use. */
  const entries = new Map<string, Entry>()
  /** Tokens of those that began by themselves, by their owners. */
  const unnamed = new Map<string, string>()
  /** Principals of sessions that are over, by their tokens. */
  const ended = new Map<string, string>()
  const beginning = new Map<string, Promise<Held>>()

  async function begin(principal: Principal, reported: HttpStart, owner?: string): Promise<Held> {
    sweep()
    const { category, agent, user, task } = reported
    const parent =
      reported.parent === undefined
        ? undefined
        : (await find(principal, { session: reported.parent })).session
    const client = await clientOf(principal, owner === undefined ? undefined : { user })
    const session = await client.startSession(present({ category, agent, user, task, parent }))
    const token = session.handover().identity ?? randomBytes(32).toString('base64url')
    return keep(principal, { session, token, calls: createCalls(session) }, owner)
  }

  function keep({ name }: Principal, held: Held, owner?: string): Held {
    entries.set(held.token, { principal: name, held, owner, usedAt: now() })
    if (owner !== undefined) unnamed.set(owner, held.token)
    return held
  }

  /** Goes on with a session that another gateway began, or this one before it was started again: its token says which it is. */
  async function resume(principal: Principal, token: string): Promise<Held | undefined> {
    const id = sessionIn(token)
    if (id === undefined || entries.has(token)) return undefined
    const client = await clientOf(principal)
    try {
      const session = await client.resumeSession({ id, token })
      // One that is open here comes back whatever token is shown.
      if (session.handover().identity !== token) return undefined
      const held = { session, token, calls: createCalls(session) }
      return lookUp(principal, { session: token }) ?? keep(principal, held)
    } catch (error) {
      // That it is another's, nobody is told.
      if (error instanceof PlimsollError && error.code === 'identity_invalid') return undefined
      throw error
    }
  }

  function beginUnnamed(principal: Principal, reported: HttpStart): Promise<Held> {
    const owner = ownerOf(principal, reported.user)
    const begun = beginning.get(owner)
    if (begun) return begun
    const beginsNow = begin(principal, reported, owner)
    beginning.set(owner, beginsNow)
    return beginsNow.finally(() => beginning.delete(owner))
  }

  function sweep(): void {
    let swept = 0
    for (const entry of entries.values()) {
      if (!isIdle(entry, now()) || swept++ >= SWEPT_MAX) return
      release(entry)
    }
  }

  function release({ held }: Entry): void {
    forget(held)
    // What cannot be told of any more ends by its own deadline.
    held.session.end().catch(() => {})
  }

  function forget({ token }: Held): void {
    const { owner, principal } = entries.get(token) ?? {}
    entries.delete(token)
    if (principal === undefined) return
    if (ended.size >= ENDED_MAX) for (const oldest of ended.keys()) if (ended.delete(oldest)) break
    ended.set(token, principal)
    if (owner !== undefined && unnamed.get(owner) === token) unnamed.delete(owner)
  }

  function lookUp(principal: Principal, { session, user }: Which): Held | undefined {
    const token = session ?? unnamed.get(ownerOf(principal, user))
    const entry = token === undefined ? undefined : entries.get(token)
    if (entry?.principal !== principal.name) return undefined
    if (isIdle(entry, now())) {
      release(entry)
      return undefined
    }
    entry.usedAt = now()
    entries.delete(entry.held.token)
    entries.set(entry.held.token, entry)
    return entry.held
  }

  async function find(principal: Principal, which: Which): Promise<Held> {
    const known = lookUp(principal, which)
    if (known) return known
    if (isOver(principal, which)) throw new PlimsollError('session_ended', 'the session has ended')
    const resumed = which.session === undefined ? undefined : await resume(principal, which.session)
    if (resumed) return resumed
    throw new PlimsollError('session_unknown', 'there is no such session of yours')
  }

  const isOver = ({ name }: Principal, { session }: Which) =>
    session !== undefined && ended.get(session) === name

  async function end(principal: Principal, which: Which, outcome: Outcome): Promise<void> {
    // A request whose answer was lost comes again: what is over is as it was asked for.
    if (isOver(principal, which)) return
    const held = which.session === undefined ? lookUp(principal, which) : await find(principal, which)
    if (!held) return
    await held.session.end(outcome)
    forget(held)
  }

  return {
    start: (principal, reported) => begin(principal, reported),
    find,
    findOrStart: async (principal, which) => {
      if (which.session !== undefined) return find(principal, which)
      return lookUp(principal, which) ?? beginUnnamed(principal, which)
    },
    end,
    forget,
  }
}

/** The session that a token is of, read before it is proved: of whom it is its id says, and whether it is true the client finds. */
function sessionIn(token: string): string | undefined {
  const [, payload, signature] = token.split('.')
  if (payload === undefined || signature === undefined) return undefined
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    return identityClaimsSchema.safeParse(claims).data?.sid
  } catch {
    return undefined
  }
}

const isIdle = ({ usedAt, owner }: Entry, now: number): boolean =>
  now - usedAt > (owner === undefined ? NAMED_IDLE_MS : UNNAMED_IDLE_MS)

/** No name of a principal holds a line break. */
const ownerOf = ({ name }: Principal, user = ''): string => `${name}\n${user}`
