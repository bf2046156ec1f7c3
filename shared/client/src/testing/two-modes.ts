import { randomUUID } from 'node:crypto'
import {
  type Decision,
  type Event,
  type EventOf,
  type Policy,
  type Topics,
  EVENT_SCHEMA,
  PlimsollError,
  eventSchema,
  logged,
  sign,
  topicsOf,
} from '@plimsoll/contracts'
import { type Facts, type RulesCache, type SessionState, advance } from '@plimsoll/engine'
import { createLabeller } from '@plimsoll/labels'
import { type Documents, compileRules, createPinnedRules, defaultDocuments } from '@plimsoll/policy'
import type { Clock, EventLog, LogRecord, OutgoingRecord } from '@plimsoll/runtime'
import { createEmbeddedLog } from '@plimsoll/runtime/embedded'
import { createClient } from '../client.js'
import { createGuard } from '../guard.js'
import type { Answer } from '../answer.js'
import type { PlimsollClient } from '../session.js'
import type { ClientSettings } from '../transport/link.js'
import type { Timers } from '../wait.js'

const SPECS: Policy['specs'] = [
  { id: 'no-wipe', tier: 'blocklist', tools: ['wipe_disk'], alternative: 'delete single files' },
  { id: 'ask-refund', tier: 'confirmation', tools: ['refund'] },
  { id: 'check-first', tier: 'mustlist', tools: ['zap_month'], requires: { tools: ['check_payee'] } },
]

const DEFAULTS = defaultDocuments()

/** Whether an error is one of Plimsoll's with `code`, as `assert.rejects` asks. */
export const withCode = (code: string) => (error: unknown) =>
  error instanceof PlimsollError && error.code === code

/**
 * Documents that allow `read_file`, confirm `refund`, block `wipe_disk`, require `check_payee` before `zap_month`, and warn for unlabelled tools.
 */
export async function testDocuments(): Promise<Documents> {
  const documents = await DEFAULTS
  const { policy, catalogue } = documents
  const refund = {
    tools: ['refund'],
    labels: { capability: 'write', confidentiality: 'none', trust: 'trusted', reversibility: 'partial' },
  } as const
  const wipe = {
    tools: ['wipe_disk'],
    labels: {
      capability: 'execute',
      confidentiality: 'none',
      trust: 'trusted',
      reversibility: 'irreversible',
    },
  } as const
  const { byName: _, ...standIn } = policy.unlabelled
  const unlabelled = { ...standIn, verdict: 'warn' } as const
  const labelled = [
    { ...refund, tools: [...refund.tools] },
    { ...wipe, tools: [...wipe.tools] },
  ]
  return {
    ...documents,
    policy: { ...policy, name: 'test', specs: SPECS, unlabelled },
    catalogue: { ...catalogue, name: 'test', tools: [...labelled, ...catalogue.tools] },
  }
}

/** Time that passes only when a test says so. */
export interface ManualTime {
  readonly clock: Clock
  readonly timers: Timers
  /** Advances the clock and runs due timers in order. */
  pass(ms: number): void
  /** Timers that are set. */
  pending(): number
}

interface Timer {
  readonly at: number
  readonly action: () => void
}

export function createManualTime(startMs = 1_700_000_000_000): ManualTime {
  const timers = new Set<Timer>()
  let now = startMs

  function nextUntil(end: number): Timer | undefined {
    let next: Timer | undefined
    for (const timer of timers) if (timer.at <= end && timer.at < (next?.at ?? Infinity)) next = timer
    return next
  }

  return {
    clock: { now: () => now },
    timers: {
      after: (ms, action) => {
        const timer = { at: now + ms, action }
        timers.add(timer)
        return () => void timers.delete(timer)
      },
    },
    pass: (ms) => {
      const end = now + ms
      for (let timer = nextUntil(end); timer; timer = nextUntil(end)) {
        timers.delete(timer)
        now = timer.at
        timer.action()
      }
      now = end
    },
    pending: () => timers.size,
  }
}

/** Lets time pass, 10 ms a turn of the event loop, until `promise` is settled. */
export async function passUntil<T>(time: ManualTime, promise: Promise<T>): Promise<T> {
  const settled = promise.then(
    () => true,
    () => true,
  )
  const turn = () => new Promise<false>((resolve) => setImmediate(resolve, false))
  while (!(await Promise.race([settled, turn()]))) time.pass(10)
  return promise
}

/** The deciding half of a monitor: folds events and publishes decisions, all in memory. For tests. */
export interface FoldLoop {
  /** Every event that reached the log, in order, including those missed. */
  readonly events: readonly Event[]
  readonly faults: readonly string[]
  /** Resolves with the first past or future event that `matches`. */
  whenEvent(matches: (event: Event) => boolean): Promise<Event>
  stateOf(sessionId: string): SessionState | undefined
  /** Loses the record of a session. */
  forget(sessionId: string): void
  /** Publishes all decisions again. */
  repeatDecisions(): Promise<void>
}

export interface FoldLoopOptions {
  readonly log: EventLog
  readonly topics: Topics
  readonly pinnedRules: RulesCache
  /** Whether the monitor misses `event`. */
  readonly isLost?: (event: Event) => boolean
  /** Facts passed at each event. */
  readonly facts?: () => Facts
  /** Awaited before each batch is decided. */
  readonly gate?: () => Promise<void>
}

export async function startFoldLoop(options: FoldLoopOptions): Promise<FoldLoop> {
  const { log, topics, pinnedRules, isLost = () => false, facts, gate } = options
  const states = new Map<string, SessionState>()
  const events: Event[] = []
  const faults: string[] = []
  const decided: Decision[] = []
  const watchers = new Set<(event: Event) => void>()

  function take({ value, timeMs }: LogRecord): Decision[] {
    const event = eventSchema.parse(JSON.parse(String(value)))
    events.push(event)
    for (const watch of watchers) watch(event)
    if (isLost(event)) return []
    const outcome = advance(states.get(event.sessionId), logged(event, timeMs), pinnedRules, facts?.())
    if (outcome.state) states.set(event.sessionId, outcome.state)
    if (outcome.fault) faults.push(outcome.fault.code)
    return outcome.decision ? [outcome.decision] : []
  }

  const publish = (decisions: readonly Decision[]) =>
    log.produce(
      topics.decisions,
      decisions.map((decision) => ({ key: decision.sessionId, value: JSON.stringify(decision) })),
    )

  await log.consume({
    topic: topics.events,
    group: 'fold-loop',
    onBatch: async (batch) => {
      await gate?.()
      const { records } = batch
      const decisions = records.flatMap(take)
      decided.push(...decisions)
      await publish(decisions)
      await batch.commit(records.at(-1)?.offset ?? 0n)
    },
  })

  return {
    events,
    faults,
    whenEvent: (matches) =>
      new Promise((resolve) => {
        const found = events.find(matches)
        if (found) return resolve(found)
        const watch = (event: Event) => {
          if (!matches(event)) return
          watchers.delete(watch)
          resolve(event)
        }
        watchers.add(watch)
      }),
    stateOf: (sessionId) => states.get(sessionId),
    forget: (sessionId) => void states.delete(sessionId),
    repeatDecisions: () => publish(decided),
  }
}

type Produce = EventLog['produce']

export interface RigOptions extends Pick<FoldLoopOptions, 'isLost' | 'facts' | 'gate'> {
  readonly settings?: ClientSettings
  /** Replaces the client's produce of events; `next` is the real one. */
  readonly produce?: (records: readonly OutgoingRecord[], next: () => Promise<void>) => Promise<void>
}

/** A client, an embedded log and a fold loop that decides, with manual time. */
export interface Rig {
  readonly client: PlimsollClient
  readonly log: EventLog
  readonly topics: Topics
  readonly loop: FoldLoop
  readonly time: ManualTime
  /** Every produce that the client started, as its records' values. */
  readonly produced: readonly (readonly string[])[]
  /** Publishes a human's answer to `decision`. */
  readonly approve: (decision: Decision | undefined, resolution?: 'approved' | 'denied') => Promise<void>
}

export async function createRig(
  test: { after(release: () => Promise<void>): void },
  options: RigOptions = {},
): Promise<Rig> {
  const time = createManualTime()
  const topics = topicsOf()
  const log = createEmbeddedLog({ clock: time.clock })
  await log.createTopics([topics.events, topics.decisions].map((topic) => ({ topic, partitions: 4 })))
  const documents = await testDocuments()
  const pinnedRules = createPinnedRules(compileRules(documents))
  const loop = await startFoldLoop({ ...options, log, topics, pinnedRules })
  const produced: string[][] = []
  const produce: Produce = (topic, records) => {
    produced.push(records.map(({ value }) => String(value)))
    const next = () => log.produce(topic, records)
    return options.produce ? options.produce(records, next) : next()
  }
  const client = await createClient({
    log: { ...log, produce },
    labeller: createLabeller(documents.catalogue),
    clock: time.clock,
    timers: time.timers,
    ...options.settings,
  })
  test.after(async () => {
    await passUntil(time, client.close())
    await log.close()
  })
  const approve: Rig['approve'] = async (decision, resolution = 'approved') => {
    if (!decision) throw new Error('there is no decision to approve')
    await log.produce(topics.events, [approvalOf(decision, resolution)])
  }
  return { client, log, topics, loop, time, produced, approve }
}

function approvalOf(decision: Decision, resolution: 'approved' | 'denied'): OutgoingRecord {
  const { id, sessionId, argumentsDigest, expiresAt = 0 } = decision
  const event: Omit<EventOf<'approval.resolved'>, 'signature'> = {
    schema: EVENT_SCHEMA,
    id: `approval-${randomUUID()}`,
    sessionId,
    producer: 'test-approver',
    seq: 0,
    time: 0,
    type: 'approval.resolved',
    decisionId: id,
    argumentsDigest,
    expiresAt,
    resolution,
    by: 'ann',
  }
  return { key: sessionId, value: JSON.stringify(sign<EventOf<'approval.resolved'>>(event, 'test-key')) }
}

/** A client in either mode, for tests of what both promise. */
export interface ModeRig {
  readonly client: PlimsollClient
  readonly time: ManualTime
  resolve(asked: Answer, resolution: 'approved' | 'denied'): Promise<void>
}

type TestContext = Parameters<typeof createRig>[0]
export type MakeMode = (test: TestContext, settings?: Pick<ClientSettings, 'mode'>) => Promise<ModeRig>

export const TWO_MODES: readonly (readonly [string, MakeMode])[] = [
  ['library', createLibraryRig],
  ['log', createLogRig],
]

async function createLibraryRig(...[test, settings]: Parameters<MakeMode>): Promise<ModeRig> {
  const time = createManualTime()
  const { clock, timers } = time
  const client = await createGuard({ documents: await testDocuments(), clock, timers, ...settings })
  test.after(() => client.close())
  const resolve: ModeRig['resolve'] = async (asked, resolution) => {
    await client.approve(asked, { by: 'ann', resolution })
  }
  return { client, time, resolve }
}

async function createLogRig(...[test, settings]: Parameters<MakeMode>): Promise<ModeRig> {
  const { client, time, approve } = await createRig(test, { ...(settings && { settings }) })
  return { client, time, resolve: (asked, resolution) => approve(asked.decision, resolution) }
}
