import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createClient } from '@plimsoll/client'
import { kafka, otherDatabase, redis, withoutPair } from '../../support/components/components.js'
import { deploy, SIGNING_KEY, type Deployment } from '../../support/sessions/deployment.js'
import { wholeSession } from '../../support/sessions/events.js'
import { runCli } from '../cli-process.js'

type Run = (args: readonly string[], env?: Readonly<Record<string, string>>) => ReturnType<typeof runCli>

async function onDeployment(work: (deployment: Deployment, run: Run) => Promise<void>) {
  const deployment = await deploy('real', { partitions: 2 })
  const settings = {
    KAFKA_BROKERS: kafka.brokers.join(','),
    REDIS_URL: redis.url,
    PLIMSOLL_TOPIC_PREFIX: `${deployment.prefix}plimsoll`,
  }
  const run: Run = (args, env) => runCli(args, { env: { ...settings, ...env } })
  try {
    await deployment.startMonitor().started
    await work(deployment, run)
  } finally {
    await deployment.close()
  }
}

async function output(running: ReturnType<Run>): Promise<string> {
  const { code, stdout, stderr } = await running
  assert.equal(code, 0, stderr)
  return stdout
}

interface Listed {
  readonly count: number
  readonly sessions: readonly { readonly id: string; readonly level: string; readonly ended: boolean }[]
}

describe('`sessions` on Kafka and Redis', { skip: withoutPair }, () => {
  test('lists the riskiest sessions first, and filters', () =>
    onDeployment(async ({ publish, untilDecided }, run) => {
      assert.equal(await output(run(['sessions', 'list'])), 'no sessions\n')
      const risky = wholeSession(
        'acme~risky',
        ['read_database', 'run_shell', 'send_email'],
        'research',
      ).slice(0, -1)
      await publish([
        ...wholeSession('calm', ['read_file']).slice(0, -1),
        ...risky,
        ...wholeSession('acme~over', ['read_file']),
      ])
      await untilDecided(5)
      const listed = async (...args: string[]) =>
        JSON.parse(await output(run(['sessions', 'list', '--json', ...args]))) as Listed
      const { sessions, count } = await listed()
      assert.equal(count, 3)
      assert.deepEqual(
        sessions.map(({ id }) => id),
        ['acme~risky', 'calm', 'acme~over'],
      )
      assert.deepEqual(
        (await listed('--tenant', 'acme')).sessions.map(({ id }) => id),
        ['acme~risky', 'acme~over'],
      )
      assert.deepEqual((await listed('--level', sessions[0]?.level ?? '')).sessions[0]?.id, 'acme~risky')
      assert.equal((await listed('--tenant', 'nobody')).count, 0)
      const table = await output(run(['sessions', 'list', '--limit', '1']))
      assert.match(
        table,
        /^session +tenant +agent +category +level +band +steps +blocked +waiting +last event\nacme~risky +acme +- +research .*ago\n2 more; /,
      )
    }))

  test('shows one session: state, waiting steps, each step and why; the suggested answer works', () =>
    onDeployment(async ({ log, topics }, run) => {
      const client = await createClient({ log, topics, timeoutMs: 60_000 })
      const session = await client.startSession({ category: 'research' })
      const step = await session.propose({ tool: 'read_file' })
      await session.complete(step, { outcome: 'ok' })
      const asked = await session.propose({ tool: 'a_tool_that_nobody_knows' })
      assert.equal(asked.verdict, 'confirm')
      const show = (...args: string[]) => output(run(['sessions', 'show', session.id, ...args]))
      const text = await show()
      assert.match(text, new RegExp(`^session +${session.id}$`, 'm'))
      assert.match(text, /^category +research$/m)
      assert.match(text, /^level +\w+, band \d of 3$/m)
      assert.match(text, /^bundle +[0-9a-f]{32}$/m)
      assert.match(text, /^waiting +1 for a human:$/m)
      assert.match(text, /^\S+Z {2}started, research$/m)
      assert.match(text, /^\S+Z {2}proposes read_file \(\S+\)\n +→ allow +step 1; /m)
      assert.match(text, /^\S+Z {2}completes read_file \(\S+\): ok$/m)
      assert.match(
        text,
        /proposes a_tool_that_nobody_knows .*\n +→ confirm +.*\n(.*\n)*? +confirm by unlabelled:tool_unlabelled: no catalogue/,
      )
      const [, reported = ''] = /^ +plimsoll approve '(.*)' --by NAME$/m.exec(text) ?? []
      assert.equal(reported, asked.decision?.id)
      const approved = await run(['approve', reported, '--by', 'ada', '--yes'], {
        PLIMSOLL_SIGNING_KEY: SIGNING_KEY,
      })
      assert.equal(approved.code, 0, approved.stderr)
      const after = await show()
      assert.match(after, /^waiting +none$/m)
      assert.match(
        after,
        /^\S+Z {2}approved by ada\n +→ \w+ +.*approval.*\n(.*\n)*? +.*\(lifted by approval:ada\)$/m,
      )
      const json = JSON.parse(await show('--json')) as {
        session: { id: string; steps: number }
        timeline: { isWhole: boolean; entries: { event: { type: string }; decisions: unknown[] }[] }
      }
      assert.equal(json.session.id, session.id)
      assert.equal(json.timeline.isWhole, true)
      assert.deepEqual(
        json.timeline.entries.map(({ event, decisions }) => [event.type, decisions.length]),
        [
          ['session.started', 0],
          ['step.proposed', 1],
          ['step.completed', 0],
          ['step.proposed', 1],
          ['approval.resolved', 1],
        ],
      )
      await client.close()
    }))

  test('`explain` shows the steps of a session of the log, and the features that weigh in their scores', () =>
    onDeployment(async ({ log, topics }, run) => {
      const client = await createClient({ log, topics, timeoutMs: 60_000 })
      const session = await client.startSession({ category: 'research', task: 'Read notes.txt' })
      const step = await session.propose({ tool: 'read_file', arguments: { path: 'notes.txt' } })
      await session.complete(step, { outcome: 'ok', result: 'a note' })
      const asked = await session.propose({ tool: 'a_tool_that_nobody_knows', arguments: {} })
      assert.equal(asked.verdict, 'confirm')
      const text = await output(run(['explain', session.id]))
      assert.match(text, /^1\. read_file: allow; p1 [\d.]+%, P\(\d+\) [\d.]+%, \w+$/m)
      assert.match(text, /^ {3}score {2,}feature {2,}value {2,}weight$/m)
      assert.match(
        text,
        /^2\. a_tool_that_nobody_knows: confirm; .*\n {3}confirm by unlabelled:tool_unlabelled: no catalogue/m,
      )
      const { code, stderr } = await run(['explain', 'nobody'])
      assert.equal(code, 1)
      assert.match(stderr, /session_state_lost: the log has no start of session `nobody`/)
      await client.close()
    }))

  test('a session without a record is an error, or is shown from the log', () =>
    onDeployment(async ({ publish, untilDecided, store }, run) => {
      for (const args of [[], ['--since', '1h']]) {
        const { code, stdout, stderr } = await run(['sessions', 'show', 'nobody', ...args])
        assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
        assert.match(stderr, /^plimsoll: session_state_lost: session `nobody` has no record: /)
      }
      await publish(wholeSession('gone', ['read_file']))
      await untilDecided(1)
      const env = { REDIS_URL: otherDatabase }
      assert.equal((await run(['sessions', 'show', 'gone'], env)).code, 1)
      const text = await output(run(['sessions', 'show', 'gone', '--since', '1h'], env))
      assert.match(text, /^session `gone` has no record any more; /)
      assert.match(text, /proposes read_file .*\n +→ /)
      await store.compareAndSet([{ id: 'lost', expected: 0, body: '3 lost', outbox: '', ttlMs: 60_000 }])
      assert.match(
        await output(run(['sessions', 'show', 'lost'])),
        /^the record of session `lost` cannot be read, or was given up/,
      )
      assert.match(await output(run(['sessions', 'list'])), /\n1 more cannot be read or were given up: /)
    }))
})
