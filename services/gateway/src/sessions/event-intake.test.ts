import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type SentEvent, EVENT_SCHEMA, openArguments } from '@plimsoll/contracts'
import { readDocument } from '@plimsoll/policy'
import type { Principal } from '../auth/principals.js'
import { NO_VOUCHER, createEventIntake, createObserve } from './event-intake.js'

const DIGEST = 'd'.repeat(64)
const bot: Principal = { name: 'bot', tenant: 'acme', trust: 'agent', category: 'research_comms' }
const registry: Principal = { name: 'desk', tenant: 'acme', trust: 'host' }
const catalogue = await readDocument('catalogue')
const observe = createObserve({ catalogue, key: 'a key of fingerprints' })

const intakeOf = (principal: Principal) =>
  createEventIntake({ principal, catalogue, observe, voucher: NO_VOUCHER })

const envelope = (sessionId: string, over: object) => ({
  schema: EVENT_SCHEMA,
  id: 'e1',
  sessionId,
  producer: 'p',
  seq: 0,
  time: 0,
  type: 'step.proposed',
  ...over,
})
const proposal = (sessionId: string, over: object = {}) =>
  envelope(sessionId, { callId: 'c1', tool: 'send_email', argumentsDigest: DIGEST, ...over })

describe('refused events', () => {
  const nested = JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`) as Record<string, unknown>
  const refused: readonly (readonly [string, SentEvent, string])[] = [
    ['an event of another principal', { event: proposal('acme~desk:1') }, 'forbidden'],
    ['of another tenant', { event: proposal('default~bot:1') }, 'forbidden'],
    ['of one whose name begins alike', { event: proposal('acme~bot2:1') }, 'forbidden'],
    ['under the root of another', { event: proposal('acme~bot:1'), root: 'acme~desk:1' }, 'forbidden'],
    [
      'its own approval',
      {
        event: envelope('acme~bot:1', {
          type: 'approval.resolved',
          decisionId: 'acme~bot:1#e1#step',
          argumentsDigest: DIGEST,
          expiresAt: 1,
          resolution: 'approved',
          by: 'ada',
          signature: DIGEST,
        }),
      },
      'forbidden',
    ],
    ['what is no event', { event: { sessionId: 'acme~bot:1', type: 'tool.run' } }, 'schema_invalid'],
    [
      'arguments without end',
      { event: proposal('acme~bot:1'), texts: { arguments: nested } },
      'schema_invalid',
    ],
  ]
  for (const [what, sent, code] of refused)
    test(what, () => {
      const taken = intakeOf(bot)(sent)
      assert.equal('fault' in taken ? taken.fault.code : 'taken', code)
    })
})

describe('accepted claims', () => {
  const claims = {
    evidence: { sensitive: 'absent' },
    signals: { harmless: 1 },
    arguments: { to: 'ann' },
    argumentsSalt: DIGEST,
  }
  const taken = (principal: Principal, sent: SentEvent) => {
    const answer = intakeOf(principal)(sent)
    assert.ok('event' in answer && answer.event.type === 'step.proposed')
    return answer.event
  }

  test('of an agent: no evidence, signals or unexamined arguments', () => {
    const event = taken(bot, { event: proposal('acme~bot:1', claims) })
    assert.deepEqual([event.evidence, event.signals], [undefined, undefined])
    assert.deepEqual([event.arguments, event.argumentsSalt], [undefined, undefined])
  })

  test("of an agent: no complete labels milder than its tool's, also for steps without a verdict", () => {
    const labels = { capability: 'read', reversibility: 'reversible' }
    const withoutVerdict = [{ callId: 'c0', tool: 'bash', labels }]
    const event = taken(bot, { event: proposal('acme~bot:1', { tool: 'bash', labels, withoutVerdict }) })
    for (const step of [event, ...(event.withoutVerdict ?? [])])
      assert.deepEqual([step.labels?.capability, step.labels?.reversibility], ['execute', 'partial'])
  })

  test('of a host: all', () => {
    const event = taken(registry, { event: proposal('acme~desk:1', claims) })
    assert.deepEqual([event.evidence, event.arguments], [{ sensitive: 'absent' }, { to: 'ann' }])
  })

  test('the digest covers the arguments sent, whatever was claimed', () => {
    const texts = { arguments: { to: 'press@example.org' } }
    const event = taken(bot, { event: proposal('acme~bot:1'), texts })
    assert.notEqual(event.argumentsDigest, DIGEST)
    assert.ok((event.fingerprints?.length ?? 0) > 0)
    assert.doesNotMatch(JSON.stringify(event), /press@/)
    assert.equal(event.argumentsSalt, undefined, 'a guess could be checked with it')
  })

  test('the gateway sets the salt that proves full disclosure, for the arguments sent', () => {
    const disclose = [{ tools: ['send_*'], arguments: ['*'] }]
    const observe = createObserve({ catalogue, key: undefined, disclose })
    const take = createEventIntake({ principal: bot, catalogue, observe, voucher: NO_VOUCHER })
    const values = { to: 'press@example.org', body: 'Hello' }
    const answer = take({ event: proposal('acme~bot:1', claims), texts: { arguments: values } })
    assert.ok('event' in answer && answer.event.type === 'step.proposed')
    assert.deepEqual(openArguments(answer.event), values)
  })
})

describe('tasks of agents', () => {
  const start = {
    event: envelope('acme~bot:1', { type: 'session.started', task: 'Write to ada@example.net' }),
  }
  const texts = { task: 'Send the file KX-20931-B to ada@example.net' }
  const startedBy = (principal: Principal, sessionId: string) => {
    const answer = intakeOf(principal)({ event: { ...start.event, sessionId }, texts })
    assert.ok('event' in answer && answer.event.type === 'session.started')
    return answer.event
  }

  test('are dropped: neither text nor report is published', () => {
    const { task, fingerprints, signals, found } = startedBy(bot, 'acme~bot:1')
    assert.deepEqual([task, fingerprints ?? [], signals, found], [undefined, [], undefined, undefined])
  })

  test('of a host count', () => {
    assert.ok((startedBy(registry, 'acme~desk:1').fingerprints?.length ?? 0) > 0)
  })

  test("an agent's inherited fingerprints are dropped, and sensitive data counts as unseen", () => {
    const inherits = { confidentiality: 'sensitive', fingerprints: { sensitive: ['caaaaaaa'] } }
    const answer = intakeOf(bot)({ event: { ...start.event, inherits } })
    assert.ok('event' in answer && answer.event.type === 'session.started')
    assert.deepEqual(answer.event.inherits, {
      taint: 'none',
      confidentiality: 'sensitive',
      unseen: true,
      held: false,
      codeWritten: false,
    })
  })

  test('missing arguments do not count as empty', () => {
    const answer = intakeOf(bot)({ event: proposal('acme~bot:1'), texts: { description: 'does much' } })
    assert.ok('event' in answer && answer.event.type === 'step.proposed')
    assert.deepEqual([answer.event.signals, answer.event.argumentsDigest], [undefined, DIGEST])
  })

  test('digests the arguments that ran like the proposed ones', () => {
    const take = intakeOf(bot)
    const values = { to: 'ada@example.net' }
    const done = {
      type: 'step.completed',
      tool: 'send_email',
      callId: 'c1',
      outcome: 'ok',
      argumentsDigest: DIGEST,
    }
    const digestIn = (taken: ReturnType<typeof take>) =>
      'event' in taken && 'argumentsDigest' in taken.event ? taken.event.argumentsDigest : undefined
    const proposed = digestIn(take({ event: proposal('acme~bot:1'), texts: { arguments: values } }))
    const { argumentsDigest: _, ...bare } = envelope('acme~bot:1', done) as Record<string, unknown>
    const ran = take({ event: { ...bare, ...done, sessionId: 'acme~bot:1' }, texts: { arguments: values } })
    assert.ok(proposed !== undefined && proposed !== DIGEST)
    assert.equal(digestIn(ran), proposed)
  })
})

describe('instructions of agents', () => {
  const empty = envelope('acme~bot:1', { type: 'session.instructed', seq: 4 })
  const said = {
    ...empty,
    task: 'Write to ada@example.net',
    fingerprints: ['aaaaaaaa'],
    signals: { secrets: 1 },
  }
  const texts = { task: 'Send the file KX-20931-B to ada@example.net' }

  for (const [what, sent] of [
    ['by fingerprints', { event: said }],
    ['by its text', { event: said, texts }],
    ['under the key of another root', { event: said, texts, root: 'acme~bot:0' }],
  ] as const)
    test(`${what}: published empty, so that its number is not missing`, () => {
      const answer = intakeOf(bot)(sent)
      assert.ok('event' in answer)
      assert.deepEqual(JSON.parse(String(answer.record.value)), empty)
    })

  test('of a host count, without their text', () => {
    const answer = intakeOf(registry)({
      event: { ...said, sessionId: 'acme~desk:1', task: undefined },
      texts,
    })
    assert.ok('event' in answer && answer.event.type === 'session.instructed')
    assert.ok((answer.event.fingerprints?.length ?? 0) > 1)
    assert.doesNotMatch(String(answer.record.value), /ada|KX-/)
  })
})

describe('the world of a step', () => {
  const texts = {
    arguments: { command: 'rm -rf /opt/data && python a.py' },
    world: { disposable: true, network: 'none' },
  } as const
  const read = (principal: Principal, given: SentEvent['texts']) => {
    const event = proposal(`acme~${principal.name}:1`, { tool: 'bash' })
    const answer = intakeOf(principal)({ event, ...(given && { texts: given }) })
    assert.ok('event' in answer && answer.event.type === 'step.proposed')
    return [answer.event.effects?.[0]?.reach, answer.event.signals?.contained]
  }

  test('a host declares it', () => {
    assert.deepEqual(read(registry, texts), ['disposable', 1])
    assert.deepEqual(read(registry, { ...texts, isRemote: true }), ['shared', undefined])
  })

  test('an agent gets nothing by sending one, in its texts or its report', () => {
    assert.deepEqual(read(bot, texts), ['shared', undefined])
    const effects = [{ act: 'delete', object: 'path', reach: 'disposable' }]
    const event = proposal('acme~bot:1', { tool: 'bash', effects, signals: { contained: 1 } })
    const answer = intakeOf(bot)({ event })
    assert.ok('event' in answer && answer.event.type === 'step.proposed')
    assert.deepEqual([answer.event.effects, answer.event.signals], [undefined, undefined])
  })

  test("a principal's world applies, and an agent cannot widen it", () => {
    const given = { arguments: texts.arguments }
    assert.deepEqual(read({ ...bot, world: { disposable: true } }, given), ['disposable', undefined])
    assert.deepEqual(read({ ...bot, world: { disposable: true } }, texts), ['disposable', undefined])
    assert.deepEqual(
      read({ ...registry, world: { disposable: true } }, { ...given, world: { network: 'none' } }),
      ['disposable', 1],
    )
  })
})
