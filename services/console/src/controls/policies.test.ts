import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RegisteredDocument, type Spec, versionOf } from '@plimsoll/contracts'
import { defaultDocuments } from '@plimsoll/policy'
import type { PolicyUse, ReasonCount } from '../api.js'
import { type PolicySources, createFindDocument, policiesOf } from './policies.js'

const shipped = await defaultDocuments()
const policyOf = (name: string, specs: readonly object[] = []) => ({
  ...shipped.policy,
  name,
  specs: specs as Spec[],
})
const registeredOf = (document: ReturnType<typeof policyOf>): RegisteredDocument => ({
  kind: 'policy',
  version: versionOf(document),
  document,
})
const countOf = (code: string, over: Partial<ReasonCount> = {}): ReasonCount => ({
  source: 'confirmation',
  code,
  asked: 0,
  blocked: 0,
  warned: 0,
  lifted: 0,
  sessions: 1,
  ...over,
})
const useOf = (version: string, tenant = 'acme'): PolicyUse => ({
  tenant,
  version,
  live: 1,
  sessions: 2,
  lastAt: 0,
})

const rare = { id: 'rare', tier: 'blocklist', tools: ['a'] }
const often = { id: 'often', tier: 'confirmation', tools: ['b'], message: 'asks', requirements: ['r1'] }
const own = registeredOf(policyOf('own', [rare, often]))
const other = registeredOf(policyOf('other'))

function sourcesOf(over: Partial<PolicySources> = {}, status?: object): PolicySources {
  const documents = [other, own]
  const registry = {
    document: (version: string) => documents.find((each) => each.version === version),
    documents: () => documents,
  } as unknown as NonNullable<PolicySources['controls']['registry']>
  return {
    controls: { registry, status: () => status as ReturnType<PolicySources['controls']['status']> },
    findDocument: createFindDocument([shipped], registry),
    uses: [],
    counts: [],
    seesAll: false,
    ...over,
  }
}

test('the active policy is first, then those in use, then the shadow; others for those who see all', () => {
  const used = useOf(versionOf(shipped.policy))
  const status = { active: { policy: own.version }, shadow: { policy: other.version, by: 'ines', time: 0 } }
  const flags = (sources: PolicySources) =>
    policiesOf(sources, undefined).policies.map(({ name, isActive, isShadow, isRegistered, uses }) => [
      name,
      isActive,
      isShadow,
      isRegistered,
      uses.length,
    ])
  assert.deepEqual(flags(sourcesOf({ uses: [used] }, status)), [
    ['own', true, false, true, 0],
    [shipped.policy.name, false, false, false, 1],
    ['other', false, true, true, 0],
  ])
  assert.deepEqual(flags(sourcesOf({ uses: [used] })), [[shipped.policy.name, false, false, false, 1]])
  assert.equal(flags(sourcesOf({ seesAll: true })).length, 2)
  assert.deepEqual(policiesOf(sourcesOf(), undefined), { policies: [], others: [] })
})

test('specs have what mattered of them, the most first; the rest is listed beside them', () => {
  const counts = [
    countOf('often', { asked: 3, sessions: 2 }),
    countOf('often', { source: 'flow', blocked: 1, sessions: 1 }),
    countOf('line_unknown', { source: 'line', warned: 9 }),
  ]
  const { shown, others } = policiesOf(sourcesOf({ counts, uses: [useOf(own.version)] }), own.version)
  assert.deepEqual(
    shown?.specs.map(({ id, asked, blocked, sessions, message }) => [id, asked, blocked, sessions, message]),
    [
      ['often', 3, 1, 2, 'asks'],
      ['rare', 0, 0, 0, undefined],
    ],
  )
  assert.deepEqual(
    others.map(({ code }) => code),
    ['line_unknown'],
  )
})

test('a version that may not be seen is not shown, and one without a document has a row alone', () => {
  const { shown } = policiesOf(sourcesOf({ uses: [useOf(other.version)] }), own.version)
  assert.equal(shown?.name, 'other')
  const lost = policiesOf(sourcesOf({ uses: [useOf('0'.repeat(32))] }), undefined)
  assert.deepEqual([lost.policies[0]?.name, lost.shown], [undefined, undefined])
})
