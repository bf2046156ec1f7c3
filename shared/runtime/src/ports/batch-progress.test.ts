import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trackBatch } from './batch-progress.js'
import type { LogRecord } from './event-log.js'

const record = (offset: bigint): LogRecord => ({
  topic: 't',
  partition: 0,
  offset,
  key: null,
  value: null,
  headers: {},
  timeMs: 0,
})

function tracked(commit: (offset: bigint) => Promise<void> = async () => {}) {
  const written: bigint[] = []
  const state = { isHeld: true, isWanted: true }
  const progress = trackBatch({
    topic: 't',
    partition: 0,
    records: [10n, 11n, 15n].map(record),
    endOffset: 20n,
    isHeld: () => state.isHeld,
    isWanted: () => state.isWanted,
    commit: async (offset) => {
      await commit(offset)
      written.push(offset)
    },
  })
  return { ...progress, written, state }
}

test('a batch is done when its last record is committed', async () => {
  const { batch, isDone, hasBegun, written } = tracked()
  assert.deepEqual([isDone(), hasBegun()], [false, false])
  await batch.commit(11n)
  assert.deepEqual([isDone(), hasBegun()], [false, true])
  await batch.commit(15n)
  assert.equal(isDone(), true)
  assert.deepEqual(written, [11n, 15n])
})

test('commits that overlap are made one after the other, and never backwards', async () => {
  let running = 0
  const { batch, written } = tracked(async () => {
    assert.equal(++running, 1)
    await new Promise(setImmediate)
    running--
  })
  await Promise.all([batch.commit(10n), batch.commit(15n), batch.commit(11n)])
  assert.deepEqual(written, [10n, 15n])
})

test('an offset that is not in the batch is a mistake of the program', async () => {
  const { batch } = tracked()
  for (const offset of [9n, 16n]) await assert.rejects(batch.commit(offset), RangeError)
  await batch.commit(15n)
})

test('a commit that fails ends the batch', async () => {
  let attempts = 0
  const { batch, isDone, written } = tracked(async () => {
    attempts++
    throw new Error('no')
  })
  await assert.rejects(batch.commit(10n), /no/)
  assert.equal(batch.isOwned(), false)
  await assert.rejects(batch.commit(15n), /no/)
  assert.deepEqual([attempts, isDone(), written.length], [1, false, 0])
})

test('a batch whose assignment is over is refused without asking', async () => {
  const { batch, state, written } = tracked()
  await batch.commit(10n)
  state.isHeld = false
  assert.equal(batch.isOwned(), false)
  await assert.rejects(batch.commit(11n), { code: 'contended' })
  state.isHeld = true
  await assert.rejects(batch.commit(15n), { code: 'contended' })
  assert.deepEqual(written, [10n])
})

test('a batch that is not wanted any more may still be committed', async () => {
  const { batch, state, written } = tracked()
  state.isWanted = false
  assert.equal(batch.isOwned(), false)
  await batch.commit(11n)
  assert.deepEqual(written, [11n])
})
