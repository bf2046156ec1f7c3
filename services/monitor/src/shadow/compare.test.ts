import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Event, type EventType, digestOf, logged } from '@plimsoll/contracts'
import { type Outcome, type Rules, type SessionState, step } from '@plimsoll/engine'
import { compileRules, defaultDocuments } from '@plimsoll/policy'
import type { Folded } from '../fold/fold.js'
import type { SessionEvent } from '../records/validate.js'
import {
  type Comparison,
  type ShadowContext,
  type ShadowSink,
  compareFolded,
  createCandidateMemories,
  isDifferent,
  recordOf,
} from './compare.js'

let active: Rules
let candidate: Rules
before(async () => {
  const documents = await defaultDocuments()
  active = compileRules(documents)
  candidate = compileRules({ ...documents, bundle: { ...documents.bundle, name: 'another' } })
})

const SCRIPT: readonly (readonly [EventType, tool?: string])[] = [
  ['session.started'],
  ['step.proposed', 'read_file'],
  ['step.completed', 'read_file'],
  ['step.proposed', 'send_email'],
]

/** A session whose last event is repeated. */
function folded(rules: Rules): Folded {
  let state: SessionState | undefined
  const events: SessionEvent[] = []
  const outcomes: Outcome[] = []
  const reported = [...SCRIPT.entries(), [SCRIPT.length - 1, SCRIPT.at(-1) ?? SCRIPT[0]] as const]
  for (const [i, [type, tool] = ['session.started'] as const] of reported) {
    const call = { callId: `c${Math.ceil(i / 2)}`, argumentsDigest: digestOf({}), outcome: 'ok', tool }
    const envelope = { schema: 1, id: `e${i}`, sessionId: 's', producer: 'p', seq: i, time: 0, type }
    const event = { ...envelope, ...(tool !== undefined && call) } as unknown as Event
    const outcome = step(state, logged(event, i), rules)
    state = outcome.state
    outcomes.push(outcome)
    events.push({ event, record: { timeMs: i, offset: BigInt(i) } } as SessionEvent)
  }
  return {
    id: 's',
    heldAt: -1n,
    before: undefined,
    warmed: undefined,
    events,
    outcomes,
    rules,
    emissions: [],
    counted: undefined,

    write: undefined,
  }
}

function createSink() {
  const compared: Comparison[] = []
  const failed: string[] = []
  const sink: ShadowSink = {
    compared: (comparison) => void compared.push(comparison),
    failed: (version, reason) => void failed.push(`${version} ${reason}`),
    skipped: () => assert.fail('nothing is to be remembered'),
  }
  return { sink, compared, failed }
}

const groundOf = (rules: ShadowContext['rulesCache']['rules'], sink: ShadowSink): ShadowContext => ({
  rulesCache: { rules },
  memories: createCandidateMemories({ sessionsMax: 1, cellsMax: 1 }),
  sink,
})

const beside = (rules: Rules) => ({
  candidate: { bundle: rules.versions.bundle },
  shadowOf: () => rules.versions,
})

describe('a candidate beside the active bundle', () => {
  test('judges each proposal once, and nothing else; a repeat is no proposal', () => {
    const { sink, compared, failed } = createSink()
    compareFolded(
      beside(candidate),
      [folded(active)],
      groundOf(() => candidate, sink),
    )
    assert.deepEqual(
      compared.map(({ decision }) => [decision.tool, decision.kind]),
      [
        ['read_file', 'step'],
        ['send_email', 'step'],
      ],
    )
    assert.deepEqual(failed, [])
    for (const each of compared) {
      const { shadow } = each
      assert.deepEqual(shadow.candidate, shadow.active, 'the same but for its name')
      assert.equal(isDifferent(shadow), false)
      assert.deepEqual(
        [each.name, each.active, each.candidate, each.change],
        [candidate.versions.bundle, active.versions, candidate.versions, undefined],
      )
    }
  })

  test('without one nothing is looked at', () => {
    const { sink, compared } = createSink()
    compareFolded(
      { candidate: undefined, shadowOf: () => undefined },
      [folded(active)],
      groundOf(() => assert.fail(), sink),
    )
    assert.deepEqual(compared, [])
  })

  const BROKEN = {
    chain: () => {
      throw new Error('broken')
    },
  }
  const FAILING: readonly (readonly [what: string, reason: string, rules: () => Rules | undefined])[] = [
    ['that is not at hand', 'unavailable', () => undefined],
    [
      'that cannot be compiled',
      'unavailable',
      () => {
        throw new Error('broken')
      },
    ],
    ['that fails on a step', 'failed', () => ({ ...candidate, ...BROKEN, labelsOnly: BROKEN })],
  ]
  for (const [what, reason, rules] of FAILING)
    test(`a candidate with ${what} is reported for each step, and has no other effect`, () => {
      const { sink, compared, failed } = createSink()
      compareFolded(beside(candidate), [folded(active)], groundOf(rules, sink))
      assert.deepEqual(compared, [])
      const { bundle } = candidate.versions
      assert.deepEqual(failed, [`${bundle} ${reason}`, `${bundle} ${reason}`])
    })

  test('a record says what was decided, and what each side would say', () => {
    const { sink, compared } = createSink()
    compareFolded(
      beside(candidate),
      [folded(active)],
      groundOf(() => candidate, sink),
    )
    const [first] = compared
    assert.ok(first)
    const record = recordOf(first)
    assert.deepEqual(
      [record.decisionId, record.tool, record.decided, record.step, record.candidate.bundle],
      [first.decision.id, 'read_file', first.decision.verdict, 1, candidate.versions.bundle],
    )
  })
})
