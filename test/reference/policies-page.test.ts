import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { PATTERN_MEMBERS, PlimsollError, specSchema } from '@plimsoll/contracts'
import {
  compileExpression,
  compileRules,
  defaultDocuments,
  LINT_CODES,
  parseCases,
  parseDocument,
  runCase,
} from '@plimsoll/policy'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parse } from 'yaml'
import { projectRoot } from '../support/paths.js'

const page = readFileSync(path.join(projectRoot, 'docs/reference/policies.md'), 'utf8')
const documents = await defaultDocuments()

/** The schema as it lies in the project, which is what an editor reads. */
const schema = JSON.parse(
  readFileSync(path.join(projectRoot, 'docs/reference/schemas/policy.json'), 'utf8'),
) as object
const isValid = new Ajv2020({ strict: false, allErrors: true }).compile(schema)

const blocks = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = '']) => text)
const isRefused = (text: string): boolean => text.startsWith('# refused')
const isCase = (text: string): boolean => text.includes('\nevents:')

/** A snippet as a whole policy: of specs alone, or of members, the rest is that of the policy that ships. */
function wholeOf(text: string): unknown {
  const content: unknown = parse(text)
  // Read, the policy that ships has its packs expanded: their analysis is of their specs alone.
  const { analysis: _, ...shipped } = documents.policy
  return Array.isArray(content) ? { ...shipped, specs: content } : { ...shipped, ...(content as object) }
}

const good = blocks.filter((text) => !isRefused(text) && !isCase(text))

test('every policy on the page compiles, and is valid for editors', () => {
  assert.ok(good.length >= 7)
  for (const text of good) {
    const whole = wholeOf(text)
    const policy = parseDocument('policy', JSON.stringify(whole), 'policies.md')
    compileRules({ ...documents, policy }).tool('send_email')
    assert.ok(isValid(whole), `${text}${JSON.stringify(isValid.errors)}`)
  }
})

test('what the page calls refused is, with these words, and editors refuse it too', () => {
  const text = blocks.find(isRefused) ?? ''
  const [, reported = ''] = /```text\n(specs\.0.*?)```/s.exec(page) ?? []
  assert.throws(
    () => parseDocument('policy', JSON.stringify(wholeOf(text)), 'policies.md'),
    (error) => {
      assert.ok(error instanceof PlimsollError)
      assert.deepEqual(error.details['problems'], reported.trimEnd().split('\n'))
      return true
    },
  )
  assert.ok(!isValid(wholeOf(text)))
})

test('editors refuse what a policy may not say', () => {
  const refused: object[] = [
    { specs: [{ id: 'a', tier: 'blocklst', tools: ['x'] }] },
    { specs: [{ id: 'a', tier: 'blocklist', tols: ['x'] }] },
    { specs: [{ id: 'a', tier: 'blocklist', tools: ['x'], after: {} }] },
    { specs: [{ id: 'a', tier: 'blocklist', tools: ['x'], after: { within: { steps: 3 } } }] },
    { specs: [{ id: 'a', tier: 'blocklist', tools: ['x'], after: { tools: ['y'], within: { steps: 0 } } }] },
    {
      specs: [
        { id: 'a', tier: 'mustlist', tools: ['x'], followedBy: { step: { tools: ['y'] }, within: 'soon' } },
      ],
    },
    { specs: [{ id: 'a', tier: 'allowlist', tools: ['x'], lifts: ['blocklist'] }] },
    { analysis: { hazards: [{ id: 'H', text: 't', reached: { sequence: [] } }] } },
    { declassifiers: [{ id: 'd', step: { tools: ['x'] } }] },
  ]
  for (const members of refused)
    assert.ok(!isValid({ ...documents.policy, ...members }), JSON.stringify(members))
})

test('every condition of the language has an example', () => {
  const text = good.join('\n')
  const words =
    'tools capability confidentiality trust reversibility tags recipient where after before between atMost sum distinct fleet flow counts requires followedBy lifts verdict declassifiers analysis goals exit within by'
  assert.deepEqual(
    words.split(' ').filter((word) => !new RegExp(`\\b${word}: `).test(text) && !text.includes(`${word}:\n`)),
    [],
  )
})

test('every case on the page passes', () => {
  const cases = blocks.filter(isCase)
  assert.ok(cases.length > 0)
  for (const text of cases) {
    const source = { name: 'policies.md', base: documents, textOf: () => '' }
    assert.deepEqual(parseCases(text, source).flatMap(runCase), [])
  }
})

test('every expression on the page gives what it says', () => {
  const rows = [...page.matchAll(/^\| `(.+)` \| `(\{.+\})` \| (.+) \|$/gm)]
  assert.ok(rows.length >= 10)
  for (const [, expression = '', args = '', gives = ''] of rows) {
    const value = compileExpression(expression).evaluate(parse(args) as Record<string, unknown>)
    const expected: unknown = gives === 'not known' ? undefined : parse(gives.replaceAll('`', ''))
    assert.deepEqual(value, expected, expression)
  }
})

test('every code of linting is on the page, with its severity', () => {
  const reported = [...page.matchAll(/^\| `([a-z-]+)` \| (error|warning|note) \|/gm)].map(
    ([, code, severity]) => [code, severity],
  )
  assert.deepEqual(reported, Object.entries(LINT_CODES))
})

test('both pages of the language name every member of a spec', () => {
  const semantics = readFileSync(path.join(projectRoot, 'docs/reference/policy-semantics.md'), 'utf8')
  const members = new Set(specSchema.options.flatMap(({ shape }) => Object.keys(shape)))
  const isNamed = (text: string, member: string) => new RegExp(`\\b${member}\\b`).test(text)
  assert.deepEqual(
    [...members].filter((member) => !isNamed(page, member)),
    [],
  )
  const plain = new Set<string>(['id', 'message', 'alternative', 'requirements', 'tier', ...PATTERN_MEMBERS])
  assert.deepEqual(
    [...members].filter((member) => !plain.has(member) && !isNamed(semantics, member)),
    [],
  )
})
