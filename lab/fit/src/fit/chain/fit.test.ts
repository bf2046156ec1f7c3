import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safetyState } from '@plimsoll/engine'
import { canonicalJson, type Bundle } from '@plimsoll/contracts'
import { sampleLabels, sampleTrace, streamed, unsafeTrace } from '../../testing.js'
import type { Trace } from '../../corpus/trace.js'
import { fit, type FitOptions } from './fit.js'

const SEND_AFTER_MAIL = safetyState(3, 3, 2)

const TRACES: readonly Trace[] = [
  ...Array.from({ length: 30 }, () => sampleTrace(['look', 'write'])),
  ...Array.from({ length: 10 }, () => sampleTrace(['mail', 'send'])),
  ...Array.from({ length: 30 }, () => unsafeTrace(['mail', 'send', 'look'], 1)),
  ...Array.from({ length: 20 }, () => sampleTrace(['look'], { category_hint: 'other' })),
  sampleTrace(['look'], { split: 'test' }),
  unsafeTrace(['send'], 0, { attack_fold: 4, task_fold: 0 }),
  sampleTrace(['send'], { label: { unsafe: null } }),
]

function fitted(traces: readonly Trace[] = TRACES, over: Partial<FitOptions> = {}): Promise<Bundle> {
  return fit({
    traces: streamed(traces),
    labelOf: sampleLabels,
    catalogueVersion: 'sample',
    target: 'observed',
    space: 'paper60',
    ...over,
  })
}

test('every space and target gives a valid bundle whose P(h) never falls', async () => {
  for (const space of ['paper5', 'paper60'] as const)
    for (const target of ['observed', 'modelled'] as const) {
      const bundle = await fitted(TRACES, { space, target })
      for (const { forward } of [bundle.aggregate, ...Object.values(bundle.categories)])
        for (let h = 1; h < forward.length; h++)
          for (const [s, p] of (forward[h] ?? []).entries()) assert.ok(p >= (forward[h - 1]?.[s] ?? 1))
    }
})

test('counts are of the sessions that count; `other` is in the aggregate alone; held-out sessions are nowhere', async () => {
  const bundle = await fitted()
  const { data_handling: own, sysadmin } = bundle.categories
  assert.deepEqual([own?.traces, own?.violations, own?.transitions], [70, 30, 140])
  assert.deepEqual([bundle.aggregate.traces, bundle.aggregate.transitions], [90, 160])
  assert.equal(sysadmin?.traces, 0)
  assert.ok(!('other' in bundle.categories))
  const { sources } = bundle.origin as {
    sources: Record<string, { traces: number; leftOut: Record<string, number> }>
  }
  assert.equal(sources['sample']?.traces, 90)
  assert.deepEqual(sources['sample']?.leftOut, { held_out: 2, label_unknown: 1 })
})

test('hazard is the share of arrivals that were the violation, drawn towards the aggregate', async () => {
  const { categories } = await fitted(TRACES, { kappa: 0.001 })
  assert.ok(Math.abs((categories['data_handling']?.hazard[SEND_AFTER_MAIL] ?? 0) - 0.75) < 0.001)
  const strong = await fitted(TRACES, { kappa: 1000 })
  assert.ok((strong.categories['data_handling']?.hazard[SEND_AFTER_MAIL] ?? 1) < 0.5)
})

test('modelled hazards are the cascade', async () => {
  const { aggregate } = await fitted(TRACES, { target: 'modelled' })
  assert.equal(aggregate.hazard[SEND_AFTER_MAIL], 1)
  assert.deepEqual(new Set(aggregate.hazard), new Set([0, 1]))
  assert.equal(aggregate.violations, 40)
})

test('the same sessions give the same bytes', async () => {
  assert.equal(canonicalJson(await fitted()), canonicalJson(await fitted()))
})

test('nothing left to fit is said, not fitted', async () => {
  const nothing = { code: 'traces_invalid', message: /no session is left/ }
  await assert.rejects(fitted([]), nothing)
  await assert.rejects(fitted([sampleTrace(['look'], { split: 'test' })]), nothing)
})
