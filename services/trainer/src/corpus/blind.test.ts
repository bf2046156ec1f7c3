import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BlindStep, createRecentSteps } from './blind.js'

const stepOf = (text: string): BlindStep => ({ tool: 'look', args: { text }, result: text, error: false })
const traceOf = (...texts: string[]) => ({ task: 'a task', category: 'other', steps: texts.map(stepOf) })

test('equal steps are one object as long as they are recent, and come back as they were', () => {
  const recent = createRecentSteps({ steps: 8, chars: 10_000 })
  const first = recent(traceOf('a', 'b'))
  assert.deepEqual(first, traceOf('a', 'b'))
  assert.equal(recent(traceOf('a')).steps[0], first.steps[0])
  recent(traceOf('c', 'd', 'e'))
  assert.equal(recent(traceOf('a')).steps[0], first.steps[0], 'looked up lately, so still there')
  recent(traceOf('f', 'g', 'h', 'i', 'j', 'k', 'l', 'm'))
  assert.notEqual(recent(traceOf('a')).steps[0], first.steps[0])
})

test('long texts push others out as many do', () => {
  const recent = createRecentSteps({ steps: 1_000, chars: 1_000 })
  const first = recent(traceOf('a'))
  recent(traceOf('x'.repeat(300), 'y'.repeat(300), 'z'.repeat(300)))
  assert.notEqual(recent(traceOf('a')).steps[0], first.steps[0])
})
