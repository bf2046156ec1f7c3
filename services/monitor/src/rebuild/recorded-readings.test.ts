import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Policy, logged, topicsOf } from '@plimsoll/contracts'
import { type SessionState, advance } from '@plimsoll/engine'
import { compileRules, createPinnedRules, defaultDocuments } from '@plimsoll/policy'
import { type LogRecord, partitionOf } from '@plimsoll/runtime'
import { createEmbeddedLog } from '@plimsoll/runtime/embedded'
import type { SessionEvent } from '../records/validate.js'
import { NOTHING_RECORDED, readRecorded, recordedFleet } from './recorded-readings.js'

const SPECS: Policy['specs'] = [
  { id: 'few', tier: 'blocklist', tools: ['list_files'], fleet: { sessions: 2, seconds: 60 } },
]
const envelope = (sessionId: string, seq: number) =>
  ({ schema: 1, id: `e${seq}`, sessionId, producer: 'p', seq, time: 0 }) as const
const started = (id: string) => ({ ...envelope(id, 0), type: 'session.started' }) as const
const proposed = (id: string) =>
  ({
    ...envelope(id, 1),
    type: 'step.proposed',
    tool: 'list_files',
    callId: 'c',
    argumentsDigest: '0'.repeat(64),
  }) as const

test('events are folded again by what decisions recorded, of their own partition, and as if there had been room else', async (t) => {
  const documents = await defaultDocuments()
  const rules = compileRules({ ...documents, policy: { ...documents.policy, specs: SPECS } })
  const pinnedRules = createPinnedRules(rules)
  const topics = topicsOf()
  const log = createEmbeddedLog()
  t.after(() => log.close())
  await log.createTopics([{ topic: topics.decisions, partitions: 3 }])
  const states = new Map<string, SessionState | undefined>()
  const decide = async (id: string, reading: number) => {
    const { state } = advance(undefined, logged(started(id), 1000), pinnedRules)
    const facts = { mode: 'enforce', readings: { 'spec:few': reading } } as const
    const { decision } = advance(state, logged(proposed(id), 2000), pinnedRules, facts)
    states.set(id, state)
    await log.produce(topics.decisions, [{ key: id, value: JSON.stringify(decision) }])
  }
  const PARTITIONS = 2
  const ids = Array.from({ length: 8 }, (_, i) => `s${i}`)
  for (const [i, id] of ids.entries()) await decide(id, i)
  await log.produce(topics.decisions, [
    { key: 's0', value: 'no decision, "spec:few": 9' },
    { key: null, value: '{}' },
  ])
  const mine = ids.filter((id) => partitionOf(id, PARTITIONS) === 0)
  assert.ok(mine.length > 0 && mine.length < ids.length)
  const recorded = await readRecorded(log, topics, { partition: 0, partitions: PARTITIONS, fromMs: 0 })
  assert.equal(recorded.size, mine.length)
  const at = (id: string): SessionEvent => ({ event: proposed(id), record: { offset: 1n } as LogRecord })
  for (const [i, id] of ids.entries()) {
    const readings = recordedFleet(recorded).of(id, at(id), states.get(id), rules)
    assert.deepEqual(readings, { 'spec:few': mine.includes(id) ? i : 0 })
    assert.deepEqual(recordedFleet(NOTHING_RECORDED).of(id, at(id), states.get(id), rules), { 'spec:few': 0 })
  }
  const other = { event: { ...proposed('s0'), tool: 'read_file' }, record: { offset: 1n } as LogRecord }
  assert.equal(recordedFleet(recorded).of('s0', other, states.get('s0'), rules), undefined)
})
