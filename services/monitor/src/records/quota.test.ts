import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LogRecord } from '@plimsoll/runtime'
import { createQuotaGate } from './quota.js'

let offset = 0n
const recordAt = (timeMs: number, key: string | null = 's', partition = 0): LogRecord => ({
  topic: 'events',
  partition,
  offset: offset++,
  key,
  value: null,
  headers: {},
  timeMs,
})

describe('the quota gate', () => {
  test('counts a session in windows of one second of the log', () => {
    const gate = createQuotaGate({ sessionEventsPerSecondMax: 2 })
    const scopes = [1000, 1999, 1999, 2000, 2001, 2002].map((timeMs) => gate.scopeOver(recordAt(timeMs)))
    assert.deepEqual(scopes, [undefined, undefined, 'session', undefined, undefined, 'session'])
  })

  test('counts a tenant over its sessions, and what a session was refused is not the tenant’s', () => {
    const gate = createQuotaGate({ sessionEventsPerSecondMax: 2, tenantEventsPerSecondMax: 3 })
    const keys = ['acme~1', 'acme~1', 'acme~1', 'acme~2', 'acme~3', 'other', null]
    const scopes = keys.map((key) => gate.scopeOver(recordAt(1000, key)))
    assert.deepEqual(scopes, [undefined, undefined, 'session', undefined, 'tenant', undefined, undefined])
  })

  test('counts partitions apart', () => {
    const gate = createQuotaGate({ sessionEventsPerSecondMax: 1 })
    assert.equal(gate.scopeOver(recordAt(1000, 's', 0)), undefined)
    assert.equal(gate.scopeOver(recordAt(1000, 's', 1)), undefined)
    assert.equal(gate.scopeOver(recordAt(1000, 's', 0)), 'session')
  })

  test('answers a redelivered record as before, and does not count it again', () => {
    const gate = createQuotaGate({ sessionEventsPerSecondMax: 2 })
    const records = [1000, 1001, 1002, 1003].map((timeMs) => recordAt(timeMs))
    const first = records.map(gate.scopeOver)
    assert.deepEqual(first, [undefined, undefined, 'session', 'session'])
    assert.deepEqual(records.map(gate.scopeOver), first)
    gate.settle(0)
    assert.equal(gate.scopeOver(recordAt(2000)), undefined)
  })

  test('lets everything pass where nothing is set', () => {
    const gate = createQuotaGate({})
    assert.ok(
      Array.from({ length: 1000 }, () => gate.scopeOver(recordAt(1))).every((scope) => scope === undefined),
    )
  })
})
