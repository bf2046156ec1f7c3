import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Bundle,
  type TransitionKind,
  bundleSchema,
  meaningOf,
  transitionField,
} from '@plimsoll/contracts'
import { defaultDocuments } from '@plimsoll/policy'
import { fit } from '../fit/chain/fit.js'
import { sampleLabels, sampleTrace, streamed, unsafeTrace } from '../testing.js'
import { liveChanges } from './live-tally.js'
import { LIVE_BOUNDS, refitFromLive } from './refit.js'

const TRACES = [
  ...Array.from({ length: 60 }, () => sampleTrace(['look', 'write'])),
  ...Array.from({ length: 30 }, () => unsafeTrace(['mail', 'send'], 1)),
  ...Array.from({ length: 30 }, () => sampleTrace(['mail', 'send'], { category_hint: 'sysadmin' })),
]

const fitted = (over: Partial<Parameters<typeof fit>[0]> = {}): Promise<Bundle> =>
  fit({
    traces: streamed(TRACES),
    labelOf: sampleLabels,
    catalogueVersion: 'sample',
    target: 'observed',
    space: 'paper5',
    ...over,
  })

type Count = readonly [kind: TransitionKind, from: number, to: number, n: number, category?: string]
const counted = (counts: readonly Count[]) =>
  new Map(
    counts.map(([kind, from, to, n, category = 'data_handling']) => [
      transitionField({ kind, from, to, category }),
      n,
    ]),
  )

/** Sessions that all go from safe to mild, and half of them on to elevated. */
const FLEET: readonly Count[] = [
  ['began', 0, 0, 100_000],
  ['survived', 0, 1, 100_000],
  ['survived', 1, 2, 50_000],
  ['ended', 1, 1, 50_000],
  ['ended', 2, 2, 50_000],
]

const refit = (bundle: Bundle, counts: readonly Count[], kappa?: number) =>
  refitFromLive({
    bundle,
    counted: [counted(counts)],
    months: ['2026-11'],
    ...(kappa !== undefined && { kappa }),
  })

/** P(violated within h) from `rows`, by walking them: nothing of the chains is used. */
function walked(rows: readonly (readonly number[])[], from: number, steps: number): number {
  const violated = rows.length
  let at: number[] = rows.map((_, s) => (s === from ? 1 : 0))
  let absorbed = 0
  for (let h = 0; h < steps; h++) {
    const next: number[] = rows.map(() => 0)
    for (const [s, mass] of at.entries())
      for (const [to, p] of (rows[s] ?? []).entries()) {
        if (to === violated) absorbed += mass * p
        else if (to < violated) next[to] = (next[to] ?? 0) + mass * p
      }
    at = next
  }
  return absorbed
}

test('observed: live steps say where sessions go, the present bundle how often a state is left by a violation', async () => {
  const present = await fitted()
  const { bundle } = refit(present, FLEET, 1)
  const { data_handling: before } = present.categories
  const { data_handling: after } = bundle.categories
  assert.ok(before && after)
  const v = (s: number): number => before.forward[1]?.[s] ?? Number.NaN
  assert.deepEqual(after.forward[1], before.forward[1])
  assert.deepEqual(after.hazard, before.hazard)
  assert.deepEqual(after.thresholds, before.thresholds)
  const kept = (s: number, row: readonly number[]) => row.map((p, to) => (to === 5 ? v(s) : (1 - v(s)) * p))
  const rows = [
    kept(0, [0, 1, 0, 0, 0, 0, 0]),
    kept(1, [0, 0, 0.5, 0, 0, 0, 0.5]),
    kept(2, [0, 0, 0, 0, 0, 0, 1]),
    [0, 0, 0, 0, 0, 0, 1],
    [0, 0, 0, 0, 0, 0, 1],
  ]
  for (const from of [0, 1, 2])
    for (let h = 0; h <= 10; h++) {
      const said = after.forward[h]?.[from] ?? Number.NaN
      assert.ok(
        Math.abs(said - walked(rows, from, h)) < 2e-3,
        `${from} ${h}: ${said}, ${walked(rows, from, h)}`,
      )
    }
  assert.deepEqual([after.traces, after.transitions, after.violations], [100_000, 150_000, 0])
  assert.deepEqual(bundleSchema.parse(JSON.parse(JSON.stringify(bundle))), bundle)
})

test('modelled: what the cascade called violated absorbs, and counts', async () => {
  const present = await fitted({ target: 'modelled' })
  const counts: readonly Count[] = [
    ...FLEET,
    ['violated', 2, 4, 50_000],
    ['passed', 2, 4, 50_000],
    ['endedViolated', 4, 4, 50_000],
  ]
  const { bundle } = refit(present, counts, 1)
  const { data_handling: after } = bundle.categories
  assert.ok(Math.abs((after?.forward[1]?.[2] ?? 0) - 0.5) < 2e-3)
  assert.ok(Math.abs((after?.forward[5]?.[0] ?? 0) - 0.25) < 2e-3)
  assert.equal(after?.violations, 50_000)
  assert.deepEqual(after?.hazard, present.categories['data_handling']?.hazard)
})

test('kappa holds a row to the present bundle’s; without live steps from there it is that', async () => {
  const present = await fitted()
  const p5 = (bundle: Bundle) => bundle.categories['data_handling']?.forward[5]?.[0] ?? Number.NaN
  const light = p5(refit(present, FLEET, 1).bundle)
  const few = FLEET.map(([kind, from, to, n]): Count => [kind, from, to, n / 100])
  const held = p5(refit(present, few, 1_000_000).bundle)
  const between = p5(refit(present, few, 60).bundle)
  assert.ok(Math.abs(held - p5(present)) < Math.abs(between - p5(present)))
  assert.ok(Math.abs(between - p5(present)) < Math.abs(light - p5(present)))
})

test('a category that was counted too little keeps its chain; counts of all make the aggregate', async () => {
  const present = await fitted()
  const counts: readonly Count[] = [
    ...FLEET,
    ['survived', 0, 1, 20, 'sysadmin'],
    ['survived', 0, 1, 7, 'unheard of'],
  ]
  const { bundle, kept, tallies } = refit(present, counts)
  assert.deepEqual(kept, ['research_comms', 'sysadmin', 'code_debugging'])
  assert.deepEqual(bundle.categories['sysadmin'], present.categories['sysadmin'])
  assert.equal(tallies.aggregate.steps, 150_027)
  assert.equal(bundle.aggregate.transitions, 150_027)
})

test('a refit can be refitted, and tells its first origin alone', async () => {
  const present = await fitted()
  const once = refit(present, FLEET).bundle
  const twice = refit(once, FLEET).bundle
  assert.equal(twice.name, once.name)
  const origin = twice.origin as { present: { origin: unknown } }
  assert.deepEqual(origin.present.origin, present.origin)
  const [a, b] = [once, twice].map(({ aggregate }) => aggregate.forward[5]?.[0] ?? Number.NaN)
  assert.ok(Math.abs((a ?? 0) - (b ?? 1)) < 0.01)
})

test('a bundle of the space flow keeps its scorers, its meaning and its violations', async () => {
  const { SAMPLE_FLOW } = await sampleFlow()
  const counts: readonly Count[] = FLEET.map(([kind, from, to, n]) => [
    kind,
    from * 24,
    to * 24,
    n,
    'aggregate',
  ])
  const { bundle } = refit(SAMPLE_FLOW, counts)
  assert.deepEqual(bundle.flow, SAMPLE_FLOW.flow)
  assert.equal(meaningOf(bundle), meaningOf(SAMPLE_FLOW))
  assert.deepEqual(bundle.aggregate.forward[1], SAMPLE_FLOW.aggregate.forward[1])
  for (let h = 1; h < bundle.aggregate.forward.length; h++)
    for (const [s, p] of (bundle.aggregate.forward[h] ?? []).entries())
      assert.ok(p >= (bundle.aggregate.forward[h - 1]?.[s] ?? 1) - 1e-9)
})

/** A bundle of the space flow whose chains are made up and whose scorers say nothing. */
async function sampleFlow(): Promise<{ SAMPLE_FLOW: Bundle }> {
  const scorer = { features: [], bias: 0, trees: [], calibration: { x: [0], y: [0.1] } }
  const { bundle } = await defaultDocuments()
  const tables = {
    ...bundle.aggregate,
    hazard: Array.from({ length: 120 }, () => 0),
    forward: Array.from({ length: bundle.horizonMax + 1 }, (_, h) =>
      Array.from({ length: 120 }, () => h / 100),
    ),
    stepsToViolation: Array.from({ length: 120 }, () => null),
    counts: [[0, 24, 10] as [number, number, number], [24, 121, 10] as [number, number, number]],
  }
  return {
    SAMPLE_FLOW: bundleSchema.parse({
      ...bundle,
      space: 'flow',
      target: 'observed',
      aggregate: tables,
      categories: {},
      flow: { hazard: scorer, session: scorer, edges: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7] },
    }),
  }
}

test('too little is said, with what is missing', async () => {
  const present = await fitted()
  assert.throws(() => refit(present, []), {
    code: 'counts_too_few',
    message: /nothing was counted under .*`paper5`.* since 2026-11/,
  })
  const few: readonly Count[] = [
    ['survived', 0, 1, LIVE_BOUNDS.steps - 1],
    ['ended', 1, 1, LIVE_BOUNDS.ended],
  ]
  assert.throws(() => refit(present, few), {
    code: 'counts_too_few',
    message: /999 steps and 50 ended sessions .* at least 1000 and 50/,
  })
})

test('what else was counted under the name is left out', async () => {
  const present = await fitted()
  const fields = counted([...FLEET, ['survived', 5, 1, 9]]).set('nonsense', 3)
  const { tallies } = refitFromLive({
    bundle: present,
    counted: [fields, new Map()],
    months: ['2026-11', '2026-10'],
  })
  assert.equal(tallies.unread, 2)
  assert.equal(tallies.aggregate.steps, 150_000)
})

test('transitions outside the interval of the live share are listed, the most frequent first', async () => {
  const present = await fitted()
  const { tallies } = refit(present, FLEET)
  const changes = liveChanges(present.aggregate, tallies.aggregate, present, 3)
  assert.equal(changes.length, 3)
  for (const { recorded, low, high } of changes) assert.ok(recorded < low || recorded > high)
  assert.deepEqual(liveChanges(present.aggregate, tallies.aggregate, present, 0), [])
})
