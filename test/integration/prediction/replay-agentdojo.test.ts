import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COMMANDS, runCli } from '@plimsoll/cli'
import { kafka, redis, withoutPair } from '../../support/components/components.js'
import { byDecisionId, deploy, foldAlone, type Deployment } from '../../support/sessions/deployment.js'
import { recordingOf } from '../../support/sessions/recording.js'
import { readTopic } from '../../e2e/operate/read-topic.js'

const FILE = 'agentdojo.jsonl.gz'
const FOLD = 4
const STEPS = 13_416

const { file, missing: withoutRecordings } = recordingOf(FILE)

test(
  `fold ${FOLD} of ${FILE} gives the same decisions through Kafka, the monitor and Redis as in the engine alone`,
  { skip: withoutPair || withoutRecordings },
  async (t) => {
    const deployment = await deploy('real', { partitions: 4 })
    try {
      const figures = await replay(deployment, file)
      t.diagnostic(
        `${figures.steps} steps in ${figures.seconds} s; latency ${JSON.stringify(figures.latencyMillis)} ms`,
      )
      t.diagnostic(`by suite ${JSON.stringify(figures.bySuite)}`)
      t.diagnostic(`by truth ${JSON.stringify(figures.byTruth)}`)
      assert.deepEqual(
        { steps: figures.steps, withoutVerdict: figures.withoutVerdict },
        { steps: STEPS, withoutVerdict: 0 },
      )
      const events = await readTopic(deployment.log, deployment.topics.events, `${deployment.prefix}reader`)
      const decisions = await readTopic(
        deployment.log,
        deployment.topics.decisions,
        `${deployment.prefix}reader`,
      )
      const alone = foldAlone(deployment, events)
      assert.equal(alone.faults.size, 0)
      assert.equal(alone.decisions.size, STEPS)
      // Bytes, not values: `byDecisionId` holds the texts as in the topic.
      const published = byDecisionId(decisions)
      assert.equal(published.size, STEPS)
      for (const [id, text] of alone.decisions) assert.equal(published.get(id), text)
    } finally {
      await deployment.close()
    }
  },
)

interface Figures {
  readonly steps: number
  readonly seconds: number
  readonly withoutVerdict: number
  readonly latencyMillis: unknown
  readonly bySuite: unknown
  readonly byTruth: unknown
}

async function replay({ prefix }: Deployment, traces: string): Promise<Figures> {
  const out: string[] = []
  const errors: string[] = []
  const env = {
    KAFKA_BROKERS: kafka.brokers.join(','),
    REDIS_URL: redis.url,
    PLIMSOLL_TOPIC_PREFIX: `${prefix}plimsoll`,
  }
  const argv = ['replay', '--traces', traces, '--fold', String(FOLD), '--via', 'kafka', '--json']
  const code = await runCli(argv, COMMANDS, {
    env,
    stdout: { write: (text) => void out.push(text), isTerminal: false },
    stderr: { write: (text) => void errors.push(text), isTerminal: false },
    signal: new AbortController().signal,
  })
  assert.equal(code, 0, errors.join(''))
  return JSON.parse(out.join('')) as Figures
}
