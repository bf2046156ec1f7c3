import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '../support/paths.js'
import { generatedPages, SCHEMAS_FOLDER } from './pages.js'

const reference = path.join(projectRoot, 'docs/reference')
const pages = await generatedPages()

for (const { file, text } of pages)
  test(`docs/reference/${file} is what the code makes of it; else run npm run reference`, () => {
    assert.equal(readFileSync(path.join(reference, file), 'utf8'), text)
  })

test('there is no schema of what is no contract any more', () => {
  const found = readdirSync(path.join(reference, SCHEMAS_FOLDER)).map((name) => `${SCHEMAS_FOLDER}/${name}`)
  const made = pages.map(({ file }) => file).filter((file) => file.startsWith(`${SCHEMAS_FOLDER}/`))
  assert.deepEqual(found.toSorted(), made.toSorted())
})
