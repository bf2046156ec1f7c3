import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '../support/paths.js'
import { CAPABILITIES_FILE, capabilitiesText } from './capabilities.js'

test('the Python client knows the tools of the shipped catalogue', async () => {
  const text = readFileSync(path.join(projectRoot, CAPABILITIES_FILE), 'utf8')
  assert.equal(text, await capabilitiesText(), 'run `npm run reference`')
})
