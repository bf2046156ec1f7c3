import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { digestOf } from '@plimsoll/contracts'
import { deploy, type Deployment, DEPLOYMENTS, decisionsOf } from '../../support/sessions/deployment.js'
import { sessionScript, wholeSession } from '../../support/sessions/events.js'
import { approvalOf } from '../../support/sessions/approvals.js'

const codesOf = ({ seen }: Deployment): string[] =>
  seen.deadLetters.map(({ headers }) => headers['plimsoll-code'] ?? '').sort()

for (const [kind, skip] of DEPLOYMENTS)
  describe(`the monitor, ${kind}`, { skip }, () => {
    test('answers every step of many sessions as the engine alone does', async () => {
      const world = await deploy(kind)
      try {
        world.startMonitor({ limits: { chunkEventsMax: 7 } })
        const tools = ['list_files', 'read_file', 'search_emails', 'send_email', 'no_such_tool']
        const sessions = Array.from({ length: 20 }, (_, i) => wholeSession(`s${i}`, tools, 'research_comms'))
        for (const events of sessions) await world.publish(events)
        await world.untilDecided(100)
        assert.equal(world.seen.deadLetters.length, 0)
        for (const decision of decisionsOf(world)) assert.ok(decision.risk && decision.versions)
      } finally {
        await world.close()
      }
    })

    test('writes bad records to the dead letters, answers their senders, and continues', async () => {
      const world = await deploy(kind, { partitions: 1 })
      try {
        world.startMonitor()
        const good = sessionScript('good')
        await world.publish([good.start()])
        await world.publishRaw('x', 'no json')
        await world.publishRaw('x', Uint8Array.of(0xff, 0xfe, 0x7b))
        await world.publishRaw(null, null)
        await world.publishRaw('x', '[1]')
        await world.publishRaw('x', '{"schema":1,"type":"step.proposed"}')
        await world.publishRaw(
          'x',
          '{"schema":9,"type":"step.proposed","id":"e","sessionId":"x","callId":"c","tool":"t"}',
        )
        await world.publishRaw('x', '{"schema":1,"type":"tool.dreamt"}')
        await world.publishRaw('x', JSON.stringify({ schema: 1, pad: 'x'.repeat(300_000) }))
        for (let i = 0; i < 6; i++) await world.publishRaw('x', 'y'.repeat(700_000))
        await world.publishRaw('k'.repeat(400_000), 'no json')
        await world.publishRaw('other', JSON.stringify(good.propose('read_file', 'wrong-key', { seq: 1 })))
        await world.publish([sessionScript('nobody').propose('read_file', 'call', { seq: 3 })])
        await world.publish([good.propose('read_file', 'fine', { seq: 1, id: 'after' })])
        await world.until('the good decision', () =>
          decisionsOf(world).some(({ callId }) => callId === 'fine'),
        )
        await world.until('17 dead letters', () => world.seen.deadLetters.length === 17)
        await world.until('four answers', () => world.seen.decisions.length === 4)
        assert.deepEqual(codesOf(world), [
          ...Array.from({ length: 7 }, () => 'event_oversize'),
          'event_type_unknown',
          'key_mismatch',
          ...Array.from({ length: 5 }, () => 'not_json'),
          'schema_invalid',
          'schema_version_unknown',
          'session_state_lost',
        ])
        const answers = new Map(decisionsOf(world).map((decision) => [decision.callId, decision]))
        assert.equal(answers.get('fine')?.verdict, 'allow')
        assert.equal(answers.get('c')?.reasons[0]?.code, 'schema_version_unknown')
        assert.equal(answers.get('wrong-key')?.reasons[0]?.code, 'key_mismatch')
        assert.equal(answers.get('call')?.reasons[0]?.code, 'session_state_lost')
        for (const callId of ['c', 'wrong-key', 'call']) assert.equal(answers.get(callId)?.verdict, 'block')
      } finally {
        await world.close()
      }
    })

    test('enforces sequence numbers: retries, gaps, stale numbers, ended sessions, repeated starts', async () => {
      const world = await deploy(kind, { partitions: 1 })
      try {
        world.startMonitor()
        const script = sessionScript('s')
        const first = [script.start(), script.propose('read_file', 'a')]
        await world.publish(first)
        await world.publish([first[1] ?? script.end()])
        await world.publish([script.propose('read_file', 'gap', { seq: 7, id: 'gap' })])
        await world.publish([script.propose('read_file', 'stale', { seq: 1, id: 'stale' })])
        await world.publish([sessionScript('s', 'second').start()])
        await world.publish([
          script.complete('read_file', 'a'),
          script.end(),
          script.propose('read_file', 'late'),
        ])
        await world.until('the last dead letter', () => codesOf(world).includes('session_ended'))
        await world.until('five decisions', () => world.seen.decisions.length === 5)
        assert.deepEqual(codesOf(world), [
          'sequence_gap',
          'sequence_stale',
          'session_already_started',
          'session_ended',
        ])
        const kinds = decisionsOf(world).map(
          ({ kind: what, callId, verdict }) => `${callId} ${what} ${verdict}`,
        )
        assert.deepEqual(kinds.sort(), [
          'a repeat allow', 'a step allow', 'gap refusal block', 'late refusal block', 'stale refusal block',
        ]) // prettier-ignore
      } finally {
        await world.close()
      }
    })

    test('an unreadable record blocks its own session, and is not overwritten', async () => {
      const world = await deploy(kind, { partitions: 1 })
      try {
        const broken = { id: 'broken', expected: 0, body: 'garbage', outbox: 'garbage', ttlMs: 60_000 }
        await world.store.compareAndSet([broken])
        world.startMonitor()
        await world.publish(wholeSession('broken', ['read_file']))
        await world.publish(wholeSession('sound', ['read_file']))
        await world.until('both decisions', () => world.seen.decisions.length === 2)
        await world.until('four dead letters', () => world.seen.deadLetters.length === 4)
        assert.deepEqual(
          decisionsOf(world).map(({ sessionId, verdict, reasons }) => [sessionId, verdict, reasons[0]?.code]),
          [
            ['broken', 'block', 'session_state_lost'],
            ['sound', 'allow', undefined],
          ],
        )
        const [record] = await world.store.load(['broken'])
        assert.equal(record?.body, 'garbage')
      } finally {
        await world.close()
      }
    })

    test('accepts one human answer to a confirm, and no forged one', async () => {
      const world = await deploy(kind, { partitions: 1 })
      try {
        world.startMonitor()
        const script = sessionScript('s')
        await world.publish([script.start(), script.propose('no_such_tool', 'ask')])
        await world.until('the question', () => world.seen.decisions.length === 1)
        const [question] = decisionsOf(world)
        assert.equal(question?.verdict, 'confirm')
        if (!question) return
        await world.publish([approvalOf(question, { id: 'forged' }, 'not the key of this deployment')])
        await world.publish([
          approvalOf(question, { id: 'other', argumentsDigest: digestOf({ other: true }) }),
        ])
        await world.publish([approvalOf(question)])
        await world.publish([approvalOf(question, { id: 'again' })])
        await world.until('three dead letters', () => world.seen.deadLetters.length === 3)
        await world.until('the answer', () => world.seen.decisions.length === 2)
        assert.deepEqual(codesOf(world), ['approval_mismatch', 'approval_unknown', 'signature_invalid'])
        const answers = decisionsOf(world).filter(({ kind: what }) => what === 'approval')
        assert.deepEqual(
          answers.map(({ verdict, callId }) => [verdict, callId]),
          [['allow', 'ask']],
        )
        assert.equal(answers[0]?.reasons[0]?.liftedBy, 'approval:ada')
      } finally {
        await world.close()
      }
    })
  })
