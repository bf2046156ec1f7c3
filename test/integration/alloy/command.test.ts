import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { runCli } from '../../e2e/cli-process.js'
import { temporaryFolder } from '../../e2e/models/recordings.js'
import { alloyMissing, askAlloy } from '../../support/alloy/index.js'
import { projectRoot } from '../../support/paths.js'

const missing = await alloyMissing()
const skip = missing === undefined ? false : `no Alloy Analyzer: ${missing}`
const calendar = (file: string) => path.join(projectRoot, 'examples/calendar', file)

test('plimsoll verify --alloy writes a module that the Analyzer executes', { skip }, async () => {
  const { folder, remove } = await temporaryFolder()
  try {
    const file = path.join(folder, 'calendar.als')
    const documents = [calendar('policy.yaml'), '--tools', calendar('catalogue.yaml')]
    const { stderr } = await runCli(['verify', ...documents, '--depth', '4', '--alloy', file])
    assert.equal(stderr, '')
    const [answers] = await askAlloy([await readFile(file, 'utf8')])
    assert.equal(answers?.get('hazard_H1_policy_off'), 'sat')
    assert.equal(answers.get('hazard_H1_policy_on'), 'unsat')
  } finally {
    await remove()
  }
})

test('an unwritable module path is an error before the search starts', async () => {
  const { code, stderr } = await runCli([
    'verify',
    calendar('policy.yaml'),
    '--alloy',
    '/no/such/folder/x.als',
  ])
  assert.equal(code, 2)
  assert.match(stderr, /`\/no\/such\/folder\/x.als` cannot be written/)
})
