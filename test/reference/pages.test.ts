import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '../support/paths.js'
import { generatedPages } from './pages.js'

for (const { file, text } of generatedPages())
  test(`docs/reference/${file} is what the code makes of it; else run npm run reference`, () => {
    assert.equal(readFileSync(path.join(projectRoot, 'docs/reference', file), 'utf8'), text)
  })
