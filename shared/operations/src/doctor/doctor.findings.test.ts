import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PlimsollError } from '@plimsoll/contracts'
import type { GroupInfo, StoreInfo } from '@plimsoll/runtime'
import { clockFinding, skewOf, spanText } from './clocks.js'
import { aboutGroup, rememberedFinding, signingKeyFinding } from './doctor.js'
import { groupFindings } from './group.js'
import { type Status, examined, storeFindings } from './redis.js'

const MIB = 1024 * 1024
const GOOD: StoreInfo = {
  version: 'redis 7.2.4',
  evictionPolicy: 'noeviction',
  persistence: { aof: true, rdb: false },
  memoryBytes: 10 * MIB,
  memoryBytesMax: 100 * MIB,
  timeMs: 0,
  role: 'primary',
}
const problemsOf = (info: StoreInfo) =>
  storeFindings(info).flatMap(({ name, status }) => (status === 'ok' ? [] : [`${status} ${name}`]))

test('a store as it should be', () => assert.deepEqual(problemsOf(GOOD), []))

const STORES: readonly (readonly [Partial<StoreInfo>, string])[] = [
  [{ version: 'redis 6.2.14' }, 'fail redis version'],
  [{ version: 'unknown' }, 'fail redis version'],
  [{ evictionPolicy: 'allkeys-lru' }, 'fail redis eviction'],
  [{ evictionPolicy: undefined }, 'warn redis eviction'],
  [{ persistence: { aof: false, rdb: false } }, 'warn redis persistence'],
  [{ persistence: { aof: undefined, rdb: undefined } }, 'warn redis persistence'],
  [{ memoryBytes: 81 * MIB }, 'warn redis memory'],
  [{ memoryBytes: 96 * MIB }, 'fail redis memory'],
  [{ role: 'replica' }, 'fail redis role'],
]
for (const [over, problem] of STORES)
  test(`a store with ${JSON.stringify(over)}: ${problem}`, () =>
    assert.deepEqual(problemsOf({ ...GOOD, ...over }), [problem]))

test('a store without a bound of its own has room', () =>
  assert.deepEqual(problemsOf({ ...GOOD, memoryBytesMax: 0, memoryBytes: 9_999 * MIB }), []))

const CLOCKS: readonly (readonly [theirsMs: number, skew: number, Status])[] = [
  [100_000, 0, 'ok'],
  [100_040, 0, 'ok'],
  [99_990, -10, 'ok'],
  [101_050, 1_000, 'ok'],
  [101_051, 1_001, 'warn'],
  [98_000, -2_000, 'warn'],
  [130_051, 30_001, 'fail'],
  [0, -100_000, 'fail'],
]
for (const [theirsMs, skew, status] of CLOCKS)
  test(`a clock at ${theirsMs} between 100000 and 100050 is off by ${skew}: ${status}`, () => {
    const reading = { beforeMs: 100_000, theirsMs, afterMs: 100_050 }
    assert.equal(skewOf(reading), skew)
    assert.equal(clockFinding('redis', reading).status, status)
  })

const PARTITIONS = [
  { partition: 0, firstOffset: 10n, nextOffset: 100n },
  { partition: 1, firstOffset: 0n, nextOffset: 20_000n },
]
const groupOf = (
  members: number,
  owned: readonly number[],
  offsets: readonly (readonly [number, bigint])[],
): GroupInfo => ({
  members,
  owned: new Set(owned),
  offsets: new Map(offsets),
})
const CAUGHT_UP = [
  [0, 100n],
  [1, 20_000n],
] as const
const GROUPS: readonly (readonly [GroupInfo, readonly string[]])[] = [
  [groupOf(2, [0, 1], CAUGHT_UP), []],
  [groupOf(0, [], CAUGHT_UP), ['warn monitors']],
  [groupOf(2, [1], CAUGHT_UP), ['warn monitors']],
  [groupOf(3, [0, 1], CAUGHT_UP), ['warn monitors']],
  [groupOf(1, [0, 1], [[0, 100n]]), ['warn lag']],
  [
    groupOf(
      1,
      [0, 1],
      [
        [0, 90n],
        [1, 19_000n],
      ],
    ),
    [],
  ],
  [
    groupOf(
      1,
      [0, 1],
      [
        [0, 101n],
        [1, 20_000n],
      ],
    ),
    ['fail position in partition 0'],
  ],
  [
    groupOf(
      1,
      [0, 1],
      [
        [0, 4n],
        [1, 20_000n],
      ],
    ),
    ['fail position in partition 0'],
  ],
]
for (const [i, [group, problems]] of GROUPS.entries())
  test(`group ${i}: ${problems.join(', ') || 'all is well'}`, () =>
    assert.deepEqual(
      groupFindings(group, PARTITIONS).flatMap(({ name, status }) =>
        status === 'ok' ? [] : [`${status} ${name}`],
      ),
      problems,
    ))

test('what is written and judged while it looks is no topic made again', async () => {
  let end = 100n
  const log = {
    // A monitor that goes on: with each look it has done more, and more has been written.
    group: async () => groupOf(1, [0], [[0, (end += 5n)]]),
    describe: async () => [{ partition: 0, firstOffset: 0n, nextOffset: (end += 5n) }],
  }
  const findings = await aboutGroup(log, 'monitors', 't.events')
  assert.deepEqual(
    findings.map(({ status, what }) => `${status} ${what}`),
    ['ok 1 monitor for 1 partition', 'ok 5 in partition 0'],
  )
})

test('shows the lag by partition, the worst first', () => {
  const lag = groupFindings(groupOf(1, [0, 1], [[0, 90n]]), PARTITIONS).at(-1)
  assert.equal(lag?.what, '20000 in partition 1, 10 in partition 0')
})

test('a partition count that changed, a missing key', () => {
  assert.equal(rememberedFinding(undefined, 12).status, 'ok')
  assert.equal(rememberedFinding('12', 12).status, 'ok')
  assert.equal(rememberedFinding('6', 12).status, 'fail')
  assert.equal(signingKeyFinding('x').status, 'ok')
  assert.equal(signingKeyFinding(undefined).status, 'warn')
})

test('a check that rejects is a failure, with the help of its code', async () => {
  const [away] = await examined('redis', () => Promise.reject(new PlimsollError('store_unavailable', 'gone')))
  assert.deepEqual(away, {
    name: 'redis',
    status: 'fail',
    what: 'gone',
    remedy: 'check that Redis runs and that its address is right',
  })
  const [odd] = await examined('redis', () => Promise.reject(new TypeError('loose plank')))
  assert.equal(odd?.what, 'the check itself failed: TypeError: loose plank')
})

test('spans', () =>
  assert.deepEqual([604_800_000, 86_400_000, 7_200_000, 90_000, 1_500, 12].map(spanText), [
    '7 d',
    '1 d',
    '2 h',
    '90 s',
    '1.5 s',
    '12 ms',
  ]))
