import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import { defaultDocuments } from '../document/documents.js'
import { PACKS_FOLDER, PACK_NAMES, shippedPack } from '../document/inspect-policy.js'
import { type Case, parseCases } from './case.js'
import { runCase } from './run-case.js'

const folder = new URL('cases/', PACKS_FOLDER)
const base = await defaultDocuments()
const textOf = (file: string): string => readFileSync(new URL(file, folder), 'utf8')

/** The expected `allow` answers without a reason of the pack's specs. */
const allowed = ({ expect }: Case, ids: ReadonlySet<unknown>) =>
  expect.filter(
    ({ verdict, reasons = [] }) => verdict === 'allow' && !named(reasons).some((code) => ids.has(code)),
  )
const named = (reasons: unknown): readonly unknown[] => (Array.isArray(reasons) ? reasons : [])

test('every pack has a file of cases, and there are no other files', () => {
  assert.deepEqual(readdirSync(folder).toSorted(), PACK_NAMES.map((name) => `${name}.yaml`).toSorted())
})

for (const name of PACK_NAMES) {
  const file = `${name}.yaml`
  const specs = shippedPack(name)?.specs ?? []
  const ids = new Set(specs.map(({ id }) => id))
  const cases = parseCases(textOf(file), { name: file, base, textOf })

  test(`${name}: its cases pass`, () => {
    for (const each of cases) assert.deepEqual(runCase(each), [], each.name)
  })

  test(`${name}: each spec has a case in which it stops a step and one in which it allows a step`, () => {
    for (const id of ids) {
      const own = cases.find((each) => each.name === id)
      assert.ok(own, `no case is named \`${id}\``)
      const stops = own.expect.filter(
        ({ verdict, reasons }) => verdict !== 'allow' && named(reasons).includes(id),
      )
      assert.ok(stops.length > 0, `\`${id}\` stops nothing`)
      assert.ok(allowed(own, ids).length > 0, `\`${id}\` allows nothing`)
    }
  })
}
