import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Consumer } from 'kafkajs'
import { watchCoordinator } from './group-run.js'

const SILENCE_MS_MAX = 30

function watched() {
  const listeners = new Map<string, (event: unknown) => void>()
  const events = { GROUP_JOIN: 'join', HEARTBEAT: 'heartbeat', FETCH_START: 'fetch' }
  const on = (name: string, listener: (event: unknown) => void) => listeners.set(name, listener)
  const state = { isIn: true, received: 0 }
  watchCoordinator(
    { events, on } as unknown as Consumer,
    SILENCE_MS_MAX,
    () => state.isIn,
    () => state.received++,
  )
  const emit = (name: keyof typeof events) => listeners.get(events[name])?.({})
  return { state, emit, asksToJoin: () => doesThrow(() => emit('FETCH_START')) }
}

function doesThrow(run: () => void): boolean {
  try {
    run()
    return false
  } catch (error) {
    assert.equal(
      (error as { type?: string }).type,
      'NOT_COORDINATOR_FOR_GROUP',
      'one on which kafkajs joins again',
    )
    return true
  }
}

test('a member that has not joined yet is left alone', async () => {
  const { asksToJoin } = watched()
  await sleep(2 * SILENCE_MS_MAX)
  assert.equal(asksToJoin(), false)
})

test('a coordinator that has been silent is looked for again, again and again', async () => {
  const { emit, asksToJoin, state } = watched()
  emit('GROUP_JOIN')
  assert.equal(asksToJoin(), false)
  for (let i = 0; i < 2; i++) {
    await sleep(2 * SILENCE_MS_MAX)
    assert.equal(asksToJoin(), true)
    assert.equal(asksToJoin(), false, 'not at once again')
  }
  assert.equal(state.received, 1)
})

test('a heartbeat is a sign of the coordinator, unless the last attempt to join has failed', async () => {
  const { emit, asksToJoin, state } = watched()
  emit('GROUP_JOIN')
  await sleep(2 * SILENCE_MS_MAX)
  emit('HEARTBEAT')
  assert.equal(asksToJoin(), false)
  state.isIn = false
  await sleep(2 * SILENCE_MS_MAX)
  emit('HEARTBEAT')
  assert.equal(asksToJoin(), true)
  assert.equal(state.received, 2)
})
