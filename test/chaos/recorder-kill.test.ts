import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { fileOf, treesIn, verifyFile } from '@plimsoll/proof'
import { createProofWorld } from '../support/proof/proof-world.js'
import { MOMENTS, type RecorderProcess } from './recorder-moments.js'

const SCRIPT = fileURLToPath(new URL('recorder-process.js', import.meta.url))

/** Enough for several parts of each topic. */
const SESSIONS = 120
const STEPS = 6
const sessions = Array.from({ length: SESSIONS }, (_, i) => `${i % 2 === 0 ? 'acme~' : ''}session-${i}`)

/** Runs it to its end, and returns the signal that ended it. */
async function run(given: RecorderProcess): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(given)], { stdio: 'inherit' })
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  assert.ok(signal === 'SIGKILL' || code === 0, `exit ${code}`)
  return signal
}

for (const moment of MOMENTS)
  test(`a recorder that is killed after ${moment} goes on without a gap, and enters nothing twice`, async (t) => {
    const world = await createProofWorld(t)
    const { folder, keyFile, publicKey } = world
    const given = { folder, keyFile, sessions, steps: STEPS }
    for (const nth of moment.includes('progress') ? [2] : [1, 3])
      assert.equal(await run({ ...given, fate: { moment, nth } }), 'SIGKILL')
    assert.equal(await run(given), null)

    assert.deepEqual(await treesIn(folder), ['acme', 'default'])
    for (const tree of await treesIn(folder)) {
      const verification = await verifyFile(fileOf(folder, tree), { key: publicKey })
      assert.deepEqual([verification.problem, verification.unsigned], [undefined, 0])
      const entries = await world.entries(tree)
      const places = entries.map(({ source }) => `${source?.topic} ${source?.partition} ${source?.offset}`)
      assert.equal(new Set(places).size, places.length)
      const counts = ['session', 'decision', 'approval'].map(
        (kind) => entries.filter((entry) => entry.kind === kind).length,
      )
      assert.deepEqual(counts, [SESSIONS / 2, (SESSIONS / 2) * 8, (SESSIONS / 2) * 2])
    }
  })
