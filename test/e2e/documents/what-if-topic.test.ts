import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Decision, digestOf, type Event } from '@plimsoll/contracts'
import { defaultDocuments } from '@plimsoll/policy'
import type { DecisionDiff, EngineDiff } from '@plimsoll/measure'
import { withoutPair } from '../../support/components/components.js'
import { waitUntil } from '../../support/wait-until.js'
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

/** A decision of an earlier engine on the one step of a session. */
function formerDecision(sessionId: string, { versions, ...decision }: Decision): Decision {
  const [reason] = [{ source: 'blocklist', code: 'gone', verdict: 'block', message: 'no' } as const]
  return {
    ...decision,
    id: `${sessionId}#e1#step`,
    sessionId,
    verdict: 'block',
    reasons: [reason],
    ...(versions && { versions: { ...versions, engine: '4' } }),
  }
}

describe('`replay --topic` on Kafka', { skip: withoutPair }, () => {
  test('without a policy it compares with the recorded decisions, by the engine that decided', () =>
    onControlDeployment(async ({ log, topics, monitorEnv, startMonitor }) => {
      const publish = (topic: string, ...values: readonly (Event | Decision)[]) =>
        log.produce(
          topic,
          values.map((value) => ({ key: value.sessionId, value: JSON.stringify(value) })),
        )
      const decisions: Decision[] = []
      const tail = await log.tail(topics.decisions, ({ value }) => {
        decisions.push(JSON.parse(String(value)) as Decision)
      })
      const monitor = await startMonitor()
      await publish(topics.events, ...sessionOf('now', [['get_current_date', true]]))
      await waitUntil('the decision', () => decisions.length > 0)
      monitor.signal('SIGTERM')
      assert.equal((await monitor.ended).code, 0)
      await tail.close()
      const [decided = assert.fail()] = decisions
      await publish(topics.events, ...sessionOf('then', [['get_current_date', true]]))
      await publish(topics.decisions, formerDecision('then', decided))

      const { code, stdout, stderr } = await runCli(['replay', '--topic', '--json'], { env: monitorEnv })
      assert.equal(code, 0, stderr)
      const { engine, engines } = JSON.parse(stdout) as { engine: string; engines: readonly EngineDiff[] }
      assert.equal(engine, decided.versions?.engine)
      const byEngine = engines.toSorted((a, b) => Number(a.engine) - Number(b.engine))
      assert.deepEqual(
        byEngine.map((each) => [each.engine, each.steps, each.changed.steps, each.verdicts]),
        [
          ['4', 1, 1, [{ from: 'block', to: decided.verdict, steps: 1 }]],
          [engine, 1, 0, []],
        ],
      )
      const text = await runCli(['replay', '--topic', '--since', '1h'], { env: monitorEnv })
      assert.match(
        text.stdout,
        /^ {2}then, step 1, get_current_date: block → allow\n {4}recorded: blocklist gone/m,
      )
    }))
})

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
      const strict = await file(policyThatBlocks('strict', 'get_current_date'))
      const published = await plimsoll('publish', strict)
      const version = /[0-9a-f]{32}/.exec(published.stdout)?.[0] ?? ''
      assert.equal((await plimsoll('control', 'activate', version)).code, 0)
      await publish(...sessionOf('s4', [['get_current_date', true]]))
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
      assert.match(against.stdout, /5 finished sessions; left out: 1 sessions \(1 unfinished, 0 pinned/)
    }))
})
