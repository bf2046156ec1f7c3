import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FLOW_BUCKETS, FLOW_STATES } from '../../labels/flow-state.js'
import { CLASSES, SAFETY_STATES } from '../../labels/safety-state.js'
import { ACTS, LEVELS, TAINTS } from '../../labels/words.js'
import { MATCHES_LENGTH } from '../../provenance/matches.js'
import { SOURCES_MAX } from '../../provenance/sources.js'
import { CELLS_MAX, NO_CREDITS } from '../../spec-rule.js'
import { type SessionState, LEFT_STATES, LIMITS } from '../session.js'
import { decodeState, encodeState } from './record.js'
import {
  APPROVAL,
  FULL,
  REFINED,
  SOURCES,
  approved,
  each,
  inLabels,
  open,
  pending,
  zeros,
} from './testing.js'

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
