import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createClient, type Answer } from '@plimsoll/client'
import { deploy, type Deployment, settingsOf } from '../../support/sessions/deployment.js'
import { kafka, uniquePrefix, withoutPair } from '../../support/components/components.js'
import { runCli, startCli, type CliProcess } from '../cli-process.js'

test('`monitor` reports every problem of its settings at once, with exit code 2', async () => {
  const env = {
    KAFKA_BROKERS: 'nonsense',
    REDIS_URL: 'http://127.0.0.1:6379',
    KAFKA_SSL: 'perhaps',
    PLIMSOLL_HTTP_PORT: '99999',
    PLIMSOLL_SIGNING_KEY: 'short',
    PLIMSOLL_PARTITION: '4',
  }
  const { code, stdout, stderr } = await runCli(['monitor'], { env })
  assert.deepEqual({ code, stdout }, { code: 2, stdout: '' })
  for (const name of Object.keys(env)) assert.match(stderr, new RegExp(`^  ${name}: `, 'm'))
  assert.ok(!stderr.includes('short'), 'a secret is not shown')
})

test('`monitor` reports an invalid document, with exit code 2', async () => {
  const env = { PLIMSOLL_POLICIES: '/nowhere/policy.yaml', PLIMSOLL_HTTP_PORT: '0' }
  const { code, stderr } = await runCli(['monitor'], { env })
  assert.equal(code, 2)
  assert.match(stderr, /document_invalid: policy `\/nowhere\/policy.yaml` cannot be read/)
})

for (const [what, away] of [
  ['Kafka', { KAFKA_BROKERS: '127.0.0.1:1', REDIS_URL: 'redis://127.0.0.1:1' }],
  ['Redis', { KAFKA_BROKERS: kafka.brokers.join(','), REDIS_URL: 'redis://127.0.0.1:1' }],
] as const)
  test(
    `\`monitor\` waits for ${what}, is not ready meanwhile, and ends when asked to`,
    { skip: what === 'Redis' && withoutPair },
    async () => {
      const env = { ...away, PLIMSOLL_HTTP_PORT: '0', PLIMSOLL_TOPIC_PREFIX: `${uniquePrefix()}plimsoll` }
      const monitor = startCli(['monitor'], { env })
      try {
        const [url] = /http:[^"]+/.exec(await monitor.printed(/serving metrics/)) ?? ['']
        await monitor.printed(/"cannot start yet".*"(log|store)_unavailable"/)
        assert.equal((await fetch(`${url}/healthz`)).status, 200)
        assert.equal((await fetch(`${url}/readyz`)).status, 503)
      } finally {
        monitor.signal('SIGTERM')
      }
      const { code, signal, stderr } = await monitor.ended
      assert.deepEqual({ code, signal, stderr }, { code: 0, signal: null, stderr: '' })
    },
  )

async function onRealPair(
  work: (deployment: Deployment, monitor: CliProcess) => Promise<void>,
): Promise<void> {
  const deployment = await deploy('real', { partitions: 2 })
  const monitor = startCli(['monitor'], { env: settingsOf(deployment) })
  try {
    await work(deployment, monitor)
  } finally {
    monitor.signal('SIGKILL')
    await monitor.ended
    await deployment.close()
  }
}

/** The documented metrics of the monitor and its adapters. */
const METRICS = [
  'events_total',
  'decisions_total',
  'dead_letters_total',
  'decision_seconds',
  'end_to_end_seconds',
  'lag_events',
  'store_seconds',
  'store_outages_total',
  'log_[a-z_]+',
]

describe('`monitor` on Kafka and Redis', { skip: withoutPair }, () => {
  test('judges, serves its metrics, and ends on SIGTERM with exit code 0', () =>
    onRealPair(async (deployment, monitor) => {
      await monitor.printed(/"partitions assigned"/)
      const [url] = /http:[^"]+/.exec(await monitor.printed(/serving metrics/)) ?? ['']
      const client = await createClient({ log: deployment.log, topics: deployment.topics, timeoutMs: 30_000 })
      const session = await client.startSession({ category: 'sysadmin' })
      const answer = await session.propose({ tool: 'read_file' })
      assert.deepEqual([answer.by, answer.verdict], ['decision', 'allow'])
      assert.equal((await fetch(`${url}/readyz`)).status, 200)
      const metrics = await (await fetch(`${url}/metrics`)).text()
      assert.match(metrics, /^plimsoll_decisions_total\{verdict="allow"/m)
      for (const name of METRICS) assert.match(metrics, new RegExp(`^# TYPE plimsoll_${name} `, 'm'))
      await client.close()
      monitor.signal('SIGTERM')
      const { code, signal, stderr } = await monitor.ended
      assert.deepEqual({ code, signal, stderr }, { code: 0, signal: null, stderr: '' })
    }))

  test('ends with exit code 1 when its store belongs to another log', async () => {
    const deployment = await deploy('real', { partitions: 2 })
    try {
      await deployment.store.writeMeta(`log:${deployment.topics.events}`, { partitions: '99' })
      const { code, stderr } = await runCli(['monitor'], { env: settingsOf(deployment) })
      assert.equal(code, 1)
      assert.match(stderr, /^plimsoll: log_changed: /)
    } finally {
      await deployment.close()
    }
  })

  test('`approve` shows the waiting step, and its signed answer decides', () =>
    onRealPair(async (deployment, monitor) => {
      await monitor.printed(/"partitions assigned"/)
      const disclose = [{ tools: ['*'], arguments: ['to'] }]
      const client = await createClient({
        log: deployment.log,
        topics: deployment.topics,
        timeoutMs: 30_000,
        disclose,
      })
      const session = await client.startSession({ id: 'approvals' })
      const ask = () => session.propose({ tool: 'a_tool_that_nobody_knows', arguments: { to: 'the quay' } })
      const approve = ({ decision }: Answer, ...args: string[]) =>
        runCli(['approve', decision?.id ?? '', '--by', 'ada', '--yes', ...args], {
          env: settingsOf(deployment),
        })

      const first = await ask()
      assert.equal(first.verdict, 'confirm')
      const approved = await approve(first)
      assert.equal(approved.code, 0, approved.stderr)
      assert.match(approved.stdout, /^tool +a_tool_that_nobody_knows$/m)
      assert.match(approved.stdout, /^arguments +all of them.*\n {2}to: "the quay"$/m)
      assert.match(approved.stdout, /^reasons +unlabelled:tool_unlabelled$/m)
      assert.match(approved.stdout, /^expires +\d{4}-\d\d-\d\dT/m)
      const resolved = await session.resolution(first)
      assert.deepEqual([resolved.mayRun, resolved.decision?.reasons[0]?.liftedBy], [true, 'approval:ada'])
      await session.complete(resolved)

      const second = await ask()
      assert.equal((await approve(second, '--deny', '--reason', 'not today')).code, 0)
      const denied = await session.resolution(second)
      assert.deepEqual([denied.verdict, denied.decision?.reasons[0]?.code], ['block', 'approval_denied'])

      const again = await approve(first)
      assert.deepEqual([again.code, again.stdout], [1, ''])
      assert.match(again.stderr, /approval_unknown: .*waits for no approval/)
      const nobody = await runCli(['approve', 'nobody#e#step', '--by', 'ada', '--yes'], {
        env: settingsOf(deployment),
      })
      assert.equal(nobody.code, 1)
      assert.match(nobody.stderr, /session_state_lost: session `nobody` has no record/)
      await client.close()
    }))
})
