import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idSchema } from '@plimsoll/contracts'
import type { Trace } from '@plimsoll/fit'
import { playAll, selectTraces, sessionIdOf } from './run-replay.js'

const traceOf = (id: number): Trace => ({ trace_id: String(id) }) as Trace

async function* traces(count: number, onEnd: () => void): AsyncGenerator<Trace, void, void> {
  try {
    for (let id = 0; id < count; id++) yield traceOf(id)
  } finally {
    onEnd()
  }
}

test('plays every trace once, never more than so many at a time', async () => {
  const played: string[] = []
  let atATime = 0
  let most = 0
  await playAll(
    traces(50, () => undefined),
    4,
    async ({ trace_id: id }) => {
      most = Math.max(most, ++atATime)
      await new Promise((resolve) => setImmediate(resolve))
      atATime--
      played.push(id)
    },
  )
  assert.equal(most, 4)
  assert.equal(new Set(played).size, 50)
  assert.equal(played.length, 50)
})

test('stops at the first failure, lets what is under way end, and closes the recordings', async () => {
  let ended = 0
  let isClosed = false
  const playing = playAll(
    traces(50, () => (isClosed = true)),
    4,
    async ({ trace_id: id }) => {
      await new Promise((resolve) => setImmediate(resolve))
      if (id === '5') throw new Error('no more')
      ended++
    },
  )
  await assert.rejects(playing, /no more/)
  assert.ok(ended < 12)
  assert.ok(isClosed)
})

test('files without any session are no recordings', async () => {
  const selected = selectTraces({ files: ['/dev/null'], fold: undefined, limit: undefined }, () => undefined)
  await assert.rejects(selected.next(), { code: 'traces_invalid' })
})

test('keeps what may stand in an id', () => {
  assert.equal(
    sessionIdOf('r1', 'agentdojo/some-model/travel/user_task_3/x'),
    'r1/agentdojo/some-model/travel/user_task_3/x',
  )
})

test('gives every trace an id of its own that fits the schema, the same each time', () => {
  const long = 'x/'.repeat(90)
  const traces = ['a b', 'a_b', 'a\tb', 'ünlich', '#', '', long, `${long}y`, `${long.slice(0, -1)}z`]
  const ids = traces.map((trace) => sessionIdOf('r1', trace))
  assert.equal(new Set(ids).size, traces.length)
  for (const id of ids) assert.ok(idSchema.safeParse(id).success, id)
  assert.deepEqual(
    traces.map((trace) => sessionIdOf('r1', trace)),
    ids,
  )
  for (const trace of traces) assert.notEqual(sessionIdOf('r2', trace), sessionIdOf('r1', trace))
})
