import assert from 'node:assert/strict'
import { test } from 'node:test'
import { topicFindings, type TopicFacts, type TopicRole } from './topics.js'

const needs = { idleTtlMs: 86_400_000, eventBytesMax: 256 * 1024, documentBytes: 300_000 }
const SETTINGS = {
  'message.timestamp.type': 'LogAppendTime',
  'cleanup.policy': 'delete',
  'retention.ms': '604800000',
  'retention.bytes': '-1',
  'max.message.bytes': '1048588',
  'min.insync.replicas': '2',
}
const COPIES = { brokers: 3, replicas: 3, inSync: 3 }
const partitions = (count: number) =>
  Array.from({ length: count }, (_, partition) => ({ partition, firstOffset: 0n, nextOffset: 0n }))

function factsOf(
  role: TopicRole,
  settings: Record<string, string> = {},
  over: Partial<TopicFacts> = {},
): TopicFacts {
  const cleanup = role === 'registry' ? { 'cleanup.policy': 'compact' } : {}
  return {
    role,
    topic: `plimsoll.${role}`,
    partitions: partitions(role === 'registry' ? 1 : 12),
    settings: { ...SETTINGS, ...cleanup, ...settings },
    copies: COPIES,
    ...over,
  }
}

for (const role of ['events', 'decisions', 'deadLetters', 'registry', 'shadow'] as const)
  test(`${role} as they should be`, () => {
    const findings = topicFindings(factsOf(role), needs)
    assert.deepEqual(
      findings.map(({ status, name }) => [status, name]),
      [['ok', `topic plimsoll.${role}`]],
    )
    const kept = role === 'registry' ? 'compacted' : 'keeps 7 d'
    assert.equal(
      findings[0]?.what,
      `${role === 'registry' ? '1 partition' : '12 partitions'}, 3 replicas, ${kept}`,
    )
  })

type Case = readonly [TopicRole, Record<string, string>, Partial<TopicFacts>, 'warn' | 'fail', RegExp, RegExp]
const CASES: readonly Case[] = [
  [
    'events',
    { 'message.timestamp.type': 'CreateTime' },
    {},
    'fail',
    /times are the producers'/,
    /add-config message.timestamp.type=LogAppendTime/,
  ],
  [
    'decisions',
    { 'message.timestamp.type': 'CreateTime' },
    {},
    'warn',
    /times are the producers'/,
    /LogAppendTime/,
  ],
  [
    'events',
    { 'cleanup.policy': 'compact' },
    {},
    'fail',
    /cleanup.policy is compact/,
    /cleanup.policy=delete/,
  ],
  [
    'registry',
    { 'cleanup.policy': 'delete' },
    {},
    'fail',
    /documents .* would be deleted/,
    /cleanup.policy=compact/,
  ],
  [
    'registry',
    { 'cleanup.policy': 'compact,delete' },
    {},
    'fail',
    /compact,delete/,
    /cleanup.policy=compact$/,
  ],
  [
    'events',
    { 'retention.ms': '3600000' },
    {},
    'warn',
    /for 1 h .*remembered for 1 d/,
    /retention.ms=86400000/,
  ],
  ['decisions', { 'retention.ms': '60000' }, {}, 'warn', /for 1 min/, /retention.ms=3600000/],
  ['deadLetters', { 'retention.ms': '7200000' }, {}, 'warn', /for 2 h/, /retention.ms=86400000/],
  ['events', { 'retention.bytes': '1000000' }, {}, 'warn', /1000000 bytes a partition/, /retention.bytes=-1/],
  [
    'events',
    { 'max.message.bytes': '200000' },
    {},
    'warn',
    /records of 200000 bytes/,
    /max.message.bytes=270336/,
  ],
  [
    'deadLetters',
    { 'max.message.bytes': '300000' },
    {},
    'fail',
    /would stop its monitor/,
    /max.message.bytes=532480/,
  ],
  [
    'registry',
    { 'max.message.bytes': '300000' },
    {},
    'warn',
    /a document here has 300000/,
    /max.message.bytes=308192/,
  ],
  [
    'registry',
    {},
    { partitions: partitions(3) },
    'fail',
    /3 partitions and must have one/,
    /doctor --create/,
  ],
  ['events', {}, { partitions: undefined }, 'fail', /there is no topic/, /doctor --create/],
  ['shadow', {}, { partitions: undefined }, 'warn', /there is no topic/, /doctor --create/],
  ['shadow', { 'retention.ms': '60000' }, {}, 'warn', /could not be looked at/, /retention.ms=3600000/],
  ['events', {}, { settings: undefined }, 'warn', /settings are not known/, /describe configurations/],
  [
    'events',
    {},
    { copies: { brokers: 3, replicas: 3, inSync: 1 } },
    'fail',
    /nothing can be written/,
    /brokers back/,
  ],
  [
    'events',
    {},
    { copies: { brokers: 3, replicas: 3, inSync: 2 } },
    'warn',
    /only 2 of its 3/,
    /which broker/,
  ],
  [
    'events',
    {},
    { copies: { brokers: 3, replicas: 2, inSync: 2 } },
    'warn',
    /2 replicas on 3 brokers/,
    /to 3/,
  ],
  ['events', { 'min.insync.replicas': '1' }, {}, 'warn', /one replica is enough/, /min.insync.replicas=2/],
]

for (const [role, settings, over, status, what, remedy] of CASES)
  test(`${role}: ${status} ${what.source}`, () => {
    const findings = topicFindings(factsOf(role, settings, over), needs)
    assert.deepEqual(
      findings.map((finding) => finding.status),
      [status],
    )
    assert.match(findings[0]?.what ?? '', what)
    assert.match(findings[0]?.remedy ?? '', remedy)
  })

test('of one broker no copies are asked, and retention without end is enough', () => {
  const alone = { copies: { brokers: 1, replicas: 1, inSync: 1 } }
  const settings = { 'min.insync.replicas': '1', 'retention.ms': '-1' }
  assert.deepEqual(
    topicFindings(factsOf('events', settings, alone), needs).map(({ what }) => what),
    ['12 partitions, 1 replica, keeps all'],
  )
})
