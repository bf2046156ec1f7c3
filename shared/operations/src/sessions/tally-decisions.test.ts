import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Decision, type Reason, appealOf, topicsOf } from '@plimsoll/contracts'
import { partitionOf, silentLogger } from '@plimsoll/runtime'
import { createEmbeddedLog } from '@plimsoll/runtime/embedded'
import { appealDecision, findDecision, readAppeals } from './appeals.js'
import { createDecisionTally, readDecisionsTopic } from './tally-decisions.js'

let made = 0
const decisionOf = (
  sessionId: string,
  tool: string,
  reasons: readonly Partial<Reason>[] = [],
  more: Partial<Decision> = {},
): Decision => {
  const whole = reasons.map((reason): Reason => ({
    source: 'line',
    code: 'c',
    verdict: 'confirm',
    message: 'm',
    ...reason,
  }))
  const counting = new Set(whole.filter((each) => each.liftedBy === undefined).map(({ verdict }) => verdict))
  const verdict = (['block', 'confirm', 'warn'] as const).find((each) => counting.has(each)) ?? 'allow'
  const eventId = `event-${made++}`
  return {
    schema: 1,
    id: `${sessionId}#${eventId}#step`,
    kind: 'step',
    sessionId,
    tenant: 'default',
    mode: 'observe',
    eventId,
    callId: eventId,
    tool,
    argumentsDigest: '',
    verdict,
    reasons: whole,
    facts: {},
    step: 1,
    time: 1_000 + made,
    ...more,
  }
}

const UNLABELLED = { source: 'unlabelled', code: 'tool_unlabelled' } as const
const BLOCK = { source: 'blocklist', code: 'no-purge', verdict: 'block' } as const

const DECISIONS = [
  decisionOf('a', 'look'),
  decisionOf('a', 'zap', [UNLABELLED]),
  decisionOf('a', 'zap', [UNLABELLED, { ...BLOCK, message: 'mail is not purged' }]),
  decisionOf('b', 'zap', [UNLABELLED]),
  decisionOf('b', 'send', [{ verdict: 'warn' }]),
  decisionOf('b', 'send', [{ liftedBy: 'ours' }]),
  decisionOf('c', 'look'),
  // These are no steps of their own, or of the other mode.
  decisionOf('c', 'zap', [UNLABELLED], { kind: 'repeat' }),
  decisionOf('c', 'zap', [UNLABELLED], { kind: 'alert' }),
  decisionOf('d', 'zap', [UNLABELLED], { mode: 'enforce' }),
]

const EXPECTED = {
  mode: 'observe',
  steps: 7,
  sessions: 3,
  asked: 2,
  blocked: 1,
  askedSessions: 2,
  blockedSessions: 1,
  otherMode: 1,
  tools: [
    {
      tool: 'zap',
      steps: 3,
      asked: 2,
      blocked: 1,
      appealedAllow: 0,
      appealedBlock: 0,
      sessions: 2,
      reasons: [
        { ...UNLABELLED, verdict: 'confirm', steps: 3, message: 'm' },
        { ...BLOCK, steps: 1, message: 'mail is not purged' },
      ],
    },
  ],
}

test('counts by tool what would have been asked and blocked, why, and in how many sessions', () => {
  const tally = createDecisionTally('observe')
  for (const decision of DECISIONS) tally.add(decision)
  const { fromMs, toMs, ...figures } = tally.figures()
  assert.deepEqual(figures, EXPECTED)
  assert.deepEqual([fromMs, toMs], [DECISIONS[0]?.time, DECISIONS[6]?.time])
})

test('of the other mode it counts the others', () => {
  const tally = createDecisionTally('enforce')
  for (const decision of DECISIONS) tally.add(decision)
  const { steps, asked, otherMode } = tally.figures()
  assert.deepEqual([steps, asked, otherMode], [1, 1, 7])
})

test('without decisions there is nothing', () => {
  const { steps, tools, fromMs } = createDecisionTally('observe').figures()
  assert.deepEqual([steps, tools, fromMs], [0, [], undefined])
})

test('reads the decisions topic, and skips what is no decision', async (t) => {
  const log = createEmbeddedLog({ logger: silentLogger })
  t.after(() => log.close())
  const topics = topicsOf()
  await assert.rejects(
    readDecisionsTopic({ log, topics }, () => {}),
    { code: 'config_invalid' },
  )
  await log.createTopics([{ topic: topics.decisions, partitions: 2 }])
  const bytes = (value: unknown) => Buffer.from(JSON.stringify(value))
  await log.produce(topics.decisions, [
    ...DECISIONS.map((decision) => ({ key: decision.sessionId, value: bytes(decision) })),
    { key: 'x', value: bytes({ schema: 9 }) },
  ])
  const tally = createDecisionTally('observe')
  await readDecisionsTopic({ log, topics }, tally.add)
  const { fromMs: _from, toMs: _to, ...figures } = tally.figures()
  assert.deepEqual(figures, EXPECTED)
})

test('counts appeals by tool, of one decision the last, also of tools that nothing stopped', () => {
  const tally = createDecisionTally('observe')
  for (const decision of DECISIONS) tally.add(decision)
  const [looked, zapped, purged] = DECISIONS
  assert.ok(looked && zapped && purged)
  const appeal = (decision: Decision, expected?: 'allow' | 'block') =>
    appealOf(decision, { expected, by: 'ann' }, { id: `a${made++}`, producer: 'p', timeMs: 1 }, KEY)
  assert.deepEqual(appeal(purged).reasons, ['blocklist:no-purge'])
  for (const each of [appeal(looked), appeal(zapped), appeal(purged, 'block'), appeal(purged)])
    tally.addAppeal(each)
  const { tools, ...figures } = tally.figures()
  assert.deepEqual([figures.asked, figures.blocked], [2, 1])
  assert.deepEqual(
    tools.map(({ tool, appealedAllow, appealedBlock }) => [tool, appealedAllow, appealedBlock]),
    [
      ['zap', 2, 0],
      ['look', 0, 1],
    ],
  )
})

test('an appeal is published with what replays the decision, and what monitors would refuse is not', async (t) => {
  const log = createEmbeddedLog({ logger: silentLogger })
  t.after(() => log.close())
  const topics = topicsOf()
  await log.createTopics([topics.decisions, topics.events].map((topic) => ({ topic, partitions: 1 })))
  const [, zapped] = DECISIONS
  assert.ok(zapped)
  await log.produce(topics.decisions, [{ key: zapped.sessionId, value: JSON.stringify(zapped) }])
  const place = { log, topics, signingKey: KEY, producer: 'p', now: () => 7 }
  const event = await appealDecision(
    place,
    zapped.id,
    { by: 'ann', reason: 'it was asked for' },
    { offset: 0n },
  )
  assert.deepEqual([event.decisionId, event.by, event.expected, event.time], [zapped.id, 'ann', 'allow', 7])
  await assert.rejects(appealDecision(place, zapped.id, { by: 'a\nb' }), { code: 'usage_invalid' })
  const appeals: string[] = []
  await readAppeals({ log, topics, signingKey: KEY }, ({ id }) => appeals.push(id))
  assert.deepEqual(appeals, [event.id])
})

test('finds a decision in the topic, and reads the appeals of the log that are signed', async (t) => {
  const log = createEmbeddedLog({ logger: silentLogger })
  t.after(() => log.close())
  const topics = topicsOf()
  await log.createTopics([topics.decisions, topics.events].map((topic) => ({ topic, partitions: 2 })))
  await log.produce(
    topics.decisions,
    DECISIONS.map((decision) => ({ key: decision.sessionId, value: JSON.stringify(decision) })),
  )
  const [, zapped] = DECISIONS
  assert.deepEqual(await findDecision(log, topics, zapped?.id ?? ''), zapped)
  await assert.rejects(findDecision(log, topics, 'a#other#step'), { code: 'approval_unknown' })
  assert.ok(zapped)
  const partition = partitionOf(zapped.sessionId, 2)
  const before = DECISIONS.filter(({ sessionId }) => partitionOf(sessionId, 2) === partition)
  const place = BigInt(before.indexOf(zapped))
  assert.deepEqual(await findDecision(log, topics, zapped.id, undefined, place), zapped)
  for (const other of [place + 1n, 99n])
    await assert.rejects(findDecision(log, topics, zapped.id, undefined, other), { code: 'approval_unknown' })
  const [good, forged] = [KEY, '0'.repeat(64)].map((key) =>
    appealOf(zapped, { by: 'ann' }, { id: `by-${key.slice(0, 4)}`, producer: 'p', timeMs: 1 }, key),
  )
  await log.produce(
    topics.events,
    [good, forged, { type: 'decision.appealed' }].map((event) => ({
      key: 'a',
      value: JSON.stringify(event),
    })),
  )
  const read: unknown[] = []
  await readAppeals({ log, topics, signingKey: KEY }, (appeal) => read.push(appeal))
  assert.deepEqual(read, [good])
})

const KEY = 'a'.repeat(64)
