import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Decision, type Reason, topicsOf } from '@plimsoll/contracts'
import { silentLogger } from '@plimsoll/runtime'
import { createEmbeddedLog } from '@plimsoll/runtime/embedded'
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
