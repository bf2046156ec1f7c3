import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Met, Policies } from '@plimsoll/console'
import { type Policy, type Spec, versionOf } from '@plimsoll/contracts'
import { publishDocuments } from '@plimsoll/operations'
import { openRegistry } from '@plimsoll/runtime'
import { type ConsoleDeployment, type Visitor, withConsole } from '../../support/console-world.js'
import { DEPLOYMENTS } from '../../support/sessions/deployment.js'
import { settleControl } from '../../support/sessions/controls.js'
import { waitUntil } from '../../support/wait-until.js'

const policiesOf = async (visitor: Visitor, query = '') =>
  (await visitor.get<Policies>(`/api/policies${query}`)).body
const metOf = async (visitor: Visitor, query: string) => (await visitor.get<Met>(`/api/met?${query}`)).body

/** Registers the deployment's policy with one spec more, and activates it. */
async function activate({ log, topics, documents, ...rest }: ConsoleDeployment): Promise<Policy> {
  const base = documents[0].policy
  const spec: Spec = {
    id: 'no-purge',
    tier: 'blocklist',
    tools: ['purge_*'],
    message: 'nothing is purged',
  }
  const policy: Policy = { ...base, name: 'strict', specs: [...base.specs, spec] }
  const version = versionOf(policy)
  const registry = await openRegistry({ log, topic: topics.registry, watch: false })
  const signal = new AbortController().signal
  await publishDocuments([{ kind: 'policy', version, document: policy }], {
    log,
    topic: topics.registry,
    registry,
    signal,
  })
  await registry.close()
  const change = {
    id: 'c-1',
    type: 'versions.activated',
    versions: { policy: version },
    running: false,
  } as const
  await settleControl({ log, topics, documents, ...rest }, change)
  return policy
}

for (const [kind, skip] of DEPLOYMENTS)
  describe(kind, { skip }, () => {
    test('policies by tenant, how often each spec mattered, and the steps that met it', async () => {
      await withConsole(kind, async (fixture) => {
        const { connect, logIn, documents } = fixture
        const client = await connect()
        const vera = await logIn('vera')
        const earlier = await client.startSession({ id: 'globex~old' })
        await earlier.propose({ tool: 'purge_everything' })
        const policy = await activate(fixture)
        const session = await client.startSession({ id: 'acme~new', agent: 'scribe' })
        assert.equal((await session.propose({ tool: 'purge_everything' })).verdict, 'block')

        await waitUntil('the counts', async () => (await policiesOf(vera)).policies.length === 2)
        const [version, own] = [versionOf(policy), versionOf(documents[0].policy)]
        await waitUntil('the block', async () => {
          const { shown } = await policiesOf(vera)
          return shown?.specs[0]?.blocked === 1
        })
        const { policies, shown } = await policiesOf(vera)
        assert.deepEqual(
          policies.map((row) => [
            row.version,
            row.isActive,
            row.isRegistered,
            row.uses.map(({ tenant }) => tenant),
          ]),
          [
            [version, true, true, ['acme']],
            [own, false, false, ['globex']],
          ],
        )
        assert.deepEqual(
          [shown?.name, shown?.specs[0]?.id, shown?.specs[0]?.sessions],
          ['strict', 'no-purge', 1],
        )
        const met = await metOf(vera, `code=no-purge&version=${version}`)
        assert.deepEqual(
          [
            met.count,
            met.steps.map(({ sessionId, tool, verdict, agent }) => [sessionId, tool, verdict, agent]),
          ],
          [1, [['acme~new', 'purge_everything', 'block', 'scribe']]],
        )
        assert.match(met.spec ?? '', /"message": "nothing is purged"/)
        assert.equal((await metOf(vera, `code=no-purge&version=${own}`)).spec, undefined)
        // Of the earlier policy the check that asked is listed.
        const before = await policiesOf(vera, `?version=${own}`)
        assert.equal(before.shown?.version, own)
        assert.ok(before.others.some(({ code }) => code === 'no-purge'))
      })
    })
  })

test('policies and steps of other tenants are hidden', async () => {
  await withConsole('embedded', async (fixture) => {
    const { connect, logIn, documents } = fixture
    const client = await connect()
    const session = await client.startSession({ id: 'globex~run' })
    await session.propose({ tool: 'purge_everything' })
    const [vera, acme] = [await logIn('vera'), await logIn('acme')]
    await waitUntil('the counts', async () => (await policiesOf(vera)).others.length > 0)
    const [check] = (await policiesOf(vera)).others
    assert.equal((await metOf(vera, `code=${check?.code}`)).count, 1)
    assert.deepEqual(await policiesOf(acme), { policies: [], others: [] })
    const own = versionOf(documents[0].policy)
    assert.deepEqual(await metOf(acme, `code=${check?.code}&version=${own}`), { steps: [], count: 0 })
    for (const path of ['/api/met', '/api/met?code=', '/api/policies?version=', '/api/policies?tenant=acme'])
      assert.equal((await vera.get(path)).status, 400, path)
  })
})
