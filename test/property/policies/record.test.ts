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
/** What specs may take of the record of a session: bytes, 30 temporal specs active. */
const CONTROL_MAX = 1024

const TEMPORAL = ['after', 'before', 'between', 'atMost', 'sum', 'distinct', 'flow', 'requires', 'followedBy']

/** Specs that remember something, of many random policies, under ids of their own. */
function temporalPolicy(random: Random): Policy {
  const specs: Spec[] = []
  let policy = readablePolicy(random)
  while (specs.length < SPECS) {
    policy = readablePolicy(random)
    // Declassifiers are of the policy: a flow that names some would find those of another.
    const fitting = policy.specs.filter(
      (spec) => TEMPORAL.some((member) => member in spec) && !('flow' in spec && spec.flow?.declassifiers),
    )
    for (const spec of fitting.slice(0, SPECS - specs.length)) specs.push({ ...spec, id: `t${specs.length}` })
  }
  const { declassifiers: _, ...rest } = policy
  return { ...rest, specs }
}

const bytesOf = (state: SessionState): number => Buffer.byteLength(encodeState(state))

const withoutControl = (state: SessionState): SessionState => ({
  ...state,
  memory: [],
  calls: state.calls.map((call): Call =>
    call.status === 'open'
      ? { ...call, credits: [] }
      : call.status === 'pending'
        ? { ...call, tags: 0, readings: undefined }
        : call,
  ),
})

test('what 30 temporal specs remember takes a kilobyte of a record at most, and every record is read as it was written', (t) => {
  const sizes: number[] = []
  for (let seed = 0; seed < POLICIES; seed++) {
    const random = createRandom(31 * seed + 7)
    const documents = { policy: temporalPolicy(random), catalogue: randomCatalogue(random) }
    const rules = compileRules({ ...documents, bundle: WARY })
    const ids = documents.policy.specs.map(({ id }) => id)
    const found = play({
      documents,
      rules,
      // Every other session is only observed, so that all of its steps run.
      moves: randomTrace(random, ids, EVENTS).map((move) =>
        seed % 2 === 1 && move.kind !== 'complete' ? { ...move, mode: 'observe' } : move,
      ),
      interpreter: null,
      onState(state) {
        sizes.push(bytesOf(state) - bytesOf(withoutControl(state)))
        assert.deepEqual(decodeState(encodeState(state)), { kind: 'state', state })
      },
    })
    assert.deepEqual(found, [])
  }
  sizes.sort((a, b) => a - b)
  const at = (share: number) => sizes[Math.floor(share * (sizes.length - 1))] ?? Infinity
  t.diagnostic(`${sizes.length} records: bytes of control, median ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)}`)
  assert.ok(at(1) <= CONTROL_MAX, `${at(1)} bytes`)
})
