import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Control,
  type PartitionReport,
  PlimsollError,
  controlSchema,
  isSignedBy,
  registryKey,
  sign,
  topicsOf,
} from '@plimsoll/contracts'
import { NO_CONTROLS, applyControl } from '@plimsoll/engine'
import { type EventLog, type LogRecord, openRegistry, topicSpecs } from '@plimsoll/runtime'
import { createEmbeddedLog } from '@plimsoll/runtime/embedded'
import { partitionsText, rangesOf } from './ranges.js'
import {
  type ControlChannel,
  type PartitionOutcome,
  createReportWatch,
  operatorOf,
  sendControl,
  sentText,
} from './run-control.js'

const control = sign<Control>(
  {
    schema: 1,
    type: 'fleet.stopped',
    id: 'control-1',
    partition: null,
    time: 0,
    by: 'ada',
    reason: 'a\u202edrill',
    tenant: 'acme',
  },
  'key',
)
const context = { waitSeconds: 30, group: 'monitors' }
const applied = (...partitions: number[]): PartitionOutcome[] =>
  partitions.map((partition) => ({ partition, outcome: 'applied' }))
const silent = (...partitions: number[]): PartitionOutcome[] =>
  partitions.map((partition) => ({ partition, outcome: 'silent' }))

test('numbers as ranges', () => {
  const rows: [number[], string][] = [
    [[], ''],
    [[4], '4'],
    [[0, 1, 2, 3], '0–3'],
    [[0, 2, 3, 7], '0, 2–3, 7'],
  ]
  for (const [numbers, expected] of rows) assert.equal(rangesOf(numbers), expected)
  assert.deepEqual([partitionsText([3]), partitionsText([3, 4])], ['partition 3', 'partitions 3–4'])
})

test('applied everywhere: what, by whom, and no failure', () => {
  assert.deepEqual(sentText({ control, outcomes: applied(0, 1, 2) }, context), {
    text: [
      'stop tenant acme, by ada at 1970-01-01T00:00:00.000Z: a\\u{202e}drill',
      'change control-1, in 3 partitions:',
      '  applied   0–2',
      '',
    ].join('\n'),
    failures: [],
  })
})

test('refused: which partitions, why, and what to do', () => {
  const refused = { outcome: 'refused', code: 'version_unavailable', message: 'no policy `abc`' } as const
  const outcomes = [...applied(0), { partition: 1, ...refused }, { partition: 2, ...refused }]
  const { text, failures } = sentText({ control, outcomes }, context)
  assert.match(text, /^ {2}applied {3}0\n {2}refused {3}1–2$/m)
  assert.deepEqual(failures, [
    'partitions 1–2 refused it: version_unavailable: no policy `abc`; publish the bundle, policy or catalogue that is missing (`plimsoll publish FILE`), or give it to the monitor as a file',
  ])
})

test('silent: that it still counts, and where to look', () => {
  const failureOf = (monitors?: number) =>
    sentText(
      { control, outcomes: [...applied(0), ...silent(1)], ...(monitors !== undefined && { monitors }) },
      context,
    ).failures.join()
  assert.match(failureOf(0), /^partition 1 did not answer within 30 s: the change lies in the log and counts/)
  assert.match(failureOf(0), /no monitor is in group `monitors`: start one$/)
  assert.match(failureOf(2), /see whether the monitors of group `monitors` are ready/)
  assert.match(failureOf(), /see whether the monitors of group `monitors` are ready/)
})

test('silent, and it was another key that signed what was told before: the key is named, not the monitors', () => {
  const outcomes = silent(0, 1, 2)
  const { failures } = sentText({ control, outcomes, monitors: 2, foreign: [0, 1] }, context)
  assert.match(failures[0] ?? '', /^partitions 0–1 did not answer, .*PLIMSOLL_SIGNING_KEY is not that of the/)
  assert.match(failures[1] ?? '', /^partition 2 did not answer within 30 s/)
})

const KEY = 'the key of this deployment'
const PARTITIONS = 3
const topics = topicsOf('t')
const stop = { type: 'fleet.stopped', by: 'ada', reason: 'a drill' } as const
const never = new AbortController().signal

interface World {
  readonly channel: ControlChannel
  readonly log: EventLog
  /** Records of the events topic. */
  readonly written: readonly LogRecord[]
  /** Whether partition `p` answers. */
  readonly answering: Set<number>
}

/** A desk over a log in this process, with a reader of the events that folds and reports as a monitor does. */
async function onWorld(now: number, work: (world: World) => Promise<void>): Promise<void> {
  const log = createEmbeddedLog()
  await log.createTopics(topicSpecs(topics, { partitions: PARTITIONS }))
  const written: LogRecord[] = []
  const answering = new Set([0, 1, 2])
  const logs = new Map<number, typeof NO_CONTROLS>()
  const report = async ({ partition, offset, value }: LogRecord) => {
    const control = controlSchema.parse(JSON.parse(String(value)))
    const result = applyControl(logs.get(partition) ?? NO_CONTROLS, control, offset)
    if ('log' in result) logs.set(partition, result.log)
    const controls = logs.get(partition) ?? NO_CONTROLS
    const reported = { schema: 1, partition, offset: String(offset), control: control.id, controls } as const
    const refused =
      'fault' in result ? { refused: { code: result.fault.code, message: result.fault.message } } : {}
    const signed = sign<PartitionReport>({ ...reported, ...refused }, KEY)
    await log.produce(topics.registry, [
      { key: registryKey.partition(partition), value: JSON.stringify(signed) },
    ])
  }
  await log.tail(topics.events, (record) => {
    written.push(record)
    if (answering.has(record.partition)) void report(record)
  })
  const reports = createReportWatch()
  const registry = await openRegistry({
    log,
    topic: topics.registry,
    signingKey: KEY,
    onReport: reports.take,
  })
  const channel = {
    log,
    topics,
    partitions: PARTITIONS,
    registry,
    reports,
    foreign: () => new Set<number>(),
    signingKey: KEY,
    group: 'g',
    now: () => now,
  }
  try {
    await work({ channel, log, written, answering })
  } finally {
    await log.close()
  }
}

test('writes one signed record into every partition and one into the audit, and hears of all', () =>
  onWorld(5_000, async ({ channel, written }) => {
    const { control, outcomes } = await sendControl(channel, stop, 30_000, never)
    assert.deepEqual(
      outcomes,
      [0, 1, 2].map((partition) => ({ partition, outcome: 'applied' })),
    )
    const sent = written.map(({ value }) => JSON.parse(String(value)) as Control)
    assert.deepEqual(new Set(sent.map(({ partition }) => partition)), new Set([0, 1, 2]))
    assert.equal(sent.length, PARTITIONS)
    for (const [i, each] of sent.entries()) {
      assert.equal(each.partition, written[i]?.partition, 'where it lies is what it says')
      assert.ok(isSignedBy(each, KEY))
      assert.deepEqual({ ...each, partition: null, signature: '' }, { ...control, signature: '' })
    }
    assert.deepEqual([control.time, control.by], [5_000, 'ada'])
    await channel.registry.refresh()
    assert.deepEqual(channel.registry.controls(), [control])
  }))

test('a silent partition is told apart; given again the change comes about there too', () =>
  onWorld(5_000, async ({ channel, answering }) => {
    answering.delete(1)
    const first = await sendControl(channel, stop, 300, never)
    assert.deepEqual(
      first.outcomes.map(({ outcome }) => outcome),
      ['applied', 'silent', 'applied'],
    )
    assert.equal(first.monitors, 0)
    assert.deepEqual(first.foreign, [])
    const foreign = await sendControl({ ...channel, foreign: () => new Set([0, 1]) }, stop, 300, never)
    assert.deepEqual(foreign.foreign, [1])
    answering.add(1)
    const again = await sendControl(channel, stop, 30_000, never)
    assert.ok(again.outcomes.every(({ outcome }) => outcome === 'applied'))
    assert.notEqual(again.control.id, first.control.id)
  }))

test('a clock that is behind the latest change sends no stale one', () =>
  onWorld(5_000, async ({ channel }) => {
    await sendControl({ ...channel, now: () => 9_000 }, stop, 30_000, never)
    const { control, outcomes } = await sendControl(
      channel,
      { ...stop, type: 'fleet.resumed' },
      30_000,
      never,
    )
    assert.equal(control.time, 9_001)
    assert.ok(outcomes.every(({ outcome }) => outcome === 'applied'))
  }))

test('a refusal comes with its code', () =>
  onWorld(5_000, async ({ channel }) => {
    await sendControl(channel, stop, 30_000, never)
    // A desk that has read nothing does not know how late it is.
    const blind = {
      ...channel,
      now: () => 1,
      registry: { ...channel.registry, report: () => undefined, controls: () => [] },
    }
    const { outcomes } = await sendControl(blind, stop, 30_000, never)
    for (const each of outcomes) {
      assert.ok(each.outcome === 'refused')
      assert.equal(each.code, 'control_stale')
    }
  }))

test('what no monitor would take is not sent', () =>
  onWorld(5_000, async ({ channel, written }) => {
    for (const [field, wrong] of [
      ['by', { by: 'ada\nlovelace' }],
      ['tenant', { tenant: 'Acme' }],
      ['reason', { reason: '' }],
    ] as const)
      await assert.rejects(
        sendControl(channel, { ...stop, ...wrong }, 30_000, never),
        (error) =>
          error instanceof PlimsollError &&
          error.code === 'usage_invalid' &&
          error.message.startsWith(`\`${field}\`: `),
      )
    await channel.registry.refresh()
    assert.deepEqual([written, channel.registry.controls()], [[], []])
  }))

test('half written it says that it is to be given again', () =>
  onWorld(5_000, async ({ channel }) => {
    const log = {
      ...channel.log,
      produce: (topic: string, records: Parameters<EventLog['produce']>[1]) =>
        topic === topics.events
          ? Promise.reject(new PlimsollError('log_unavailable', 'cannot write'))
          : channel.log.produce(topic, records),
    }
    await assert.rejects(sendControl({ ...channel, log }, stop, 30_000, never), {
      code: 'log_unavailable',
      message: /may not have reached every partition of `t\.events`: run the command again .*: cannot write$/,
    })
  }))

test('anyone who `--by` names, else who is logged in; nobody is no operator', () => {
  assert.equal(operatorOf('grace', 'ada'), 'grace')
  assert.equal(operatorOf(undefined, 'ada'), 'ada')
  assert.throws(
    () => operatorOf(undefined, undefined),
    (error) =>
      error instanceof PlimsollError && error.code === 'usage_invalid' && /`--by`/.test(error.message),
  )
})
