import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Verification, eraseEntries, fileOf, verifyFile } from '@plimsoll/proof'
import { createEmbeddedLog } from '@plimsoll/runtime/embedded'
import { type ProofWorld, createProofWorld, topics } from '../../support/proof/proof-world.js'
import { makeTopics, writeSessions } from '../../support/proof/sample-records.js'
import { createReleasers } from '../../support/releasers.js'
import { createRandom } from '../random.js'
import { MANIPULATIONS, type Files, cutEnd, sealedAgain } from './manipulate.js'

/** Of each of 16 kinds; with as many cuts of the end, 1,190. */
const EACH = 70
const SEED = 29

describe('manipulations of a proof file', () => {
  const releasers = createReleasers()
  const t = { after: releasers.add }
  let world: ProofWorld
  let files: Files

  before(async () => {
    world = await createProofWorld(t)
    const { folder, key } = world
    await fill(world, 'first')
    const before = await world.lines('acme')
    await eraseEntries({ folder, key, whose: { session: 'acme~first-2' }, by: 'ines', nowMs: 1 })
    const lines = await world.lines('acme')
    const second = createEmbeddedLog()
    t.after(() => second.close())
    await makeTopics(second, topics)
    const elsewhere = await createProofWorld(t)
    await fill(
      { ...elsewhere, log: second, start: (options) => elsewhere.start({ ...options, key, log: second }) },
      'second',
    )
    files = { lines, before, other: await elsewhere.lines('acme') }
  })

  after(() => releasers.releaseAll())

  async function verify(content: readonly string[] | Buffer, isKnown = false): Promise<Verification> {
    const file = path.join(world.folder, 'manipulated')
    await writeFile(file, Buffer.isBuffer(content) ? content : `${content.join('\n')}\n`)
    const known = isKnown ? JSON.parse(files.lines.at(-1) ?? '') : undefined
    return verifyFile(file, { key: world.publicKey, known })
  }

  test('the files verify as they are', async () => {
    for (const lines of [files.lines, files.before, files.other])
      assert.equal((await verify(lines)).problem, undefined)
    const verification = await verifyFile(fileOf(world.folder, 'acme'), { key: world.publicKey })
    // What reseals them knows the format: without a change it changes nothing.
    assert.deepEqual(sealedAgain(files.lines), files.lines)
    assert.deepEqual([verification.unsigned, verification.checkpoints], [0, 6])
    assert.ok(verification.erased > 4)
  })

  for (const [place, [what, manipulate]] of Object.entries(MANIPULATIONS).entries())
    test(`found: ${what}`, async () => {
      const random = createRandom(SEED + place)
      const whole = `${files.lines.join('\n')}\n`
      for (let round = 0; round < EACH; round++) {
        const content = manipulate(files, random)
        const text = Buffer.isBuffer(content) ? content.toString('latin1') : `${content.join('\n')}\n`
        // Two equal entries that change places change nothing.
        if (text === whole) round--
        else assert.ok((await verify(content)).problem, `round ${round}`)
      }
    })

  test('found with a newer checkpoint: the end is cut', async () => {
    const random = createRandom(SEED)
    for (let round = 0; round < EACH; round++)
      assert.ok((await verify(cutEnd(files, random), true)).problem, `round ${round}`)
  })

  test('not found without a newer checkpoint: the end is cut at an earlier one', async () => {
    const checkpoints = files.before.flatMap((line, i) => (line.includes('"checkpoint"') ? [i] : []))
    for (const place of checkpoints)
      assert.equal((await verify(files.before.slice(0, place + 1))).problem, undefined)
  })
})

/** Five rounds of sessions, with a checkpoint after each. */
async function fill(world: Pick<ProofWorld, 'start' | 'log'>, name: string): Promise<void> {
  const recorder = await world.start()
  for (let round = 0; round < 5; round++) {
    await writeSessions(world.log, topics, [`acme~${name}-${round}`, `acme~other-${round}`], 3)
    assert.ok(await recorder.drain())
    await recorder.sign()
  }
  await recorder.close()
}
