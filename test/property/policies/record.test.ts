import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Policy, Spec } from '@plimsoll/contracts'
import { decodeState, encodeState, type Call, type SessionState } from '@plimsoll/engine'
import { compileRules } from '@plimsoll/policy'
import { createRandom, type Random } from '../random.js'
import { readablePolicy } from './pairs.js'
import { play } from './play.js'
import { randomCatalogue, WARY } from './random-policy.js'
import { randomTrace } from './random-trace.js'

const POLICIES = 150
const SPECS = 30
const EVENTS = 300
/** Limits in bytes with 30 temporal specs active: of a session's record, and of each step in it that waits for a human. */
const CONTROL_MAX = 1024
const QUESTION_MAX = 128

const TEMPORAL = ['after', 'before', 'between', 'atMost', 'sum', 'distinct', 'flow', 'requires', 'followedBy']

/** Temporal specs of many random policies, under unique ids. */
function temporalPolicy(random: Random): Policy {
  const specs: Spec[] = []
  let policy = readablePolicy(random)
  while (specs.length < SPECS) {
    policy = readablePolicy(random)
    // Declassifiers belong to a policy: a flow that names some would get those of another.
    const fitting = policy.specs.filter(
      (spec) => TEMPORAL.some((member) => member in spec) && !('flow' in spec && spec.flow?.declassifiers),
    )
    for (const spec of fitting.slice(0, SPECS - specs.length)) specs.push({ ...spec, id: `t${specs.length}` })
  }
  const { declassifiers: _, ...rest } = policy
  return { ...rest, specs }
}

const bytesOf = (state: SessionState): number => Buffer.byteLength(encodeState(state))

/** Bytes that specs take in the record without waiting steps, and those of each waiting step. */
function controlIn(state: SessionState): { control: number; each: number } {
  const isPending = ({ status }: Call): boolean => status === 'pending'
  const without = {
    ...state,
    memory: [],
    calls: state.calls.map((call): Call => (call.status === 'open' ? { ...call, credits: [] } : call)),
  }
  const waiting = state.calls.map((call): Call =>
    call.status === 'pending' ? { ...call, tags: 0, readings: undefined } : call,
  )
  const ofWaiting = bytesOf(state) - bytesOf({ ...state, calls: waiting })
  return {
    control: bytesOf(state) - bytesOf(without),
    each: ofWaiting / Math.max(1, state.calls.filter(isPending).length),
  }
}

test('the memory of 30 temporal specs is bounded, and every record is read back unchanged', (t) => {
  const sizes: number[] = []
  let question = 0
  for (let seed = 0; seed < POLICIES; seed++) {
    const random = createRandom(31 * seed + 7)
    const documents = { policy: temporalPolicy(random), catalogue: randomCatalogue(random) }
    const rules = compileRules({ ...documents, bundle: WARY })
    const ids = documents.policy.specs.map(({ id }) => id)
    const found = play({
      documents,
      rules,
      // Every other session is only observed, so that all of its steps run.
      transitions: randomTrace(random, ids, EVENTS).map((transition) =>
        seed % 2 === 1 && transition.kind !== 'complete' ? { ...transition, mode: 'observe' } : transition,
      ),
      interpreter: null,
      onState(state) {
        const { control, each } = controlIn(state)
        sizes.push(control)
        question = Math.max(question, each)
        assert.deepEqual(decodeState(encodeState(state)), { kind: 'state', state })
      },
    })
    assert.deepEqual(found, [])
  }
  sizes.sort((a, b) => a - b)
  const at = (share: number) => sizes[Math.floor(share * (sizes.length - 1))] ?? Infinity
  t.diagnostic(
    `${sizes.length} records: bytes of control, median ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)}; most of a step that waits ${question}`,
  )
  assert.ok(at(1) <= CONTROL_MAX, `${at(1)} bytes`)
  assert.ok(question <= QUESTION_MAX, `${question} bytes of a step that waits`)
})
