import assert from 'node:assert/strict'
import { readFile, stat } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Bundle, type ChainTables, versionOf } from '@plimsoll/contracts'
import { createLabeller, shippedInstructionModel } from '@plimsoll/labels'
import { type ShippedBundle, SHIPPED_BUNDLES, readDocument } from '@plimsoll/policy'
import { bundleText } from './bundle/from-files.js'
import { fitShippedBundle, shippedRecordings } from './bundle/shipped.js'
import { createPathFinder } from './fit/chain/session-path.js'
import { spaceOf } from './fit/chain/space.js'
import { findTraces, readTraces } from './corpus/read-traces.js'
import { labelUnlistedIn } from './corpus/unlisted.js'

const folder = findTraces(process.env, fileURLToPath(new URL('../../..', import.meta.url)))
const skip =
  folder === undefined &&
  'no recorded sessions at PLIMSOLL_TRACES or ../shared/traces: nothing is checked on real ones'
const FILES = shippedRecordings(folder ?? '')

const BUNDLE_BYTES_MAX = 320_000
const BUNDLES = Object.keys(SHIPPED_BUNDLES) as ShippedBundle[]
const AGAIN = 'fit the bundles that ship again: `node scripts/fit-shipped.mjs bundles`'

const chainsOf = ({ aggregate, categories }: Bundle): ChainTables[] => [
  aggregate,
  ...Object.values(categories),
]

test('the bundles that ship are known by their names', async () => {
  for (const name of BUNDLES) assert.equal((await readDocument('bundle', name)).name, name)
  assert.equal((await readDocument('bundle')).name, 'default')
})

test('the bundles that ship were fitted with the catalogue and the detector that ship', async () => {
  const catalogue = versionOf(await readDocument('catalogue'))
  for (const name of BUNDLES) {
    const { origin, flow } = await readDocument('bundle', name)
    assert.equal(origin['catalogue'], catalogue, AGAIN)
    if (flow) assert.equal(origin['instructions'], versionOf(shippedInstructionModel()), AGAIN)
  }
})

test('what ships is small: it is part of every record of the registry', async () => {
  for (const name of BUNDLES) {
    const { size } = await stat(SHIPPED_BUNDLES[name])
    assert.ok(size < BUNDLE_BYTES_MAX, `${name}: ${size} bytes`)
  }
})

test('the counts of the bundles that ship add up', async () => {
  for (const name of BUNDLES) assertCounts(await readDocument('bundle', name))
})

function assertCounts(bundle: Bundle): void {
  for (const { counts, traces, transitions, violations, hazard } of chainsOf(bundle)) {
    const assertTotal = (pick: (to: number) => boolean, expected: number) => {
      const total = counts.reduce((sum, [, to, n]) => sum + (pick(to) ? n : 0), 0)
      // Expected numbers are rounded to a thousandth each; whole ones are exact.
      const isWhole = counts.every(([, , n]) => Number.isInteger(n))
      const rounding = isWhole ? 0 : 0.0005 * (counts.length + 1)
      assert.ok(Math.abs(total - expected) <= rounding, `${total}, expected ${expected}`)
    }
    assertTotal((to) => to === hazard.length, violations)
    assertTotal((to) => to > hazard.length, traces - violations)
    assertTotal((to) => to <= hazard.length, transitions)
  }
}

for (const name of BUNDLES)
  test(`fitting the recorded sessions gives \`${name}\`, byte for byte`, { skip }, async (t) => {
    const bundle = await fitShippedBundle(name, FILES, await readDocument('catalogue'))
    t.diagnostic(`${bundle.aggregate.traces} sessions, version ${versionOf(bundle)}`)
    assert.ok(bundleText(bundle) === (await readFile(SHIPPED_BUNDLES[name], 'utf8')), AGAIN)
  })

/** The labels that the bundles were fitted on. */
const labelled = async () => (await labelUnlistedIn(await readDocument('catalogue'), FILES)).catalogue

test(
  'each tool of the recorded sessions has labels: of the catalogue that ships, or proposed ones',
  { skip },
  async () => {
    const labelOf = createLabeller(await labelled())
    for await (const { steps } of readTraces(FILES))
      for (const { tool } of steps) assert.ok(labelOf(tool), tool)
  },
)

test('labels leave most honest sessions below critical', { skip }, async (t) => {
  const highest = createPathFinder(createLabeller(await labelled()), spaceOf('paper5'), 'observed')
  let honest = 0
  let critical = 0
  for await (const trace of readTraces(FILES)) {
    const path = highest(trace)
    if ('excluded' in path || path.violated || path.posterior) continue
    honest++
    if ((path.arrivals.at(-1) ?? 0) >= 3) critical++
  }
  t.diagnostic(`${critical} of ${honest} honest sessions reach critical or violated`)
  assert.ok(critical / honest < 0.25)
})
