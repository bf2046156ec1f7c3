import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, test } from 'node:test'
import { lintText, readDocument, verifyPolicy } from '@plimsoll/policy'
import { projectRoot } from '../../support/paths.js'

const NAMES = ['blocklist-heavy', 'allowlist-heavy', 'confirmation-heavy'] as const
const fileOf = (name: string) => path.join(projectRoot, 'examples/configurations', `${name}.yaml`)

describe('the three configurations', () => {
  for (const name of NAMES)
    test(`${name} lints without errors`, async () => {
      const { findings } = lintText(await readFile(fileOf(name), 'utf8'), name)
      assert.deepEqual(
        findings.filter(({ severity }) => severity === 'error'),
        [],
      )
    })

  for (const name of NAMES)
    test(`${name} passes verification with the office tools`, async () => {
      const [policy, catalogue] = await Promise.all([
        readDocument('policy', fileOf(name)),
        readDocument('catalogue', path.join(projectRoot, 'test/catalogues/agentdojo-workspace.yaml')),
      ])
      const { hazards, goals, wedge } = verifyPolicy({ policy, catalogue })
      const stated = hazards.filter(({ result }) => result !== 'not_stated')
      assert.deepEqual(
        stated.map(({ id, result }) => [id, result]),
        [['H2', 'proved']],
      )
      assert.deepEqual([goals.map(({ result }) => result), wedge.result], [['reachable'], 'none'])
    })
})
