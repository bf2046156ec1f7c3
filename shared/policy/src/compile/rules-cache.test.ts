import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RegisteredDocument, versionOf } from '@plimsoll/contracts'
import { compileRules, versionsOf } from './rules.js'
import { createRulesCache } from './rules-cache.js'
import { SAMPLE_BUNDLE, SAMPLE_CATALOGUE, samplePolicy } from '../testing.js'

const documents = { bundle: SAMPLE_BUNDLE, policy: samplePolicy(), catalogue: SAMPLE_CATALOGUE }
const versions = versionsOf(documents)

/** Policies that are in a registry alone, each blocking a tool of its own. */
const policies = Array.from({ length: 5 }, (_, i) => ({
  ...samplePolicy({ id: 'none', tier: 'blocklist', tools: [`tool_${i}`] }),
  name: `registered-${i}`,
}))

/** A shelf over a registry of `registered`, with what it was asked for. */
function rulesCacheOver(registered: readonly RegisteredDocument[], maxCompiled?: number) {
  const asked: string[] = []
  const rulesCache = createRulesCache({
    defaults: [documents, { ...documents, policy: { ...documents.policy, name: 'older' } }],
    document: (version) => {
      asked.push(version)
      return registered.find((each) => each.version === version)
    },
    ...(maxCompiled !== undefined && { maxCompiled }),
  })
  return { rulesCache, asked }
}

const registered = policies.map((policy): RegisteredDocument => ({
  kind: 'policy',
  version: versionOf(policy),
  document: policy,
}))
const versionOfPolicy = (i: number) => ({ ...versions, policy: registered[i]?.version ?? '' })

test('the first of the files are the defaults; every combination of them has its rules', () => {
  const { rulesCache, asked } = rulesCacheOver([])
  assert.deepEqual(rulesCache.defaults, versions)
  const older = { ...versions, policy: versionOf({ ...documents.policy, name: 'older' }) }
  for (const each of [versions, older]) assert.deepEqual(rulesCache.rules(each)?.versions, each)
  assert.deepEqual(asked, [], 'files come first')
})

test('what is registered goes together with what is in files', () => {
  const { rulesCache } = rulesCacheOver(registered)
  const rules = rulesCache.rules(versionOfPolicy(3))
  assert.deepEqual(rules?.versions, versionOfPolicy(3))
  assert.equal(rules?.tool('tool_3').blocklist.length, 1)
  assert.equal(rules?.tool('tool_2').blocklist.length, 0)
})

test('an unknown version has no rules, until it is known; nor has one of another kind', () => {
  const late: RegisteredDocument[] = []
  const { rulesCache } = rulesCacheOver(late)
  assert.equal(rulesCache.rules(versionOfPolicy(0)), undefined)
  late.push(...registered)
  assert.ok(rulesCache.rules(versionOfPolicy(0)))
  assert.equal(rulesCache.rules({ ...versions, policy: versions.bundle }), undefined)
  assert.equal(rulesCache.rules({ ...versions, bundle: versionOfPolicy(0).policy }), undefined)
})

test('rules are compiled once while they are in use, and the longest unused go first', () => {
  const { rulesCache, asked } = rulesCacheOver(registered, 2)
  const [a, b, c] = [versionOfPolicy(0), versionOfPolicy(1), versionOfPolicy(2)]
  const first = rulesCache.rules(a)
  rulesCache.rules(b)
  assert.equal(rulesCache.rules(a), first)
  rulesCache.rules(c)
  assert.deepEqual(asked, [a.policy, b.policy, c.policy])
  assert.equal(rulesCache.rules(a), first, 'used after b, so b has gone')
  rulesCache.rules(b)
  assert.deepEqual(asked.slice(3), [b.policy])
  assert.deepEqual(rulesCache.rules(b)?.versions, b)
})

test('the shelf compiles what the compiler compiles', () => {
  const { rulesCache } = rulesCacheOver([])
  const [made, expected] = [rulesCache.rules(versions), compileRules(documents)]
  for (const key of ['horizon', 'hysteresis', 'approvalTtlMs', 'line', 'unlabelled'] as const)
    assert.deepEqual(made?.[key], expected[key])
})
