import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import { type CaseFile, parseCaseFiles } from './case-file.js'
import { parseCases, runCase } from './index.js'
import { PACKS_FOLDER, PACK_NAMES, shippedPack } from '../document/inspect-policy.js'
import { defaultDocuments } from '../document/documents.js'

const folder = new URL('cases/', PACKS_FOLDER)
const base = await defaultDocuments()
const textOf = (file: string): string => readFileSync(new URL(file, folder), 'utf8')

/** The answers that a case expects on which only others than the pack's specs give a reason, or none. */
const allowed = ({ expect }: CaseFile, ids: ReadonlySet<unknown>) =>
  expect.filter(
    ({ verdict, reasons = [] }) => verdict === 'allow' && !named(reasons).some((code) => ids.has(code)),
  )
const named = (reasons: unknown): readonly unknown[] => (Array.isArray(reasons) ? reasons : [])

test('there are cases of each pack, and of nothing else', () => {
  assert.deepEqual(readdirSync(folder).toSorted(), PACK_NAMES.map((name) => `${name}.yaml`).toSorted())
})

for (const name of PACK_NAMES) {
  const file = `${name}.yaml`
  const specs = shippedPack(name)?.specs ?? []
  const ids = new Set(specs.map(({ id }) => id))
  const files = parseCaseFiles(textOf(file), file)

  test(`${name}: its cases pass`, () => {
    for (const each of parseCases(textOf(file), { name: file, base, textOf }))
      assert.deepEqual(runCase(each), [], each.name)
  })

  test(`${name}: each spec has a case in which it stops a step and lets one run`, () => {
    for (const id of ids) {
      const own = files.find((each) => each.name === id)
      assert.ok(own, `no case is named \`${id}\``)
      const stops = own.expect.filter(
        ({ verdict, reasons }) => verdict !== 'allow' && named(reasons).includes(id),
      )
      assert.ok(stops.length > 0, `\`${id}\` stops nothing`)
      assert.ok(allowed(own, ids).length > 0, `\`${id}\` lets nothing run`)
    }
  })
}
