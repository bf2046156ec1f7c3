import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FLOW_BUCKETS, FLOW_STATES } from '../labels/flow-state.js'
import { CLASSES, SAFETY_STATES } from '../labels/safety-state.js'
import { ACTS, LEVELS, TAINTS } from '../labels/words.js'
import { MATCHES_LENGTH } from '../provenance/matches.js'
import { SOURCES_MAX, addSource, blinded } from '../provenance/sources.js'
import { CELLS_MAX, NO_CREDITS } from '../spec-rule.js'
import { PINS } from '../testing.js'
import { NO_CONDUCT, conductAfterStep } from './conduct.js'
import { RECORD_SCHEMA, decodeState, encodeState } from './record.js'
import {
  type OpenCall,
  type PendingCall,
  type SessionState,
  type StandingApproval,
  LEFT_STATES,
  LIMITS,
  createSessionState,
} from './session.js'

const LABELS = { exposure: 4, escalation: 3, reversibility: 2, untrusted: true }
const REFINED = { tool: 'mystery', labels: LABELS, replaces: true }
const OPEN: OpenCall = {
  status: 'open',
  callId: 'open',
  source: 9,
  credits: [2, 5],
  tool: 'read_file',
  digest: 'd'.repeat(16),
  since: 3,
}
const PENDING: PendingCall = {
  status: 'pending',
  callId: 'pending',
  decisionId: 's#e3#step',
  tool: 'send_email',
  argumentsDigest: 'a'.repeat(64),
  labels: LABELS,
  labelled: true,
  derived: true,
  evidence: 'absent',
  lineEvidence: 'unknown',
  shown: ['line', 'spec'],
  expiresAt: 99,
  matches: Array.from({ length: MATCHES_LENGTH }, (_, i) => i),
  signals: { amount: 0.25 },
  tags: 5,
  readings: [true, null, 1.5, [1, 2]],
}
const APPROVAL: StandingApproval = {
  id: 'e9',
  tool: 'send_email',
  digest: 'd'.repeat(16),
  labels: LABELS,
  lifts: ['line'],
  expiresAt: 7,
}
const zeros = (length: number): number[] => Array.from({ length }, () => 0)
const CONDUCT = conductAfterStep(NO_CONDUCT, { conductText: 0.5 })
const SOURCES = blinded(addSource('', ['a1234567', 'n7654321'], 4))

const NEW = createSessionState(PINS, 'data', 'mailer', 5)
/** A state with the least in every member that may be left out of a record. */
const FULL: SessionState = {
  ...NEW,
  producers: [{ name: 'agent', next: 3 }],
  recent: [{ hash: 'A'.repeat(22), verdict: 'warn' }],
  calls: [OPEN, { status: 'blocked', callId: 'blocked' }, PENDING],
  sources: SOURCES,
  history: [0.5],
  bucket: 1,
  refined: [REFINED],
  memory: [0.5],
  conduct: CONDUCT,
  approvals: [APPROVAL],
}

const open = (change: Partial<OpenCall>) => ({ calls: [{ ...OPEN, ...change }] })
const pending = (change: Partial<PendingCall>) => ({ calls: [{ ...PENDING, ...change }] })
const approved = (change: Partial<StandingApproval>) => ({ approvals: [{ ...APPROVAL, ...change }] })
const inLabels = (change: Partial<typeof LABELS>) => [
  pending({ labels: { ...LABELS, ...change } }),
  approved({ labels: { ...LABELS, ...change } }),
  { refined: [{ ...REFINED, labels: { ...LABELS, ...change } }] },
]
/** The values of one number, each in a state of its own. */
const each = (values: readonly number[], change: (value: number) => Partial<SessionState>) =>
  values.map(change)

/** Up to its limit a number reads back, and beyond it the record is refused. */
const BOUNDS: readonly (readonly [
  what: string,
  valid: readonly Partial<SessionState>[],
  invalid: readonly Partial<SessionState>[],
])[] = [
  ...(
    [
      ['safety', SAFETY_STATES],
      ['level', LEVELS.length],
      ['taint', TAINTS.length],
      ['band', 4],
      ['bucket', FLOW_BUCKETS],
      ['asked', 2 ** ACTS.length],
    ] as const
  ).map(
    ([name, bound]) =>
      [
        name,
        each([0, 1, bound - 1], (value) => ({ [name]: value })),
        each([-1, 0.5, bound, Number.NaN], (value) => ({ [name]: value })),
      ] as const,
  ),
  ...(['steps', 'blocked', 'violations', 'withoutVerdict'] as const).map(
    (name) =>
      [
        name,
        each([0, 1, 2 ** 40], (value) => ({ [name]: value })),
        each([-1, 0.5, Number.NaN], (value) => ({ [name]: value })),
      ] as const,
  ),
  ['time', each([0, 0.5, 2 ** 45], (time) => ({ time })), each([Number.NaN, Infinity], (time) => ({ time }))],
  [
    'producers',
    [{ producers: [] }, ...each([0, 1, 2 ** 40], (next) => ({ producers: [{ name: 'a', next }] }))],
    each([-1, 0.5, Number.NaN], (next) => ({ producers: [{ name: 'a', next }] })),
  ],
  [
    'recent',
    [{ recent: [] }],
    ['', '!'.repeat(22)].map((hash) => ({ recent: [{ hash, verdict: 'allow' as const }] })),
  ],
  [
    'left state',
    each([0, FLOW_STATES - 1, LEFT_STATES.none, LEFT_STATES.elsewhere], (leftState) => ({ leftState })),
    each([FLOW_STATES, -3, 0.5, Number.NaN], (leftState) => ({ leftState })),
  ],
  [
    'labels',
    [
      ...[0, 4].flatMap((exposure) => inLabels({ exposure })),
      ...[0, 3].flatMap((escalation) => inLabels({ escalation })),
      ...[0, 2].flatMap((reversibility) => inLabels({ reversibility })),
      ...inLabels({ untrusted: false }),
      { refined: [{ ...REFINED, replaces: false }] },
    ],
    [
      ...[-1, 5, 0.5].flatMap((exposure) => inLabels({ exposure })),
      ...[-1, 4, 0.5].flatMap((escalation) => inLabels({ escalation })),
      ...[-1, 3, 0.5].flatMap((reversibility) => inLabels({ reversibility })),
    ],
  ],
  [
    'open calls',
    [
      ...each([0, CLASSES - 1], (source) => open({ source })),
      ...each([0, 2 ** 45], (since) => open({ since })),
      open({ credits: NO_CREDITS }),
      open({ credits: [0] }),
    ],
    [
      ...each([-1, 0.5, CLASSES], (source) => open({ source })),
      ...each([-1, 0.5, Number.NaN], (since) => open({ since })),
      open({ credits: [-1] }),
      open({ credits: [1, 0.5] }),
    ],
  ],
  [
    'pending calls',
    [
      pending({ matches: zeros(MATCHES_LENGTH) }),
      ...each([0, 0.5, 2 ** 45], (expiresAt) => pending({ expiresAt })),
      ...each([0, 1, 2 ** 31], (tags) => pending({ tags })),
    ],
    [
      pending({ matches: zeros(MATCHES_LENGTH - 1) }),
      pending({ matches: zeros(MATCHES_LENGTH + 1) }),
      pending({ matches: zeros(MATCHES_LENGTH).with(0, -1) }),
      pending({ matches: zeros(MATCHES_LENGTH).with(0, 0.5) }),
      pending({ expiresAt: Number.NaN }),
      ...each([-1, 0.5, Number.NaN], (tags) => pending({ tags })),
    ],
  ],
  [
    'approvals',
    [
      ...each([0, 2 ** 45], (expiresAt) => approved({ expiresAt })),
      { approvals: Array.from({ length: LIMITS.approvalsMax }, () => APPROVAL) },
    ],
    [
      ...each([-1, 0.5, Number.NaN], (expiresAt) => approved({ expiresAt })),
      { approvals: Array.from({ length: LIMITS.approvalsMax + 1 }, () => APPROVAL) },
    ],
  ],
  [
    'refined labels',
    [{ refined: Array.from({ length: LIMITS.refinedMax }, () => REFINED) }],
    [{ refined: Array.from({ length: LIMITS.refinedMax + 1 }, () => REFINED) }],
  ],
  [
    'history',
    each([0, 0.5, 2 ** 40], (mark) => ({ history: [mark] })),
    each([-1, -0.5, Number.NaN, Infinity], (mark) => ({ history: [1, mark] })),
  ],
  [
    'memory',
    [...each([0, 0.5], (cell) => ({ memory: [cell] })), { memory: zeros(CELLS_MAX) }],
    [
      ...each([-1, Number.NaN, Infinity], (cell) => ({ memory: [1, cell] })),
      { memory: zeros(CELLS_MAX + 1) },
    ],
  ],
  [
    'sources',
    [{ sources: SOURCES }],
    [{ sources: 'x' }, { sources: `${SOURCES}A` }, { sources: `A${'a1234567'.repeat(SOURCES_MAX / 8)}` }],
  ],
]

test('every number reads back up to its limit, and the record is refused beyond it', () => {
  for (const [what, valid, invalid] of BOUNDS) {
    for (const change of valid) {
      const state = { ...FULL, ...change }
      assert.deepEqual(decodeState(encodeState(state)), { kind: 'state', state }, what)
    }
    for (const change of invalid) {
      const text = encodeState({ ...FULL, ...change })
      assert.deepEqual(decodeState(text), { kind: 'invalid' }, `${what}: ${text.slice(-200)}`)
    }
  }
})

test('a pending call reads back with whatever it has of its report', () => {
  for (const labelled of [true, false])
    for (const derived of [true, false])
      for (const evidence of ['present', 'absent', 'unknown'] as const)
        for (const lineEvidence of ['present', 'absent', 'unknown'] as const) {
          const state = { ...FULL, ...pending({ labelled, derived, evidence, lineEvidence }) }
          assert.deepEqual(decodeState(encodeState(state)), { kind: 'state', state })
        }
  for (const matches of [undefined, PENDING.matches])
    for (const signals of [undefined, {}, PENDING.signals])
      for (const [tags, readings] of [
        [0, undefined],
        [5, undefined],
        [0, []],
        [5, PENDING.readings],
      ] as const) {
        const state = { ...FULL, ...pending({ matches, signals, tags, readings }) }
        assert.deepEqual(decodeState(encodeState(state)), { kind: 'state', state })
      }
})

/** Members that may be left out, in the order of the record, each with its value when there is none. */
const OPTIONAL = [
  ['sources', ''],
  ['history', []],
  ['bucket', 0],
  ['refined', []],
  ['memory', []],
  ['conduct', []],
  ['approvals', []],
] as const
const REQUIRED = 19

test('a record ends with the last member that there is, and reads back with or without each other', () => {
  for (let kept = 0; kept < 2 ** OPTIONAL.length; kept++) {
    const left = OPTIONAL.filter((_, i) => (kept & (1 << i)) === 0)
    const state: SessionState = { ...FULL, ...Object.fromEntries(left) }
    const text = encodeState(state)
    assert.deepEqual(decodeState(text), { kind: 'state', state })
    assert.equal(JSON.parse(text).length, REQUIRED + (kept === 0 ? 0 : 32 - Math.clz32(kept)), text)
  }
  const lengthOf = (change: Partial<PendingCall>): number =>
    JSON.parse(encodeState({ ...FULL, ...pending(change) }))[15][0].length
  const none = { matches: undefined, signals: undefined, tags: 0, readings: undefined }
  assert.equal(lengthOf(none), 8)
  assert.equal(lengthOf({ ...none, matches: PENDING.matches }), 9)
  assert.equal(lengthOf({ ...none, signals: {} }), 10)
  assert.equal(lengthOf({ ...none, tags: 1 }), 11)
  assert.equal(lengthOf({ ...none, readings: [] }), 12)
})

/** The places of all values in `value`. */
function* placesIn(value: unknown, place: readonly number[] = []): Generator<readonly number[]> {
  yield place
  if (Array.isArray(value)) for (const [i, inner] of value.entries()) yield* placesIn(inner, [...place, i])
}

const changedAt = (value: unknown, place: readonly number[], change: (value: unknown) => unknown): unknown =>
  place.length === 0
    ? change(value)
    : (value as unknown[]).with(
        place[0] ?? 0,
        changedAt((value as unknown[])[place[0] ?? 0], place.slice(1), change),
      )

const kindOf = (value: unknown): string =>
  Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value

test('a value of another kind makes the record invalid, wherever it is', () => {
  const row: unknown = JSON.parse(encodeState(FULL))
  /** A reading may be of any kind but text. */
  const isReading = ([member, call, at]: readonly number[]): boolean =>
    member === 15 && call === 2 && at === 11
  for (const place of placesIn(row))
    for (const other of [null, true, 'text', 7, [], ['text'], [7], {}]) {
      let isSameKind = false
      const damaged = changedAt(row, place, (value) => {
        isSameKind = kindOf(value) === kindOf(other)
        return other
      })
      if (isSameKind || (isReading(place) && place.length > 3)) continue
      assert.equal(
        decodeState(JSON.stringify(damaged)).kind,
        'invalid',
        `${place.join('.')}: ${JSON.stringify(other)}`,
      )
    }
})

test('a row with one member too many or too few makes the record invalid', () => {
  const row: unknown = JSON.parse(encodeState(FULL))
  for (const place of [[2], [15, 0], [15, 1], [15, 2, 5], [22, 0], [25, 0], [25, 0, 3]])
    for (const change of [(list: unknown[]) => [...list, 0], (list: unknown[]) => list.slice(0, -1)]) {
      const damaged = changedAt(row, place, (value) => change(value as unknown[]))
      assert.equal(decodeState(JSON.stringify(damaged)).kind, 'invalid', place.join('.'))
    }
})

test('the text of a record stays as it is: other processes read it, also of other versions', () => {
  const labels = [4, 3, 2, 1]
  const call = ['pending', 's#e3#step', 'send_email', 'a'.repeat(64), [...labels, 3, 7], ['line', 'spec'], 99]
  const pins = [PINS.bundle, PINS.policy, PINS.catalogue]
  const start = [RECORD_SCHEMA, 0, pins, 'data', 0, 0, 0, 0, 0, 0, 0, 0, 5]
  const end = ['mailer', -1, 0]
  const rowOf = (change: Partial<SessionState>): unknown => JSON.parse(encodeState({ ...NEW, ...change }))
  assert.deepEqual(rowOf({}), [...start, [], '', [], ...end])
  assert.deepEqual(JSON.parse(encodeState(FULL)), [
    ...start,
    ['agent', 3],
    `1${'A'.repeat(22)}`,
    [
      [0, 'open', 9, [2, 5], 'read_file', 'd'.repeat(16), 3],
      [1, 'blocked'],
      [2, ...call, PENDING.matches, { amount: 0.25 }, 5, [true, null, 1.5, [1, 2]]],
    ],
    ...end,
    SOURCES,
    [0.5],
    1,
    [['mystery', ...labels, 1]],
    [0.5],
    CONDUCT,
    [['e9', 'send_email', 'd'.repeat(16), labels, ['line'], 7]],
  ])
  const bare = { matches: undefined, signals: undefined, tags: 0, readings: undefined }
  const other = { labels: { ...LABELS, untrusted: false }, labelled: false, derived: false } as const
  assert.deepEqual(
    rowOf({
      ended: true,
      calls: [
        { ...OPEN, credits: NO_CREDITS },
        { ...PENDING, ...bare, ...other },
        { ...PENDING, ...bare, evidence: 'present', lineEvidence: 'present', readings: [] },
      ],
    }),
    [
      ...start.with(1, 1),
      [],
      '',
      [
        [0, 'open', 9, 0, 'read_file', 'd'.repeat(16), 3],
        [2, ...call.with(4, [4, 3, 2, 0, 0, 7])],
        [2, ...call.with(4, [...labels, 3, 0]), 0, 0, 0, []],
      ],
      ...end,
    ],
  )
  const flags = [{ ended: true }, { held: true }, { codeWritten: true }, { delegated: true }]
  assert.deepEqual(
    flags.map((flag) => (rowOf(flag) as unknown[])[1]),
    [1, 2, 4, 8],
  )
})
