import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Catalogue, type Policy, type RegisteredDocument, PlimsollError } from '@plimsoll/contracts'
import { assertPrefixes, resolveVersions } from './documents.js'

const policyOf = (version: string): RegisteredDocument => ({
  kind: 'policy',
  version,
  document: { name: `policy ${version.slice(0, 10)}` } as Policy,
})
const catalogue: RegisteredDocument = {
  kind: 'catalogue',
  version: 'c'.repeat(32),
  document: { name: 'tools' } as Catalogue,
}
const [first, second] = [`aaaaaaaa1${'0'.repeat(23)}`, `aaaaaaaa2${'0'.repeat(23)}`]
const documents = [policyOf(first), policyOf(second), catalogue]

test('finds versions in full, or by a unique prefix', () => {
  assert.deepEqual(resolveVersions([first], documents), { policy: first })
  assert.deepEqual(resolveVersions(['aaaaaaaa2', 'cccccccc'], documents), {
    policy: second,
    catalogue: catalogue.version,
  })
  assert.deepEqual(resolveVersions([first, 'aaaaaaaa1'], documents), { policy: first }, 'the same twice')
})

const REFUSED: readonly (readonly [given: string[], code: string, message: RegExp])[] = [
  [['aaaaaaa'], 'usage_invalid', /`aaaaaaa` is no version: 8 to 32 hex digits/],
  [['policy.yaml', 'AAAAAAAA1'], 'usage_invalid', /`policy\.yaml`.*; `AAAAAAAA1`/],
  [['dddddddd'], 'version_unknown', /`dddddddd`: publish it with `plimsoll publish FILE`/],
  [
    ['aaaaaaaa'],
    'usage_invalid',
    new RegExp(`several: \`${first}\` \\(policy \`policy aaaaaaaa10\`\\), \`${second}\``),
  ],
  [[first, second], 'usage_invalid', /are both a policy/],
]

for (const [given, code, message] of REFUSED)
  test(`refuses ${given.join(' ').slice(0, 40)} with ${code}`, () =>
    assert.throws(
      () => {
        assertPrefixes(given)
        resolveVersions(given, documents)
      },
      (error) => error instanceof PlimsollError && error.code === code && message.test(error.message),
    ))
