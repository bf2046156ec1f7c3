import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { seededRandom } from '@plimsoll/chains'
import { CONDUCT_FEATURES, SESSION_FEATURES, STEP_FEATURES } from '@plimsoll/engine'
import type { SessionRows } from './fit/features/session-rows.js'
import { createSessionSpill } from './fit/features/session-spill.js'
import { fit } from './fit/chain/fit.js'
import { type FlowSession, type Head, gatherSessions } from './fit/flow/collected.js'
import { sampleLabels, sampleTrace, unsafeTrace } from './testing.js'
import { recordingOf } from './corpus/recording.js'
import type { Trace } from './corpus/trace.js'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const MEGABYTE = 2 ** 20

/** Megabytes that are really in use: what nobody refers to any longer is gone first, so that it does not matter when it would have gone. */
function inUse(): number {
  // Buffers are given back beside the program; the second collection waits for the first one's.
  collectGarbage()
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / MEGABYTE
}

/** What `make` gives for 0…n − 1; memory is measured as each of the places in `at` is reached. */
async function* measured<T>(n: number, make: (i: number) => T, at: readonly number[], found: number[]) {
  for (let i = 0; i < n; i++) {
    if (at.includes(i)) found.push(inUse())
    yield make(i)
  }
}

const TOOLS = ['look', 'mail', 'write', 'send']

test('a chain over eighty thousand sessions more takes no more memory', async (t) => {
  const random = seededRandom(4)
  const drawn = (i: number): Trace => {
    const tools = Array.from(
      { length: 1 + Math.floor(random() * 8) },
      () => TOOLS[Math.floor(random() * 4)] ?? '',
    )
    const over = { trace_id: `t${i}`, source: `source ${i}`, category_hint: `category ${i}` }
    return i % 9 === 0 ? unsafeTrace(tools, tools.length - 1, over) : sampleTrace(tools, over)
  }
  const found: number[] = []
  const bundle = await fit({
    traces: measured(100_000, drawn, [20_000, 99_999], found),
    labelOf: sampleLabels,
    catalogueVersion: 'sample',
    target: 'observed',
    space: 'paper60',
  })
  assert.equal(bundle.aggregate.traces, 100_000)
  const [early = 0, late = Infinity] = found
  t.diagnostic(`${early.toFixed(1)} MB after 20,000 sessions, ${late.toFixed(1)} MB after 100,000`)
  assert.ok(late - early < 5)
})

function drawnRows(random: () => number, steps: number): SessionRows {
  const row = (columns: readonly string[]) =>
    Float64Array.from(columns, () => (random() < 0.8 ? 0 : Math.floor(random() * 500) / 7))
  const rows = (n: number, columns: readonly string[]) => Array.from({ length: n }, () => row(columns))
  return {
    steps: rows(steps, STEP_FEATURES),
    arrivals: rows(steps, SESSION_FEATURES),
    sessionRows: rows(steps + 1, SESSION_FEATURES),
    conduct: rows(2 * steps, CONDUCT_FEATURES),
    arrivalPlaces: Array.from({ length: steps }, () => 1),
    sessionPlaces: Array.from({ length: steps + 1 }, () => 2),
  }
}

test('in the space `flow` eight thousand sessions more take no more memory, neither read nor counted', async (t) => {
  const random = seededRandom(6)
  const steps = 5
  const drawn = (i: number): FlowSession => {
    const tools = Array.from({ length: steps }, () => 'look')
    const { truth, about } = recordingOf(
      i % 9 === 0 ? unsafeTrace(tools, 2, { trace_id: `t${i}` }) : sampleTrace(tools, { trace_id: `t${i}` }),
    )
    return { truth, about, category: 'other', steps, rows: () => drawnRows(random, steps) }
  }
  const found: number[] = []
  const spill = await createSessionSpill<Head>()
  t.after(() => spill.close())
  const sessions = measured(10_000, drawn, [2_000, 9_999], found)
  const gathered = await gatherSessions(sessions, spill, { heldOut: () => false, sampleSteps: 1_000 })
  let counted = 0
  let blocks = 0
  for await (const block of gathered.blocks()) {
    counted += block.sessions.length
    if (++blocks % 2 === 1) found.push(inUse())
  }
  assert.equal(counted, 10_000)
  const [early = 0, late = Infinity, ...counting] = found
  const reported = counting.map((megabytes) => megabytes.toFixed(1)).join(', ')
  t.diagnostic(
    `${early.toFixed(1)} MB after 2,000 sessions, ${late.toFixed(1)} after 10,000, while counting ${reported}`,
  )
  assert.ok(spill.bytesWritten / MEGABYTE > 15, 'what is on the disk would be seen in memory')
  assert.ok(late - early < 5)
  // A block, the one before it, and what is read of the disk; all of them would be twice as much. One measure alone may find buffers that are
  // about to go.
  assert.ok(counting.length > 3)
  const median = counting.toSorted((a, b) => a - b)[Math.floor(counting.length / 2)] ?? Infinity
  assert.ok(median - early < 35)
  assert.equal((await gathered.sample()).sessions.length, 200)
})
