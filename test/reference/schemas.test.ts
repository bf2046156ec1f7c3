import assert from 'node:assert/strict'
import path from 'node:path'
import { before, test } from 'node:test'
import { createClient } from '@plimsoll/client'
import { runFleet } from '@plimsoll/fleet'
import { defaultDocuments, readDocument } from '@plimsoll/policy'
import { Ajv, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { createRandom } from '../property/random.js'
import { projectRoot } from '../support/paths.js'
import { deploy } from '../support/sessions/deployment.js'
import { mutationsOf } from './mutations.js'
import { makeSamples } from './samples.js'
import { CONTRACTS, schemaDocument, type ContractName } from './schemas.js'

const MUTATIONS_EACH = 300
const SEED = 20_261_122

/**
 * What zod refuses and JSON Schema cannot say, each named in a `$comment` of the schema: everything else both refuse alike.
 * Recognised by the messages of zod's issues.
 */
const BEYOND: Readonly<Partial<Record<ContractName, RegExp>>> = {
  bundle:
    /^expected (ascending thresholds|at most horizonMax|for the space `flow` alone|as many ascending x as y|children behind their parent|\d+ (values in \w+|values in each (row of forward|array)|rows in forward))$|^a (count|figure) names a state outside the space$|^a tree splits on a feature that has no name$/,
  policy:
    /^spec `.*` stands twice$|^expected `days` with the scope `always`, and only with it$|^the scope `always` goes with `session`$/,
}

const names = Object.keys(CONTRACTS) as ContractName[]
// `anyOf` of required members stands beside the `properties` that say what they are.
const options = { strict: true, strictRequired: false, allowUnionTypes: true, strictTuples: false }
const validators = new Map<ContractName, readonly ValidateFunction[]>(
  names.map((name) => [
    name,
    [
      new Ajv2020(options).compile(schemaDocument(name)),
      new Ajv(options).compile(schemaDocument(name, 'draft-07')),
    ],
  ]),
)

let samples: Readonly<Record<ContractName, readonly unknown[]>>
before(async () => {
  const { events, decisions, controls, report, shadow } = await makeSamples()
  const { bundle, policy, catalogue } = await defaultDocuments()
  samples = {
    event: events,
    control: [...controls, ...controls.map((control) => ({ ...control, partition: null }))],
    decision: Object.values(decisions),
    bundle: [bundle, await readDocument('bundle', 'paper60')],
    policy: [policy, await readDocument('policy', path.join(projectRoot, 'examples/calendar/policy.yaml'))],
    catalogue: [catalogue],
    'registry-report': [
      report,
      { ...report, refused: { code: 'control_stale', message: 'a later one stands' } },
    ],
    'shadow-record': [shadow],
  }
})

for (const name of names) {
  const { schema } = CONTRACTS[name]

  test(`${name}: what the project makes and ships is valid by zod and by both drafts of JSON Schema`, () => {
    assert.ok(samples[name].length > 0)
    for (const sample of samples[name]) {
      assert.deepEqual(schema.safeParse(sample).error?.issues, undefined)
      for (const validate of validators.get(name) ?? [])
        assert.ok(validate(sample), JSON.stringify(validate.errors))
    }
  })

  test(`${name}: zod and JSON Schema agree on ${MUTATIONS_EACH} seeded mutations`, () => {
    const random = createRandom(SEED)
    let refused = 0
    for (const { value, what } of mutationsOf(samples[name], MUTATIONS_EACH, random)) {
      const issues = schema.safeParse(value).error?.issues ?? []
      const beyond = BEYOND[name]
      const expected = issues.every(({ message }) => beyond?.test(message) ?? false)
      if (!expected) refused++
      for (const validate of validators.get(name) ?? [])
        assert.equal(
          validate(value),
          expected,
          `${what}: zod ${JSON.stringify(issues.slice(0, 2))}, JSON Schema ${JSON.stringify(validate.errors?.slice(0, 2))}`,
        )
    }
    assert.ok(refused > MUTATIONS_EACH / 3, `only ${refused} were refused: the mutations try nothing`)
    assert.ok(refused < MUTATIONS_EACH, 'all were refused: the mutations try nothing')
  })

  test(`${name}: what JSON Schema cannot say is said in a comment, and nowhere else is one`, () => {
    const hasComment = JSON.stringify(schemaDocument(name)).includes('"$comment"')
    assert.equal(hasComment, name in BEYOND)
  })
}

test('what a fleet and its monitor write is valid by JSON Schema, record by record', async () => {
  const deployment = await deploy('embedded')
  try {
    await deployment.startMonitor().started
    const client = await createClient({ log: deployment.log, topics: deployment.topics })
    await runFleet({ client, seed: SEED, concurrency: 4, sessions: 48 })
    await client.close()
    for (const [name, records] of [
      ['event', deployment.seen.events],
      ['decision', deployment.seen.decisions],
    ] as const) {
      assert.ok(records.length > 100, `${records.length} of ${name}`)
      for (const validate of validators.get(name) ?? [])
        for (const { value } of records)
          assert.ok(
            validate(JSON.parse(String(value))),
            `${String(value)}: ${JSON.stringify(validate.errors)}`,
          )
    }
  } finally {
    await deployment.close()
  }
})
