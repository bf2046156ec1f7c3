import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Control, Event } from '@plimsoll/contracts'
import type { LogRecord } from '@plimsoll/runtime'
import type { Admitted } from './admit.js'
import { cut } from './cut.js'

/** `e`: an event; `c`: a control change; `f`: what only claims to be one. */
function cutsOf(kinds: string, eventsMax: number): string[] {
  const records = kinds.split('').map((kind, i): LogRecord => ({
    topic: 'events',
    partition: 0,
    offset: BigInt(i),
    key: kind,
    value: null,
    headers: {},
    timeMs: 0,
  }))
  const admit = (record: LogRecord): Admitted => {
    if (record.key === 'c') return { kind: 'control', record, control: {} as Control }
    if (record.key === 'e') return { kind: 'event', record, event: {} as Event }
    return { kind: 'fault', record, fault: { code: 'signature_invalid', message: '' } }
  }
  return [...cut(records, eventsMax, admit)].map((each) =>
    each.kind === 'control' ? 'c' : each.admitted.map(({ record }) => record.key).join(''),
  )
}

test('a control change is a chunk of its own; what only claims to be one is not', () => {
  assert.deepEqual(cutsOf('eefecee', 256), ['eefe', 'c', 'ee'])
  assert.deepEqual(cutsOf('cce', 256), ['c', 'c', 'e'])
  assert.deepEqual(cutsOf('eeeee', 2), ['ee', 'ee', 'e'])
  assert.deepEqual(cutsOf('eec', 2), ['ee', 'c'])
  assert.deepEqual(cutsOf('', 2), [])
})

test('nothing is admitted before what is in front of it has been taken', () => {
  const admitted: bigint[] = []
  const record = (offset: bigint): LogRecord => ({
    topic: 'events', partition: 0, offset, key: 'k', value: null, headers: {}, timeMs: 0,
  }) // prettier-ignore
  const cuts = cut([record(0n), record(1n), record(2n)], 2, (each) => {
    admitted.push(each.offset)
    return { kind: 'event', record: each, event: {} as Event }
  })
  cuts.next()
  assert.deepEqual(admitted, [0n, 1n])
})
