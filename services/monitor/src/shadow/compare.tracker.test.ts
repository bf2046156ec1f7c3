import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Event, type Policy, digestOf, logged } from '@plimsoll/contracts'
import { type Outcome, type Rules, type SessionState, step } from '@plimsoll/engine'
import { compileRules, defaultDocuments } from '@plimsoll/policy'
import type { Folded } from '../fold/fold.js'
import type { SessionEvent } from '../records/validate.js'
import {
  type CandidateMemories,
  type Comparison,
  type ShadowContext,
  compareFolded,
  createCandidateMemories,
} from './compare.js'

/** Never a calendar entry after a file. */
const AFTER: Policy['specs'][number] = {
  id: 'not-after-file',
  tier: 'blocklist',
  tools: ['create_calendar_event'],
  after: { tools: ['read_file'] },
}

let active: Rules
let candidate: Rules
before(async () => {
  const documents = await defaultDocuments()
  active = compileRules(documents)
  candidate = compileRules({ ...documents, policy: { ...documents.policy, name: 'tried', specs: [AFTER] } })
})

/** A session under the active rules, folded chunk by chunk. */
function createSession(id: string) {
  let state: SessionState | undefined
  let n = 0
  const eventOf = (type: string, tool: string | undefined): SessionEvent => {
    const envelope = { schema: 1, id: `e${n}`, sessionId: id, producer: 'p', seq: n, time: 0, type }
    const callId = `c${type === 'step.completed' ? n - 1 : n}`
    const call = tool !== undefined && { callId, tool, argumentsDigest: digestOf({}), outcome: 'ok' }
    const event = { ...envelope, ...call } as unknown as Event
    const record = { timeMs: n, offset: BigInt(n) }
    n++
    return { event, record } as SessionEvent
  }
  return (...reported: readonly (readonly [type: string, tool?: string])[]): Folded => {
    const heldAt = BigInt(n) - 1n
    const before = state
    const events = reported.map(([type, tool]) => eventOf(type, tool))
    const outcomes: Outcome[] = []
    for (const { event, record } of events) {
      const outcome = step(state, logged(event, record.timeMs), active)
      assert.equal(outcome.fault, undefined)
      state = outcome.state
      outcomes.push(outcome)
    }
    const none = { warmed: undefined, emissions: [], counted: undefined, write: undefined }
    return { id, heldAt, before, events, outcomes, rules: active, ...none }
  }
}

function createComparison(sessionsMax = 10) {
  const reported: string[] = []
  const tracked: CandidateMemories = createCandidateMemories({ sessionsMax, cellsMax: 1_000 })
  const context: ShadowContext = {
    rulesCache: { rules: () => candidate },
    memories: tracked,
    sink: {
      compared: ({ decision, shadow, change }: Comparison) =>
        void reported.push(`${decision.tool} ${shadow.candidate.verdict} ${change?.causes[0]?.code ?? '-'}`),
      failed: (_, reason) => void reported.push(reason),
      skipped: () => void reported.push('skipped'),
    },
  }
  const view = { candidate: { policy: 'p' }, shadowOf: () => candidate.versions }
  const see = (...folded: Folded[]): string[] => {
    compareFolded(view, folded, context)
    return reported.splice(0)
  }
  return { see, tracked }
}

const START = ['session.started'] as const
const READ = [
  ['step.proposed', 'read_file'],
  ['step.completed', 'read_file'],
] as const
const PLAN = ['step.proposed', 'create_calendar_event'] as const

describe('specs that keep state, in shadow', () => {
  test('track a session from its start, over chunks', () => {
    const { see, tracked } = createComparison()
    const session = createSession('s')
    assert.deepEqual(see(session(START, PLAN)), ['create_calendar_event allow -'])
    assert.deepEqual(see(session(...READ)), ['read_file allow -'])
    assert.deepEqual(see(session(PLAN)), ['create_calendar_event block not-after-file'])
    assert.equal(tracked.size, 1)
    see(session(['session.ended']))
    assert.equal(tracked.size, 0)
  })

  test('skip a session that started earlier, or that another monitor had meanwhile', () => {
    const { see } = createComparison()
    const session = createSession('s')
    session(START, ...READ)
    assert.deepEqual(see(session(PLAN)), ['skipped'])
    assert.deepEqual(see(session(PLAN)), ['skipped'], 'and stays skipped')

    const other = createSession('t')
    see(other(START))
    other(...READ)
    assert.deepEqual(see(other(PLAN)), ['skipped'])
  })

  test('track a bounded number of sessions; the least recently used go first', () => {
    const { see, tracked } = createComparison(2)
    const [a, b, c] = [createSession('a'), createSession('b'), createSession('c')]
    see(a(START, ...READ), b(START, ...READ))
    see(a(...READ), c(START))
    assert.equal(tracked.size, 2)
    assert.deepEqual(see(b(PLAN)), ['skipped'])
    assert.deepEqual(see(a(PLAN)), ['create_calendar_event block not-after-file'])
  })

  test('bound the cells of all sessions together', () => {
    const kept = createCandidateMemories({ sessionsMax: 10, cellsMax: 5 })
    const memory = { memory: [0, 0, 0], calls: [] }
    for (const id of ['a', 'b']) kept.set(id, { rules: 'r', offset: 1n, memory })
    assert.deepEqual([...kept.keys()], ['b'])
  })
})
