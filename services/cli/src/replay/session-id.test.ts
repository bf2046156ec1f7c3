import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idSchema } from '@plimsoll/contracts'
import { sessionIdOf } from './session-id.js'

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
