import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGuard } from '@plimsoll/client'
import { VERDICTS, type Verdict } from '@plimsoll/contracts'
import { runFleet, SCENARIOS, VARIANTS, type Variant } from '@plimsoll/fleet'
import { createLabeller } from '@plimsoll/labels'
import { defaultDocuments } from '@plimsoll/policy'

test('every tool of the scenarios is labelled by the catalogue that ships with Plimsoll', async () => {
  const labelOf = createLabeller((await defaultDocuments()).catalogue)
  for (const { name, steps } of SCENARIOS)
    for (const variant of VARIANTS)
      for (const { tool } of steps[variant]) assert.ok(labelOf(tool), `${tool} of ${name}`)
})

test('bad days end before the line, good ones are left alone; all four verdicts come', async () => {
  const guard = await createGuard()
  const worst = new Map<string, Verdict>()
  const seen = new Set<Verdict>()
  const days = SCENARIOS.length * VARIANTS.length
  await runFleet({
    client: guard,
    seed: 1,
    concurrency: 1,
    pauseMs: 0,
    sessions: days,
    onDecision: ({ performance: { scenario, variant }, answer: { verdict } }) => {
      const day = `${variant} ${scenario.name}`
      const before = worst.get(day) ?? 'allow'
      worst.set(day, VERDICTS.indexOf(before) > VERDICTS.indexOf(verdict) ? before : verdict)
      seen.add(verdict)
    },
  })
  await guard.close()
  assert.equal(worst.size, days)
  assert.deepEqual([...seen].sort(), ['allow', 'block', 'confirm', 'warn'])
  const expected: Record<Variant, readonly Verdict[]> = {
    safe: ['allow', 'warn'],
    drifting: ['confirm', 'block'],
  }
  for (const variant of VARIANTS)
    for (const [day, verdict] of worst)
      if (day.startsWith(variant)) assert.ok(expected[variant].includes(verdict), `${day}: ${verdict}`)
})
