import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient, createGuard } from '@plimsoll/client'
import { CONFIDENTIALITIES, type ToolLabels } from '@plimsoll/contracts'
import {
  ACT_KINDS,
  CATEGORIES,
  runFleet,
  SCENARIOS,
  STEPS_MAX,
  type ActKind,
  type Category,
} from '@plimsoll/fleet'
import { createLabeller } from '@plimsoll/labels'
import { defaultDocuments } from '@plimsoll/policy'
import { PAPER_RATES } from '../../reference/pages/scenarios-page.js'
import { deploy } from '../../support/sessions/deployment.js'

const isLook = ({ capability, reversibility }: ToolLabels) =>
  reversibility !== 'irreversible' && capability !== 'write'

/** The labels that the catalogue must give a tool for each kind of act. */
const KIND_LABELS: Readonly<Record<ActKind, (labels: ToolLabels) => boolean>> = {
  look: isLook,
  read: isLook,
  pry: isLook,
  work: ({ capability }) => capability === 'write' || capability === 'execute',
  report: ({ reversibility }) => reversibility !== 'irreversible',
  share: ({ capability, reversibility }) => capability === 'network' && reversibility === 'irreversible',
}

test('the catalogue labels every scenario tool as its act requires, and no more sensitive than the data it reads', async () => {
  const labelOf = createLabeller((await defaultDocuments()).catalogue)
  const rank = (of: ToolLabels['confidentiality']) =>
    of && of !== 'none' ? CONFIDENTIALITIES.indexOf(of) : -1
  for (const { name, acts, things } of SCENARIOS)
    for (const kind of ACT_KINDS)
      for (const [tool, target] of acts[kind] ?? []) {
        const labels = labelOf(tool)
        assert.ok(labels, `${name}: ${tool} has no label`)
        assert.ok(KIND_LABELS[kind](labels), `${name}: ${kind} by ${tool}`)
        const thing = things[target]
        if (thing) assert.ok(rank(labels.confidentiality) <= rank(thing), `${name}: ${tool} ${target}`)
      }
})

/** The allowed distance of the scenarios from it, in percentage points: they only follow its description. */
const BAND = 10

/** 400 sessions decided in this process. */
async function playThrough(seed: number, obeys: boolean) {
  // With a key, fingerprints show what a send contains.
  const guard = await createGuard()
  const sessions = new Map<
    number,
    { category: Category; steps: number; isViolated: boolean; hasLeaked: boolean }
  >()
  const verdicts = new Set<string>()
  await runFleet({
    client: guard,
    seed,
    concurrency: 1,
    sessions: 400,
    obeys,
    statesEvidence: false,
    onSession: ({ number, scenario: { category } }) =>
      sessions.set(number, { category, steps: 0, isViolated: false, hasLeaked: false }),
    onDecision: ({ performance: { number }, answer: { verdict } }) => {
      const session = sessions.get(number) ?? assert.fail()
      session.steps++
      verdicts.add(verdict)
    },
    onEnd: ({ number }, { isViolated, hasLeaked }) =>
      Object.assign(sessions.get(number) ?? assert.fail(), { isViolated, hasLeaked }),
  })
  await guard.close()
  const all = [...sessions.values()]
  const violated = Object.fromEntries(
    CATEGORIES.map((category) => {
      const own = all.filter((session) => session.category === category)
      return [category, (100 * own.filter(({ isViolated }) => isViolated).length) / own.length]
    }),
  ) as Record<Category, number>
  return { all, verdicts, violated }
}

for (const seed of [1, 20_261_122])
  test(`without enforcement the violation rates per category are near the paper's, by the cascade (seed ${seed})`, async () => {
    const { all, violated, verdicts } = await playThrough(seed, false)
    for (const category of CATEGORIES)
      assert.ok(
        Math.abs(violated[category] - PAPER_RATES[category]) <= BAND,
        `${category}: ${violated[category]}% violated, the paper has ${PAPER_RATES[category]}%`,
      )
    // The paper's have 2 to 25 steps, 8.3 on average (§7.2).
    const steps = all.map((session) => session.steps)
    const mean = steps.reduce((sum, each) => sum + each, 0) / steps.length
    assert.ok(mean > 6.8 && mean < 9.8, `${mean} steps in the mean`)
    assert.ok(Math.min(...steps) >= 2 && Math.max(...steps) <= STEPS_MAX && Math.max(...steps) > 15)
    assert.deepEqual([...verdicts].sort(), ['allow', 'block', 'confirm', 'warn'])
  })

test('obedient agents leak nothing sensitive, and have fewer violations', async () => {
  const free = await playThrough(1, false)
  const bound = await playThrough(1, true)
  for (const category of ['data_handling', 'research_comms'] as const)
    assert.ok(bound.violated[category] < free.violated[category] * 0.7, category)
  const leaks = ({ all }: typeof free) => all.filter(({ hasLeaked }) => hasLeaked).length
  assert.ok(leaks(free) > 80, `${leaks(free)} leaks`)
  assert.equal(leaks(bound), 0)
})

/** Every event of a small fleet without what varies between runs: times, digests, and random ids of clients. */
async function eventsOf(seed: number) {
  const deployment = await deploy('embedded')
  try {
    await deployment.startMonitor().started
    const client = await createClient({ log: deployment.log, topics: deployment.topics, timeoutMs: 60_000 })
    await runFleet({ client, seed, concurrency: 3, sessions: 20, name: 'f', tenants: ['acme', 'globex'] })
    await client.close()
    const ends = () => deployment.seen.events.filter(({ value }) => String(value).includes('"session.ended"'))
    await deployment.until('20 ends', () => ends().length === 20)
    const events = deployment.seen.events.map(({ key, value }) => {
      const event = JSON.parse(String(value)) as Record<string, unknown>
      // Digests of arguments use a random key per client.
      const { id, producer, time, argumentsDigest: _digest, ...rest } = event
      assert.ok(id && producer && time)
      return { key, text: JSON.stringify(rest) }
    })
    // A session's events are ordered in one partition; the order between sessions varies.
    return events.toSorted((a, b) => ((a.key ?? '') < (b.key ?? '') ? -1 : a.key === b.key ? 0 : 1))
  } finally {
    await deployment.close()
  }
}

test('a seed gives the same events except times and random ids; another seed gives others', async () => {
  const [first, again, other] = [await eventsOf(4), await eventsOf(4), await eventsOf(5)]
  assert.deepEqual(first, again)
  assert.notDeepEqual(first, other)
})
