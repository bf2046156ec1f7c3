import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { digestOf, type Event } from '@plimsoll/contracts'
import { defaultDocuments } from '@plimsoll/policy'
import type { DecisionDiff } from '@plimsoll/measure'
import { withoutPair } from '../../support/components/components.js'
import { runCli } from '../cli-process.js'
import { onControlDeployment, policyThatBlocks } from '../operate/control-world.js'

type Step = readonly [tool: string, ran: boolean, args?: Record<string, unknown>]

/** A whole session; steps that never ran have only a proposal. */
function sessionOf(sessionId: string, steps: readonly Step[]): Event[] {
  let seq = 0
  const next = () => {
    const n = seq++
    return { schema: 1, sessionId, producer: 'agent', time: 0, id: `e${n}`, seq: n } as const
  }
  const events: Event[] = [{ ...next(), type: 'session.started', fingerprints: [] }]
  for (const [i, [tool, ran, args = {}]] of steps.entries()) {
    const callId = `c${i}`
    const argumentsDigest = digestOf(args)
    events.push({ ...next(), type: 'step.proposed', callId, tool, argumentsDigest, arguments: args })
    if (ran) events.push({ ...next(), type: 'step.completed', callId, tool, outcome: 'ok' })
  }
  return [...events, { ...next(), type: 'session.ended' }]
}

describe('`replay --policy --topic` on Kafka', { skip: withoutPair }, () => {
  test('compares another policy with the pinned one on the sessions of the log, given the steps that ran', () =>
    onControlDeployment(async ({ log, topics, monitorEnv, startMonitor, plimsoll, file }) => {
      const publish = (...events: readonly Event[]) =>
        log.produce(
          topics.events,
          events.map((event) => ({ key: event.sessionId, value: JSON.stringify(event) })),
        )
      const { policy } = await defaultDocuments()
      const tried = {
        ...policy,
        name: 'tried',
        specs: [
          {
            id: 'not-after-mail',
            tier: 'blocklist',
            tools: ['create_calendar_event'],
            after: { tools: ['get_unread_emails'] },
          },
          { id: 'no-big-sums', tier: 'confirmation', tools: ['list_files'], where: 'args.amount > 100' },
        ],
      }
      await startMonitor()
      await publish(
        ...sessionOf('s0', [
          ['get_unread_emails', true],
          ['create_calendar_event', true],
        ]),
        // The mail was never read: the step was proposed, and did not run.
        ...sessionOf('s1', [
          ['get_unread_emails', false],
          ['create_calendar_event', true],
        ]),
        ...sessionOf('s2', [['list_files', true, { amount: 500 }]]),
        ...sessionOf('s3', [['list_files', true, { amount: 5 }]]),
        ...sessionOf('open', [['get_unread_emails', true]]).slice(0, -1),
      )
      const strict = await file(policyThatBlocks('strict', 'get_current_day'))
      const published = await plimsoll('publish', strict)
      const version = /[0-9a-f]{32}/.exec(published.stdout)?.[0] ?? ''
      assert.equal((await plimsoll('control', 'activate', version)).code, 0)
      await publish(...sessionOf('s4', [['get_current_day', true]]))
      const label = ['--violated', '--call', 'c1', '--by', 'ines']
      assert.equal((await plimsoll('sessions', 'label', 's0', ...label)).code, 0)
      assert.equal((await plimsoll('sessions', 'label', 's2', '--safe', '--by', 'ines')).code, 0)

      const args = ['replay', '--policy', await file(tried), '--topic', '--since', '1h']
      const { code, stdout, stderr } = await runCli([...args, '--json'], { env: monitorEnv })
      assert.equal(code, 0, stderr)
      const reported = JSON.parse(stdout) as { diff: DecisionDiff; unpinned: number }
      const { sessions, steps, changes, bySpec, violated, safe, unknown } = reported.diff
      assert.deepEqual([sessions, steps, reported.unpinned], [5, 7, 0])
      assert.deepEqual(
        [changes.blocked, changes.asked, changes.eased].map(({ steps }) => steps),
        [1, 1, 1],
      )
      assert.deepEqual(bySpec.map(({ code, how }) => `${code} ${how}`).sort(), [
        'no-big-sums speaks',
        'not-after-mail speaks',
        'not-these silent',
      ])
      assert.deepEqual([violated.stopped.newly.n, violated.sessions], [1, 1])
      assert.deepEqual([safe.disturbed.newly.n, safe.sessions, unknown], [1, 1, 3])

      const against = await runCli([...args, '--against', strict], { env: monitorEnv })
      assert.equal(against.code, 0, against.stderr)
      assert.match(against.stdout, /^old: policy `strict` .*; new: policy `tried` /)
      assert.match(against.stdout, /5 sessions that ended; left out: 1 sessions \(1 not ended, 0 pinned/)
    }))
})
