import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Decision } from '@plimsoll/contracts'
import { type TopicUpgrade, upgradeOfTopic } from '@plimsoll/measure'
import { compileRules } from '@plimsoll/policy'
import type { EventLog, LogRecord } from '@plimsoll/runtime'
import { SIGNING_KEY } from '../support/sessions/signing-key.js'
import { fixtureFiles, readFixture, signed } from './fixture.js'

/** A log as an earlier version left it: each topic of one partition, with the append times of then. */
function logOf(topics: Readonly<Record<string, readonly { value: object; timeMs: number }[]>>) {
  const recordsOf = (topic: string): LogRecord[] =>
    (topics[topic] ?? []).map(({ value, timeMs }, i) => ({
      topic,
      partition: 0,
      offset: BigInt(i),
      key: 's',
      value: Buffer.from(JSON.stringify(value)),
      headers: {},
      timeMs,
    }))
  return {
    read: (topic, onRecord) => {
      for (const record of recordsOf(topic)) void onRecord(record)
      return Promise.resolve()
    },
    describe: (topic) =>
      Promise.resolve([{ partition: 0, firstOffset: 0n, nextOffset: BigInt(recordsOf(topic).length) }]),
    offsetAt: () => Promise.resolve(0n),
  } as Pick<EventLog, 'read' | 'describe' | 'offsetAt'>
}

for (const file of fixtureFiles())
  describe(`the log of ${file}`, () => {
    const { documents, steps } = readFixture(file)
    const rules = compileRules(documents)
    const events = steps.map(({ at, event }) => ({ value: signed(event), timeMs: at }))
    const decisions = steps.flatMap(({ at, decision }) => (decision ? [{ value: decision, timeMs: at }] : []))
    const decided = steps.flatMap(({ decision }) => (decision?.kind === 'step' ? [decision] : []))
    const engine = decided[0]?.versions?.engine

    const upgradeOf = (recorded: readonly { value: Decision; timeMs: number }[], hasRules = true) =>
      upgradeOfTopic({
        log: logOf({ events, decisions: recorded }),
        topics: { events: 'events', decisions: 'decisions' },
        signingKey: SIGNING_KEY,
        rulesOf: () => (hasRules ? rules : undefined),
        recordsMax: 1_000,
        examplesMax: 3,
      })

    test('says that no verdict changes', async () => {
      const { engines, leftOut, unread, notKept } = await upgradeOf(decisions)
      const figures = engines.map((each) => [each.engine, each.sessions, each.steps, each.changed])
      assert.deepEqual(figures, [[engine, 1, decided.length, { steps: 0, sessions: 0 }]])
      assert.deepEqual(engines[0]?.verdicts, [])
      assert.deepEqual({ ...leftOut, unread, notKept }, { ...NOTHING, unread: 0, notKept: 0 })
    })

    test('names a verdict that was another, with the codes of both sides', async () => {
      const asked = decided.find(({ verdict }) => verdict === 'confirm') ?? assert.fail()
      const altered = decisions.map((each) =>
        each.value === asked
          ? { ...each, value: { ...asked, verdict: 'allow' as const, reasons: [] } }
          : each,
      )
      const { engines } = await upgradeOf(altered)
      const [group] = engines
      assert.deepEqual(group?.changed, { steps: 1, sessions: 1 })
      assert.deepEqual(group.verdicts, [{ from: 'allow', to: 'confirm', steps: 1 }])
      const reasons = asked.reasons.map(({ source, code, verdict }) => ({ source, code, verdict }))
      const { step, tool } = asked
      const to = { verdict: 'confirm', reasons }
      assert.deepEqual(group.examples, [
        { session: 's', step, tool, from: { verdict: 'allow', reasons: [] }, to },
      ])
    })

    test('a decision that was published again counts once', async () => {
      const { engines } = await upgradeOf([...decisions, ...decisions])
      assert.equal(engines[0]?.steps, decided.length)
    })

    test('counts what it cannot compare', async () => {
      const { engines, leftOut } = await upgradeOf(decisions, false)
      assert.deepEqual([engines, leftOut], [[], { ...NOTHING, unpinned: decided.length }])
    })
  })

const NOTHING: TopicUpgrade['leftOut'] = { unpinned: 0, moved: 0, withoutStart: 0 }
