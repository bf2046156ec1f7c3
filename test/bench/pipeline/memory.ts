import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { logged, digestOf, type Event } from '@plimsoll/contracts'
import { advance, encodeState, type RulesCache, type SessionState } from '@plimsoll/engine'
import { compileRules, createPinnedRules, defaultDocuments } from '@plimsoll/policy'
import { partitionOf, type RecordWrite, type SessionStore } from '@plimsoll/runtime'
import { createRedisStore } from '@plimsoll/runtime/redis'
import { obtainPair } from '../../support/components/pair.js'
import type { Report } from '../report.js'

const SESSIONS = 100_000
const CHUNK = 500
const PARTITIONS = 12
const DAY_MS = 86_400_000
const CALLS_MAX = 8

/**
 * What a live session takes in Redis: sessions as the engine folds them, written through the store as a monitor writes them. Figures:
 * bytes a session by what Redis says it uses, and the text in them.
 */
export async function benchMemory(): Promise<Report> {
  const pair = await obtainPair(process.env)
  const { redisUrl } = pair
  if (!redisUrl) throw new Error(`the benchmark needs Redis: ${pair.missing.join('; ')}`)
  // As long as the prefix that is used where none is set: it is in every key.
  const store = createRedisStore({ url: redisUrl, prefix: `b${randomBytes(4).toString('hex').slice(1)}` })
  try {
    return { name: 'memory', figures: await measure(store) }
  } finally {
    await store.close()
    await pair.stop()
  }
}

async function measure(store: SessionStore): Promise<Report['figures']> {
  const pinnedRules = createPinnedRules(compileRules(await defaultDocuments()))
  const lives = Array.from({ length: SESSIONS }, (_, i) => live(pinnedRules, i))
  const before = await bytesUsed(store)
  await writeAll(store, lives.map(recordOf))
  const withRecords = await bytesUsed(store)
  await writeAll(
    store,
    lives.map((one, i) => ({ ...recordOf(one, i), expected: 1, due: dueOf(one) })),
  )
  const withDue = await bytesUsed(store)
  const each = (bytes: number) => Math.round(bytes / SESSIONS)
  const bodies = lives.reduce((sum, one, i) => sum + Buffer.byteLength(recordOf(one, i).body), 0)
  const waiting = lives.filter((one) => dueOf(one).approvalMs !== undefined).length
  return {
    'a live session in Redis, bytes': each(withDue - before),
    'its record, bytes': each(withRecords - before),
    'its due times, bytes': each(withDue - withRecords),
    'text of its state in the record, bytes': each(bodies),
    'sessions that wait for a human, of 1,000': each(waiting * 1_000),
  }
}

interface Live {
  readonly id: string
  readonly state: SessionState
}

/** A session under way after one to eight calls; of every other the last is still open. */
function live(pinnedRules: RulesCache, index: number): Live {
  const id = randomUUID()
  const calls = 1 + (index % CALLS_MAX)
  const state = eventsOf(id, calls, index % 2 === 0)
    .map((event) => logged(event, event.time))
    .reduce<SessionState | undefined>((before, input) => advance(before, input, pinnedRules).state, undefined)
  if (!state) throw new Error('the engine keeps no state of the session')
  return { id, state }
}

const TOOLS = [
  'list_files',
  'read_file',
  'search_emails',
  'fetch_webpage',
  'create_file',
  'send_email',
] as const
const NOW_MS = Date.now()

function eventsOf(sessionId: string, calls: number, isOpen: boolean): Event[] {
  const base = { schema: 1, sessionId, producer: `agent-${sessionId.slice(0, 8)}` } as const
  const events: Event[] = []
  const put = (event: { type: Event['type'] } & Record<string, unknown>) => {
    const seq = events.length
    events.push({ ...base, ...event, id: randomUUID(), seq, time: NOW_MS + 1_000 * seq } as Event)
  }
  put({ type: 'session.started', category: 'research_comms', agent: 'mail-assistant' })
  for (let i = 0; i < calls; i++) {
    const callId = `call_${createHash('sha256').update(`${sessionId}${i}`).digest('hex').slice(0, 24)}`
    const call = { callId, tool: TOOLS[i % TOOLS.length] }
    put({ ...call, type: 'step.proposed', argumentsDigest: digestOf({ sessionId, i }) })
    if (i < calls - 1 || !isOpen) put({ ...call, type: 'step.completed', outcome: 'ok' })
  }
  return events
}

/** As a monitor writes it, once what it decided is published: the offset before the state, and nothing to publish. */
function recordOf({ id, state }: Live, index: number): RecordWrite {
  const body = `${1_000_000 + 10 * index} ${encodeState(state)}`
  return { id, expected: 0, body, outbox: '', ttlMs: DAY_MS }
}

function dueOf({ id, state }: Live) {
  const pending = state.calls.flatMap((call) => (call.status === 'pending' ? call.expiresAt : []))
  return {
    partition: partitionOf(id, PARTITIONS),
    idleMs: state.time + DAY_MS,
    ...(pending.length > 0 && { approvalMs: Math.min(...pending) }),
  }
}

async function writeAll(store: SessionStore, writes: readonly RecordWrite[]): Promise<void> {
  for (let i = 0; i < writes.length; i += CHUNK) {
    const answers = await store.compareAndSet(writes.slice(i, i + CHUNK))
    if (!answers.every(Boolean)) throw new Error('the store has refused a write')
  }
}

async function bytesUsed(store: SessionStore): Promise<number> {
  const { memoryBytes } = await store.describe()
  if (memoryBytes === undefined) throw new Error('the store does not tell what memory it uses')
  return memoryBytes
}
