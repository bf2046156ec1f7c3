import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { digestOf } from '@plimsoll/contracts'
import { createMetrics } from '@plimsoll/runtime/metrics'
import { deploy, type Deployment, DEPLOYMENTS, decisionsOf } from '../../support/sessions/deployment.js'
import { sessionScript, wholeSession } from '../../support/sessions/events.js'
import { approvalOf } from '../../support/sessions/approvals.js'
import { waitUntil } from '../../support/wait-until.js'

const codesOf = ({ seen }: Deployment): string[] =>
  seen.deadLetters.map(({ headers }) => headers['plimsoll-code'] ?? '').sort()

for (const [kind, skip] of DEPLOYMENTS)
  describe(`the monitor, ${kind}`, { skip }, () => {
    test('answers every step of many sessions as the engine alone does', async () => {
      const deployment = await deploy(kind)
      try {
        deployment.startMonitor({ limits: { chunkEventsMax: 7 } })
        const tools = ['list_files', 'read_file', 'search_emails', 'send_email', 'no_such_tool']
        const sessions = Array.from({ length: 20 }, (_, i) => wholeSession(`s${i}`, tools, 'research_comms'))
        for (const events of sessions) await deployment.publish(events)
        await deployment.untilDecided(100)
        assert.equal(deployment.seen.deadLetters.length, 0)
        for (const decision of decisionsOf(deployment)) assert.ok(decision.risk && decision.versions)
      } finally {
        await deployment.close()
      }
    })

    test('decides an event with signals of another version without them, and counts them', async () => {
      const deployment = await deploy(kind)
      try {
        const metrics = createMetrics({ hasProcessMetrics: false })
        deployment.startMonitor({ metrics })
        const propose = async (id: string, more: object) => {
          const script = sessionScript(id)
          const start = script.start('research_comms')
          await deployment.publish([start, { ...script.propose('send_email', 'call'), ...more }])
        }
        const known = { outside: 1, external: 1, complete: 1 }
        await propose('today', { signals: known })
        await propose('before', { signals: { ...known, outsiders: 1, imperative: 0.5 } })
        await deployment.untilDecided(2)
        assert.equal(deployment.seen.deadLetters.length, 0)
        const [one, other] = decisionsOf(deployment)
        assert.ok(one?.risk)
        assert.deepEqual([one.verdict, one.reasons, one.risk], [other?.verdict, other?.reasons, other?.risk])
        const line = 'plimsoll_unknown_signals_total{type="step.proposed"} 2'
        await waitUntil('the dropped signals are counted', async () => (await metrics.text()).includes(line))
      } finally {
        await deployment.close()
      }
    })

    test('is ready with partitions only, and says why it is not', async () => {
      const deployment = await deploy(kind, { partitions: 1 })
      try {
        const monitors = [deployment.startMonitor(), deployment.startMonitor()]
        assert.match((await monitors[0]?.notReady()) ?? 'ready', /it joins group `\S+monitor`/)
        await Promise.all(monitors.map(({ started }) => started))
        let reasons: readonly (string | undefined)[] = []
        await waitUntil('one of two monitors owns the only partition', async () => {
          reasons = await Promise.all(monitors.map((monitor) => monitor.notReady()))
          return (
            reasons.filter((reason) => reason === undefined).length === 1 &&
            /no partitions/.test(reasons.join())
          )
        })
        await monitors[reasons.indexOf(undefined)]?.close()
        await waitUntil('the other takes it over', async () =>
          (await Promise.all(monitors.map((monitor) => monitor.notReady()))).some((reason, i) =>
            reasons[i] !== undefined ? reason === undefined : false,
          ),
        )
      } finally {
        await deployment.close()
      }
    })

    test('writes bad records to the dead letters, answers their senders, and continues', async () => {
      const deployment = await deploy(kind, { partitions: 1 })
      try {
        deployment.startMonitor()
        const good = sessionScript('good')
        await deployment.publish([good.start()])
        await deployment.publishRaw('x', 'no json')
        await deployment.publishRaw('x', Uint8Array.of(0xff, 0xfe, 0x7b))
        await deployment.publishRaw(null, null)
        await deployment.publishRaw('x', '[1]')
        await deployment.publishRaw('x', '{"schema":1,"type":"step.proposed"}')
        await deployment.publishRaw(
          'x',
          '{"schema":9,"type":"step.proposed","id":"e","sessionId":"x","callId":"c","tool":"t"}',
        )
        await deployment.publishRaw('x', '{"schema":1,"type":"tool.dreamt"}')
        await deployment.publishRaw('x', JSON.stringify({ schema: 1, pad: 'x'.repeat(300_000) }))
        for (let i = 0; i < 6; i++) await deployment.publishRaw('x', 'y'.repeat(700_000))
        await deployment.publishRaw('k'.repeat(400_000), 'no json')
        await deployment.publishRaw(
          'other',
          JSON.stringify(good.propose('read_file', 'wrong-key', { seq: 1 })),
        )
        await deployment.publish([sessionScript('nobody').propose('read_file', 'call', { seq: 3 })])
        await deployment.publish([good.propose('read_file', 'fine', { seq: 1, id: 'after' })])
        await deployment.until('the good decision', () =>
          decisionsOf(deployment).some(({ callId }) => callId === 'fine'),
        )
        await deployment.until('17 dead letters', () => deployment.seen.deadLetters.length === 17)
        await deployment.until('four answers', () => deployment.seen.decisions.length === 4)
        assert.deepEqual(codesOf(deployment), [
          ...Array.from({ length: 7 }, () => 'event_oversize'),
          'event_type_unknown',
          'key_mismatch',
          ...Array.from({ length: 5 }, () => 'not_json'),
          'schema_invalid',
          'schema_version_unknown',
          'session_state_lost',
        ])
        const answers = new Map(decisionsOf(deployment).map((decision) => [decision.callId, decision]))
        assert.equal(answers.get('fine')?.verdict, 'allow')
        assert.equal(answers.get('c')?.reasons[0]?.code, 'schema_version_unknown')
        assert.equal(answers.get('wrong-key')?.reasons[0]?.code, 'key_mismatch')
        assert.equal(answers.get('call')?.reasons[0]?.code, 'session_state_lost')
        for (const callId of ['c', 'wrong-key', 'call']) assert.equal(answers.get(callId)?.verdict, 'block')
      } finally {
        await deployment.close()
      }
    })

    test('enforces sequence numbers: retries, gaps, stale numbers, ended sessions, repeated starts', async () => {
      const deployment = await deploy(kind, { partitions: 1 })
      try {
        deployment.startMonitor()
        const script = sessionScript('s')
        const first = [script.start(), script.propose('read_file', 'a')]
        await deployment.publish(first)
        await deployment.publish([first[1] ?? script.end()])
        await deployment.publish([script.propose('read_file', 'gap', { seq: 7, id: 'gap' })])
        await deployment.publish([script.propose('read_file', 'stale', { seq: 1, id: 'stale' })])
        await deployment.publish([sessionScript('s', 'second').start()])
        await deployment.publish([
          script.complete('read_file', 'a'),
          script.end(),
          script.propose('read_file', 'late'),
        ])
        await deployment.until('the last dead letter', () => codesOf(deployment).includes('session_ended'))
        await deployment.until('five decisions', () => deployment.seen.decisions.length === 5)
        assert.deepEqual(codesOf(deployment), [
          'sequence_gap',
          'sequence_stale',
          'session_already_started',
          'session_ended',
        ])
        const kinds = decisionsOf(deployment).map(
          ({ kind: what, callId, verdict }) => `${callId} ${what} ${verdict}`,
        )
        assert.deepEqual(kinds.sort(), [
          'a repeat allow', 'a step allow', 'gap refusal block', 'late refusal block', 'stale refusal block',
        ]) // prettier-ignore
      } finally {
        await deployment.close()
      }
    })

    test('an unreadable record blocks its own session, and is not overwritten', async () => {
      const deployment = await deploy(kind, { partitions: 1 })
      try {
        const broken = { id: 'broken', expected: 0, body: 'garbage', outbox: 'garbage', ttlMs: 60_000 }
        await deployment.store.compareAndSet([broken])
        deployment.startMonitor()
        await deployment.publish(wholeSession('broken', ['read_file']))
        await deployment.publish(wholeSession('sound', ['read_file']))
        await deployment.until('both decisions', () => deployment.seen.decisions.length === 2)
        await deployment.until('four dead letters', () => deployment.seen.deadLetters.length === 4)
        assert.deepEqual(
          decisionsOf(deployment).map(({ sessionId, verdict, reasons }) => [
            sessionId,
            verdict,
            reasons[0]?.code,
          ]),
          [
            ['broken', 'block', 'session_state_lost'],
            ['sound', 'allow', undefined],
          ],
        )
        const [record] = await deployment.store.load(['broken'])
        assert.equal(record?.body, 'garbage')
      } finally {
        await deployment.close()
      }
    })

    test('accepts one human answer to a confirm, and no forged one', async () => {
      const deployment = await deploy(kind, { partitions: 1 })
      try {
        deployment.startMonitor()
        const script = sessionScript('s')
        await deployment.publish([script.start(), script.propose('no_such_tool', 'ask')])
        await deployment.until('the question', () => deployment.seen.decisions.length === 1)
        const [question] = decisionsOf(deployment)
        assert.equal(question?.verdict, 'confirm')
        if (!question) return
        await deployment.publish([approvalOf(question, { id: 'forged' }, 'not the key of this deployment')])
        await deployment.publish([
          approvalOf(question, { id: 'other', argumentsDigest: digestOf({ other: true }) }),
        ])
        await deployment.publish([approvalOf(question)])
        await deployment.publish([approvalOf(question, { id: 'again' })])
        await deployment.until('three dead letters', () => deployment.seen.deadLetters.length === 3)
        await deployment.until('the answer', () => deployment.seen.decisions.length === 2)
        assert.deepEqual(codesOf(deployment), ['approval_mismatch', 'approval_unknown', 'signature_invalid'])
        const answers = decisionsOf(deployment).filter(({ kind: what }) => what === 'approval')
        assert.deepEqual(
          answers.map(({ verdict, callId }) => [verdict, callId]),
          [['allow', 'ask']],
        )
        assert.equal(answers[0]?.reasons[0]?.liftedBy, 'approval:ada')
      } finally {
        await deployment.close()
      }
    })
  })
