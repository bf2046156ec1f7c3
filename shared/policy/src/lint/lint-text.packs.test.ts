import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Policy } from '@plimsoll/contracts'
import { PACKS_FOLDER, PACK_NAMES, parsePack, shippedPack } from '../document/inspect-policy.js'
import { parseDocument } from '../document/documents.js'
import { LINT_CODES } from './findings.js'
import { lintPolicy, lintText } from './lint-text.js'
import { verifyHazard } from '../verify/hazards/hazards.js'
import { createSetup } from '../verify/setup.js'
import { SAMPLE_CATALOGUES } from '../testing.js'

const shipped = readFileSync(new URL('../../policies/default.yaml', import.meta.url), 'utf8')

/** The policy that ships, with other packs and with specs of its own. */
const textWith = (packs: readonly string[], specs = '[]'): string =>
  shipped.replace('packs: [baseline]', `packs: [${packs.join(', ')}]`).replace('specs: []', `specs: ${specs}`)
const policyWith = (packs: readonly string[], specs?: string): Policy =>
  parseDocument('policy', textWith(packs, specs), 'policy.yaml')

/** Hazards that no pattern can state, or for which no sequence is long enough: cases test what is against them. */
const NOT_STATED: ReadonlySet<string> = new Set([
  'payments-H3',
  'payments-H6',
  'infrastructure-H6',
  'infrastructure-H7',
  'coding-H2',
  'coding-H3',
  'coding-H4',
  'personal-data-H3',
])

/** Hazards that no run reaches; the other stated ones are reached only where a human approves. */
const PROVED: ReadonlySet<string> = new Set([
  'baseline-H1',
  'baseline-H2',
  'baseline-H3',
  'payments-H1',
  'payments-H2',
  'infrastructure-H1',
  'infrastructure-H2',
  'infrastructure-H3',
  'infrastructure-H4',
  'coding-H1',
  'coding-H6',
  'personal-data-H1',
])

/** What verification makes of each hazard of a policy. */
function verified(policy: Policy): Record<string, string> {
  const setup = createSetup({ policy, catalogue: SAMPLE_CATALOGUES.packs })
  return Object.fromEntries(
    (policy.analysis?.hazards ?? []).map((hazard) => [hazard.id, verifyHazard(setup, hazard).result]),
  )
}

function expected({ analysis }: Policy): Record<string, string> {
  const resultOf = (id: string): string => {
    if (NOT_STATED.has(id)) return 'not_stated'
    return PROVED.has(id) ? 'proved' : 'by_approval'
  }
  return Object.fromEntries((analysis?.hazards ?? []).map(({ id }) => [id, resultOf(id)]))
}

for (const name of PACK_NAMES) {
  const policy = policyWith([name])

  test(`${name}: lints without a warning, but for hazards that cannot be stated`, () => {
    assert.deepEqual(lintText(textWith([name]), 'policy.yaml').findings, [])
    const findings = lintPolicy(policy).filter(({ code }) => LINT_CODES[code] !== 'note')
    const { hazards = [] } = policy.analysis ?? {}
    const unstated = hazards.filter(({ id }) => NOT_STATED.has(id)).map(({ id }) => id)
    assert.deepEqual(
      findings.map(({ code }) => code),
      unstated.map(() => 'hazard-not-reached'),
    )
    assert.deepEqual(
      hazards.filter(({ reached }) => !reached).map(({ id }) => id),
      unstated,
    )
  })

  test(`${name}: each hazard that it states is held`, () => {
    assert.deepEqual(verified(policy), expected(policy))
  })

  test(`${name}: each spec says what to do in its place`, () => {
    for (const spec of shippedPack(name)?.specs ?? [])
      assert.ok('message' in spec && 'alternative' in spec, spec.id)
  })

  test(`${name}: no spec makes a tool known that it does not always ask about`, () => {
    const { specs = [] } = shippedPack(name) ?? {}
    const always = specs.filter(
      (spec) =>
        !('lifts' in spec) &&
        spec.tier !== 'mustlist' &&
        Object.keys(spec).every((member) =>
          ['id', 'tier', 'requirements', 'tools', 'message', 'alternative'].includes(member),
        ),
    )
    const asked = new Set(always.flatMap(({ tools = [] }) => tools))
    for (const { id, tier, tools = [] } of specs)
      if (tier !== 'mustlist')
        assert.deepEqual(
          tools.filter((tool) => !asked.has(tool)),
          [],
          id,
        )
  })
}

test('all packs at once', () => {
  const policy = policyWith(PACK_NAMES)
  assert.equal(
    policy.specs.length,
    PACK_NAMES.reduce((sum, name) => sum + (shippedPack(name)?.specs.length ?? 0), 0),
  )
  assert.deepEqual(lintText(textWith(PACK_NAMES), 'policy.yaml').findings, [])
  // All hazards under all specs take minutes: one of each pack.
  const ids = ['baseline-H1', 'payments-H2', 'infrastructure-H1', 'coding-H5', 'personal-data-H4']
  const hazards = policy.analysis?.hazards?.filter(({ id }) => ids.includes(id)) ?? []
  assert.equal(hazards.length, ids.length)
  const some = { ...policy, analysis: { ...policy.analysis, hazards } }
  assert.deepEqual(verified(some), expected(some))
})

test('an unknown pack is an error that lists the known packs', () => {
  const rows: [string, RegExp][] = [
    ['payment', /there is no pack `payment`: did you mean `payments`\? There are `baseline`, `payments`, /],
    ['zebra', /there is no pack `zebra`: name one of `baseline`, `payments`, `infrastructure`, `coding`, /],
  ]
  for (const [name, message] of rows)
    assert.throws(() => policyWith(['baseline', name]), { code: 'document_invalid', message })
  assert.throws(() => policyWith(['coding', 'coding']), /pack `coding` is named twice: name it once/)
})

test("a policy's own spec takes the place of the pack's with its id", () => {
  const own =
    '[{ id: payments-session-count, tier: blocklist, tags: [financial], atMost: { times: 9, per: session } }]'
  const { specs } = policyWith(['baseline', 'payments'], own)
  const found = specs.filter(({ id }) => id === 'payments-session-count')
  assert.equal(found.length, 1)
  assert.deepEqual(Reflect.get(found[0] ?? {}, 'atMost'), { times: 9, per: 'session' })
  assert.equal(specs.at(-1)?.id, 'payments-session-count')
})

test('without packs a policy has its own specs alone', () => {
  assert.deepEqual(policyWith([]).specs, [])
})

test('a pack whose mapping is not whole is refused', () => {
  const text = readFileSync(new URL('baseline.yaml', PACKS_FOLDER), 'utf8')
  const rows: [string, string, RegExp][] = [
    ['  baseline-disables-logs: {', '  baseline-other: {', /spec `baseline-disables-logs` is not mapped/],
    ['  baseline-disables-logs: {', '  baseline-other: {', /there is no spec `baseline-other`/],
    ['owasp: [ASI10], nist', 'owasp: [], nist', /mapping\.baseline-disables-logs\.owasp/],
    ['MEASURE 2.8', 'MEASURE 2.14', /expected a subcategory of the NIST AI RMF/],
    ['ASI05', 'ASI11', /mapping\.baseline-wipes-system\.owasp/],
  ]
  for (const [from, to, message] of rows) {
    assert.ok(text.includes(from), from)
    assert.throws(() => parsePack(text.replace(from, to), 'baseline'), { code: 'document_invalid', message })
  }
})
