import { randomUUID } from 'node:crypto'
import {
  type Answer,
  type ClientSettings,
  type PlimsollClient,
  type ProposedStep,
  type ResumedSession,
  type Session,
  type SessionOptions,
  type WaitOptions,
  StepBlocked,
  TIMEOUT_MS,
  createClient,
  joinedHandover,
} from '@plimsoll/client'
import { type DecisionKind, type Handover, PlimsollError } from '@plimsoll/contracts'
import { type EntryFinder, createEntryFinder } from '@plimsoll/labels'
import { readDocument } from '@plimsoll/policy'
import type { Principal } from '../auth/principals-file.js'
import type { Lineage, LineageScope, Member } from '../lineage/lineage.js'
import type { OnDecision, Switchboard } from './switchboard.js'
import { withRaisingLabels } from './trusted.js'

/**
 * `session` as one of its lineage: before each step it knows what the others have learned, and they know what it does before the
 * agent hears of it. Where that cannot be had, the step is not let run: it rejects with `store_unavailable`. What is `owed` to it from its
 * beginning here, and whatever comes later, goes with each step until one is decided on that it went with.
 */
export function memberSession(session: Session, member: Member, owed?: Handover): Session {
  let news = owed
  const report = () => member.report(session.handover())

  async function knowing(step: ProposedStep): Promise<ProposedStep> {
    // What could not be told the last time is told first.
    await report()
    news = joinedHandover(news, await member.unknownTo(session.handover()))
    return news ? { ...step, relative: news } : step
  }

  function decided({ decision }: Answer, { relative }: ProposedStep): void {
    if (relative && relative === news && isOnStep(decision?.kind)) news = undefined
  }

  /** What is let run and cannot be told must not run, and nothing is to wait for it. */
  async function reported(answer: Answer, step: ProposedStep = NO_STEP): Promise<Answer> {
    decided(answer, step)
    try {
      await report()
      return answer
    } catch (error) {
      if (answer.mayRun) await session.complete(answer, { outcome: 'error' })
      throw error
    }
  }

  async function run<T>(...[step, execute, options]: Parameters<typeof session.run<T>>): Promise<T> {
    const asked = await knowing(step)
    const performed = async (...[values, given]: Parameters<typeof execute>) => {
      decided(given.answer, asked)
      await report()
      return execute(values, given)
    }
    try {
      return await session.run(asked, performed, options)
    } catch (error) {
      if (error instanceof StepBlocked) decided(error.answer, asked)
      throw error
    } finally {
      await report().catch(() => {})
    }
  }

  return {
    ...session,
    propose: async (step, options) => {
      const asked = await knowing(step)
      return reported(await session.propose(asked, options), asked)
    },
    ask: async (step, options) => {
      const asked = await knowing(step)
      return reported(await session.ask(asked, options), asked)
    },
    resolution: async (answer, options) => reported(await session.resolution(answer, options)),
    run,
    complete: async (answer, result) => {
      await session.complete(answer, result)
      // It has been told of; the others hear of it before the next step at the latest.
      await report().catch(() => {})
    },
    end: async (outcome) => {
      await report().catch(() => {})
      await session.end(outcome)
    },
  }
}

const NO_STEP: ProposedStep = { tool: '' }

/** Whether a decision is on a step that the monitor has taken in, with what was told with it. */
const isOnStep = (kind: DecisionKind | undefined): boolean => kind === 'step' || kind === 'approval'

/** An agent waits no longer for a verdict than a host may, milliseconds. */
export const AGENT_TIMEOUT_MS_MAX = 60_000

/**
 * `session` as an agent may use it that nobody vouches for: what it says can raise a verdict and lower none, and its patience is `timeoutMs` at
 * least: with less it could have its fail mode answer in place of the monitors.
 */
export const withoutVouching = (session: Session, entryOf: EntryFinder, timeoutMs: number): Session => ({
  ...session,
  // An agent is not its user: what it says that he wants would vouch for all that it names.
  instruct: async () => {},
  propose: (step, options) => session.propose(trustedStep(step, entryOf), patient(options, timeoutMs)),
  ask: (step, options) => session.ask(trustedStep(step, entryOf), patient(options, timeoutMs)),
  run: (step, execute, options) =>
    session.run(trustedStep(step, entryOf), execute, options && patient(options, timeoutMs)),
})

function trustedStep(step: ProposedStep, entryOf: EntryFinder): ProposedStep {
  const { evidence: _, ...rest } = step
  return withRaisingLabels(rest, entryOf)
}

function patient<O extends WaitOptions>(options: O | undefined, floorMs: number): O | undefined {
  if (options?.timeoutMs === undefined) return options
  return { ...options, timeoutMs: Math.min(Math.max(options.timeoutMs, floorMs), AGENT_TIMEOUT_MS_MAX) }
}

/**
 * What the ids of a principal's sessions begin with: `acme~support-bot:run-7`. So every gateway knows without a word whose a session
 * is, and nobody can claim another's. Names have no `:`, so no such beginning is that of another.
 */
export const prefixOf = ({ tenant, name }: Pick<Principal, 'tenant' | 'name'>): string => `${tenant}~${name}:`

/** The id of a session of `principal` that it calls `name`; chosen at random where it does not say. */
export function sessionIdOf(
  principal: Pick<Principal, 'tenant' | 'name'>,
  name: string = randomUUID(),
): string {
  const prefix = prefixOf(principal)
  return name.startsWith(prefix) ? name : prefix + name
}

export interface PrincipalClient extends PlimsollClient {
  /** Whether it has no session. */
  isIdle(): boolean
  /** Of a host: the same client, whose sessions begin with what the others of `scope` have read. */
  withScope(scope: LineageScope): PlimsollClient
}

/** Of one principal, so that it fills its own queue before anybody's memory. */
const OF_ONE = { queueEventsMax: 2_000, openProposalsMax: 1_000, sessionsMax: 5_000 } as const

/** A client for the sessions of one principal that are held in this process. */
export async function createPrincipalClient(
  principal: Principal,
  switchboard: Switchboard,
  settings: ClientSettings,
  lineageOf?: (scope?: LineageScope) => Lineage,
): Promise<PrincipalClient> {
  const catalogue = settings.catalogue ?? (await readDocument('catalogue'))
  const entryOf = createEntryFinder(catalogue)
  const isAgent = principal.trust === 'agent'
  const ownLineage = isAgent ? lineageOf?.() : undefined
  const claimed = new Set<string>()
  let line: OnDecision = () => {}
  const client = await createClient({
    ...settings,
    limits: { ...OF_ONE, ...settings.limits },
    catalogue,
    principal: principal.name,
    channel: {
      send: (records) => switchboard.send(records),
      listen: async (onRecord) => {
        line = onRecord
        return { close: async () => claimed.forEach((id) => switchboard.release(id, line)) }
      },
    },
  })

  function claim(id: string): void {
    claimed.add(id)
    switchboard.claim(id, line)
  }

  function letGo(id: string): void {
    claimed.delete(id)
    switchboard.end(id)
  }

  async function startSession(options: SessionOptions = {}, lineage = ownLineage): Promise<Session> {
    const id = sessionIdOf(principal, options.id)
    const isNew = !claimed.has(id)
    if (isNew) claim(id)
    try {
      const session = await startOf({ ...allowedOptions(principal, options), id }, lineage)
      return { ...session, end: (outcome) => session.end(outcome).then(() => letGo(id)) }
    } catch (error) {
      if (isNew) letGo(id)
      throw error
    }
  }

  const believed = (session: Session): Session =>
    isAgent ? withoutVouching(session, entryOf, settings.timeoutMs ?? TIMEOUT_MS) : session

  /** With what the earlier sessions of its lineage have read. */
  async function startOf(
    options: SessionOptions & { readonly id: string },
    lineage: Lineage | undefined,
  ): Promise<Session> {
    const member = await lineage?.begin(options.id)
    const { earlier } = member ?? {}
    const session = await client.startSession({ ...options, ...(earlier && { earlier }) })
    if (!member) return believed(session)
    try {
      await member.report(session.handover())
    } catch (error) {
      await session.end('cancelled')
      throw error
    }
    return believed(memberSession(session, member))
  }

  async function resumeSession(resumed: ResumedSession): Promise<Session> {
    const id = sessionIdOf(principal, resumed.id)
    const isNew = !claimed.has(id)
    if (isNew) claim(id)
    try {
      const session = await resumptionOf({ ...resumed, id })
      return { ...session, end: (outcome) => session.end(outcome).then(() => letGo(id)) }
    } catch (error) {
      if (isNew) letGo(id)
      throw error
    }
  }

  /** Of an agent: what it has read is not known here any more, and counts as the worst for its other sessions too. */
  async function resumptionOf(resumed: ResumedSession): Promise<Session> {
    const session = await client.resumeSession(resumed)
    const member = await ownLineage?.begin(resumed.id)
    return believed(member ? memberSession(session, member, member.others) : session)
  }

  const own: PlimsollClient = { ...client, startSession: (options) => startSession(options), resumeSession }
  return {
    ...own,
    isIdle: () => claimed.size === 0,
    withScope: (scope) => {
      const lineage = lineageOf?.(scope)
      return { ...own, startSession: (options) => startSession(options, lineage) }
    },
  }
}

/** `options` as the principal may start a session. Throws `forbidden`. */
function allowedOptions({ name, trust, category }: Principal, options: SessionOptions): SessionOptions {
  // What a session hands over would say what its user has named himself, and nobody vouches for it.
  if (trust === 'agent' && options.parent && !('handover' in options.parent))
    throw new PlimsollError('forbidden', `\`${name}\` cannot say what another session knows: it is no host`)
  const allowed = trust === 'agent' ? withoutTask(options) : options
  return category === undefined ? allowed : { ...allowed, category }
}

/** Only a host says what the user wants: a task of an agent's own would vouch for all that is named in it. */
function withoutTask(options: SessionOptions): SessionOptions {
  const { task: _, sendTask: _sendTask, ...rest } = options
  return rest
}
