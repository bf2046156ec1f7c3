import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tenantOf, type Decision, type Event } from '@plimsoll/contracts'
import { kafka, uniquePrefix, withoutPair } from '../../support/components/components.js'
import { deploy, type Deployment, settingsOf } from '../../support/sessions/deployment.js'
import { runCli, startCli } from '../cli-process.js'

/** Long: a slow machine is no failure. */
const PATIENT = ['--timeout', '90s']

/** Kafka, Redis and a monitor in a separate process. */
async function onRealPair(
  work: (deployment: Deployment, env: Readonly<Record<string, string>>) => Promise<void>,
): Promise<void> {
  const deployment = await deploy('real', { partitions: 2 })
  const env = settingsOf(deployment)
  const monitor = startCli(['monitor'], { env })
  try {
    await work(deployment, env)
  } finally {
    monitor.signal('SIGKILL')
    await monitor.ended
    await deployment.close()
  }
}

const parsed = <T>(records: readonly { readonly value: unknown }[]) =>
  records.map(({ value }) => JSON.parse(String(value)) as T)

test(
  '`fleet` plays the given number of sessions over Kafka, for tenants and agents, and prints a summary',
  { skip: withoutPair },
  () =>
    onRealPair(async (deployment, env) => {
      const args = ['--sessions', '24', '--concurrency', '8', '--rate', '200', ...PATIENT]
      const { code, stdout, stderr } = await runCli(
        ['fleet', '--json', '--run', 'f', '--tenants', 'acme,globex', ...args],
        { env },
      )
      assert.equal(code, 0, stderr)
      const figures = JSON.parse(stdout) as Record<string, number> & {
        latencyMs: { p50: number; max: number }
      }
      const { sessions = 0, steps = 0, completed = 0, failed = 0, cancelled } = figures
      assert.deepEqual([figures.run, figures.seed, sessions, cancelled], ['f', 1, 24, 0])
      assert.equal(completed + failed, 24)
      assert.ok(figures.latencyMs.p50 > 0 && figures.latencyMs.max >= figures.latencyMs.p50)
      await deployment.until(
        '24 ends',
        () => parsed<Event>(deployment.seen.events).filter(isEnd).length === 24,
      )
      const started = parsed<Event>(deployment.seen.events).filter(
        (event) => event.type === 'session.started',
      )
      assert.equal(new Set(started.map(({ sessionId }) => sessionId)).size, 24)
      assert.deepEqual(
        new Set(started.map(({ sessionId }) => tenantOf(sessionId))),
        new Set(['acme', 'globex']),
      )
      assert.deepEqual(
        new Set(started.map(({ agent }) => agent)),
        new Set(Array.from({ length: 8 }, (_, i) => `agent-${i + 1}`)),
      )
      const decided = parsed<Decision>(deployment.seen.decisions).filter(({ kind }) => kind === 'step')
      assert.equal(new Set(decided.map(({ id }) => id)).size, steps)
      assert.deepEqual(deployment.seen.deadLetters, [])
    }),
)

const isEnd = ({ type }: Event) => type === 'session.ended'

test('an endless `fleet` ends on SIGINT, ends its sessions and prints a summary', { skip: withoutPair }, () =>
  onRealPair(async (deployment, env) => {
    const fleet = startCli(['fleet', '--rate', '50', ...PATIENT], { env })
    await fleet.printed(/^fleet \d+ sessions/)
    await deployment.until('twenty decisions', () => deployment.seen.decisions.length >= 20)
    fleet.signal('SIGINT')
    const { code, signal, stdout } = await fleet.ended
    assert.deepEqual({ code, signal }, { code: 0, signal: null })
    assert.match(stdout, /^sysadmin +\d+ +\d+/m)
    assert.match(stdout, /\/s of the 50 asked for/)
    const begun = parsed<Event>(deployment.seen.events).filter(
      ({ type }) => type === 'session.started',
    ).length
    await deployment.until(
      'an end of each',
      () => parsed<Event>(deployment.seen.events).filter(isEnd).length >= begun,
    )
  }),
)

test('an interrupted `fleet` with a number of sessions has its own exit code', { skip: withoutPair }, () =>
  onRealPair(async (deployment, env) => {
    const fleet = startCli(['fleet', '--sessions', '100000', '--observe', ...PATIENT], { env })
    await deployment.until('twenty decisions', () => deployment.seen.decisions.length >= 20)
    fleet.signal('SIGTERM')
    const { code, stderr } = await fleet.ended
    assert.equal(code, 1)
    assert.match(stderr, /interrupted: these are not all sessions/)
  }),
)

test('`fleet` waits for missing topics, and ends on a signal meanwhile', { skip: withoutPair }, async () => {
  const env = { KAFKA_BROKERS: kafka.brokers.join(','), PLIMSOLL_TOPIC_PREFIX: `${uniquePrefix()}plimsoll` }
  const fleet = startCli(['fleet', '--sessions', '1'], { env })
  await fleet.printed(/plimsoll doctor --create/)
  await fleet.printed(/the topic does not exist yet/)
  fleet.signal('SIGINT')
  const { code, stdout, stderr } = await fleet.ended
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /closed: interrupted before the fleet was connected/)
})

test('`fleet` reports bad options and a missing Kafka at once', async () => {
  const wrong = await runCli(['fleet', '--tenants', 'Acme'])
  assert.deepEqual([wrong.code, wrong.stdout], [2, ''])
  assert.match(wrong.stderr, /usage_invalid: `--tenants`/)
  const away = await runCli(['fleet', '--sessions', '1'], { env: { KAFKA_BROKERS: '127.0.0.1:1' } })
  assert.deepEqual([away.code, away.stdout], [1, ''])
  assert.match(away.stderr, /log_unavailable/)
})
