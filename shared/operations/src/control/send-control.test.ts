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
import { type EventLog, type LogRecord, topicSpecs } from '@plimsoll/runtime'
import { createEmbeddedLog } from '@plimsoll/runtime/embedded'
import { openControlChannel } from './control-channel.js'
import { type ControlChannel, sendControl } from './send-control.js'

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
  const channel = await openControlChannel({
    log,
    topics,
    signingKey: KEY,
    group: 'g',
    now: () => now,
    signal: never,
  })
  try {
    await work({ channel, log, written, answering })
  } finally {
    await log.close()
  }
}

test('writes one signed record into every partition and one into the audit, and gets all answers', () =>
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

test('names a silent partition; sent again the change is applied there too', () =>
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

test('a late clock sends no stale change', () =>
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

test('does not send a change that monitors would refuse', () =>
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
          error.message.startsWith(`${field}: `),
      )
    await channel.registry.refresh()
    assert.deepEqual([written, channel.registry.controls()], [[], []])
  }))

test('asks to repeat a change that was written in part', () =>
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
