import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { ERRORS } from '@plimsoll/contracts'
import { projectRoot } from '../support/paths.js'

const page = readFileSync(path.join(projectRoot, 'docs/reference/errors.md'), 'utf8')
const documented = [...page.matchAll(/^### `(.*)`$/gm)].map(([, code = '']) => code)

test('every error code is documented once, and no other', () => {
  assert.deepEqual(documented.toSorted(), Object.keys(ERRORS).toSorted())
})
