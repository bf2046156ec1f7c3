import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Appeal, type Decision, appealOf, topicsOf } from '@plimsoll/contracts'
import { readTimeline } from '@plimsoll/operations'
import { topicSpecs } from '@plimsoll/runtime'
import { createKafkaLog } from '@plimsoll/runtime/kafka'
import { kafka, uniquePrefix } from '../../support/components/components.js'
import { SIGNING_KEY, decisionsOf, deploy } from '../../support/sessions/deployment.js'
import { sessionScript } from '../../support/sessions/events.js'
import { runCli } from '../cli-process.js'

const appealAgainst = (decision: Decision, key = SIGNING_KEY): Appeal =>
  appealOf(
    decision,
    { by: 'ines', reason: 'it was asked for' },
    { id: `appeal-${key === SIGNING_KEY ? 'good' : 'forged'}`, producer: 'console', timeMs: 1 },
    key,
  )

test('a monitor takes a signed appeal, which changes no verdict, and refuses an unsigned one', async () => {
  const deployment = await deploy('embedded', { partitions: 1 })
  try {
    await deployment.startMonitor().started
    const script = sessionScript('s-1')
    await deployment.publish([script.start(), script.propose('purge_everything', 'c-1')])
    await deployment.until('the question', () => decisionsOf(deployment).length > 0)
    const [asked] = decisionsOf(deployment)
    assert.equal(asked?.verdict, 'confirm')
    await deployment.publish([appealAgainst(asked), appealAgainst(asked, '0'.repeat(64))])
    await deployment.publish([script.propose('list_files', 'c-2')])
    await deployment.untilDecided(2)
    assert.equal(decisionsOf(deployment).length, 2, 'no decision on an appeal')
    await deployment.until('the refusal', () => deployment.seen.deadLetters.length > 0)
    assert.equal(deployment.seen.deadLetters.length, 1)
    assert.match(String(deployment.seen.deadLetters[0]?.value), /appeal-forged/)
    const { log, topics } = deployment
    const { entries } = await readTimeline({ log, topics, sessionId: 's-1', fromMs: 0 })
    assert.ok(
      entries.some(({ event }) => event?.type === 'decision.appealed' && event.decisionId === asked.id),
    )
  } finally {
    await deployment.close()
  }
})

test(
  'over Kafka the decision is found, and its appeal is signed, published and counted',
  { skip: kafka.skip },
  async () => {
    const made = await deploy('embedded', { partitions: 1 })
    await made.startMonitor().started
    const script = sessionScript('s-1')
    await made.publish([script.start(), script.propose('purge_everything', 'c-1')])
    await made.until('the question', () => decisionsOf(made).length > 0)
    const [asked] = decisionsOf(made)
    await made.close()
    assert.ok(asked)
    const prefix = `${uniquePrefix()}plimsoll`
    const topics = topicsOf(prefix)
    const log = createKafkaLog({ brokers: kafka.brokers })
    try {
      await log.createTopics(topicSpecs(topics, { partitions: 3 }))
      await log.produce(topics.decisions, [{ key: 's-1', value: JSON.stringify(asked) }])
      const env = {
        KAFKA_BROKERS: kafka.brokers.join(','),
        PLIMSOLL_TOPIC_PREFIX: prefix,
        PLIMSOLL_SIGNING_KEY: SIGNING_KEY,
      }
      const run = async (...args: string[]) => runCli(args, { env })
      const appealed = await run('appeal', asked.id, '--by', 'ines', '--reason', 'it was asked for')
      assert.deepEqual([appealed.code, appealed.stderr], [0, ''])
      assert.equal(
        appealed.stdout,
        `published: decision ${asked.id} was wrong, to ines; no verdict changes\n`,
      )
      const observed = await run('observed', '--topic', '--mode', 'enforce')
      assert.match(observed.stdout, /^purge_everything: 1 asked, .*; appealed: 1 for nothing$/m)
      assert.match((await run('appeal', 's-1#none#step')).stderr, /no decision `s-1#none#step` in /)
    } finally {
      await log.close()
    }
  },
)
