import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ControlSent, Controls } from '@plimsoll/console'
import { type LiveEvent, type Visitor, withConsole } from '../../support/console-world.js'
import { DEPLOYMENTS } from '../../support/sessions/deployment.js'
import { settleControl } from '../../support/sessions/controls.js'
import { waitUntil } from '../../support/wait-until.js'

const change = (visitor: Visitor, body: object) => visitor.post<ControlSent>('/api/controls', body)
const controlsOf = async (visitor: Visitor) => (await visitor.get<Controls>('/api/controls')).body
const read = { tool: 'read_file', arguments: { path: 'notes.md' } }

for (const [kind, skip] of DEPLOYMENTS)
  describe(kind, { skip }, () => {
    test('a stop holds for its tenant, by the one who is logged in, until it is resumed', async () => {
      await withConsole(kind, async ({ connect, logIn }) => {
        const [opal, vera] = await Promise.all([logIn('opal'), logIn('vera')])
        const client = await connect()
        const [acme, globex] = [
          await client.startSession({ id: 'acme~one', agent: 'mailer' }),
          await client.startSession({ id: 'globex~one', agent: 'mailer' }),
        ]
        const heard = vera.follow('/api/live', (events: readonly LiveEvent[]) =>
          events.some(({ name }) => name === 'controls'),
        )
        const stopped = await change(opal, { action: 'stop', tenant: 'acme', reason: 'a drill' })
        assert.equal(stopped.status, 200, JSON.stringify(stopped.body))
        const { entry, partitions, applied, silent, refused } = stopped.body
        assert.deepEqual([partitions, applied, silent, refused], [3, 3, 0, []])
        assert.deepEqual(
          [entry.by, entry.action, entry.tenant, entry.reason],
          ['opal', 'stop', 'acme', 'a drill'],
        )
        await heard

        const blocked = await acme.propose(read)
        assert.equal(blocked.verdict, 'block')
        assert.ok(
          blocked.decision?.reasons.some(
            ({ source, message }) => source === 'stop' && /a drill/.test(message),
          ),
        )
        assert.equal((await globex.propose(read)).verdict, 'allow')
        const { settings, differing, stragglers } = await controlsOf(opal)
        assert.deepEqual(
          settings.map(({ setting, tenant, by }) => [setting, tenant, by]),
          [['stop', 'acme', 'opal']],
        )
        assert.deepEqual([differing, stragglers], [[], []])

        assert.equal((await change(opal, { action: 'resume', tenant: 'acme', reason: 'over' })).status, 200)
        assert.equal((await acme.propose(read)).verdict, 'allow')
        const { settings: left, history } = await controlsOf(opal)
        assert.deepEqual(left, [])
        assert.deepEqual(
          history.map(({ action, reason }) => [action, reason]),
          [
            ['resume', 'over'],
            ['stop', 'a drill'],
          ],
        )
      })
    })
  })

test('an agent is observed, and the setting is taken back', async () => {
  await withConsole('embedded', async ({ logIn }) => {
    const ines = await logIn('ines')
    const scope = { tenant: 'acme', agent: 'mailer' }
    assert.equal((await change(ines, { action: 'observe', ...scope, reason: 'a trial' })).status, 200)
    const [setting] = (await controlsOf(ines)).settings
    assert.deepEqual([setting?.setting, setting?.tenant, setting?.agent], ['observe', 'acme', 'mailer'])
    assert.equal((await change(ines, { action: 'inherit', ...scope, reason: 'over' })).status, 200)
    assert.deepEqual((await controlsOf(ines)).settings, [])
  })
})

test('what somebody may not change is refused, and what they may not see is left out', async () => {
  await withConsole('embedded', async ({ logIn }) => {
    const [ines, opal, acme] = await Promise.all([logIn('ines'), logIn('opal'), logIn('acme')])
    for (const [visitor, body, status, message] of [
      [opal, { action: 'stop', reason: 'x' }, 403, /operator.* in every tenant/],
      [opal, { action: 'observe', agent: 'mailer', reason: 'x' }, 403, /in every tenant/],
      [opal, { action: 'stop', tenant: 'globex', reason: 'x' }, 403, /operator/],
      [acme, { action: 'resume', tenant: 'acme', reason: 'x' }, 403, /operator/],
      [ines, { action: 'stop' }, 400, /reason/],
      [ines, { action: 'stop', reason: ' ' }, 400, /reason/],
      [ines, { action: 'stop', agent: 'mailer', reason: 'x' }, 400, /agent/],
      [ines, { action: 'stop', tenant: 'A b', reason: 'x' }, 400, /tenant/],
      [ines, { action: 'observe', agent: 'a\nb', reason: 'x' }, 400, /agent/],
      [ines, { action: 'activate', reason: 'x' }, 400, /action/],
      [ines, { action: 'stop', by: 'vera', reason: 'x' }, 400, /by/],
    ] as const) {
      const reply = await change(visitor, body)
      assert.equal(reply.status, status, JSON.stringify(body))
      assert.match(reply.body.error?.message ?? '', message)
    }
    assert.deepEqual((await controlsOf(ines)).history, [])

    for (const scope of [{ tenant: 'globex' }, { tenant: 'acme' }, {}])
      assert.equal((await change(ines, { action: 'observe', ...scope, reason: 'x' })).status, 200)
    const { settings, history } = await controlsOf(acme)
    for (const list of [settings, history])
      assert.deepEqual(list.map(({ tenant }) => tenant ?? 'fleet').toSorted(), ['acme', 'fleet'])
  })
})

test('a change by the command line is heard of, and without a key nothing is changed here', async () => {
  await withConsole(
    'embedded',
    async (fixture) => {
      const ines = await fixture.logIn('ines')
      const heard = ines.follow('/api/live', (events) => events.some(({ name }) => name === 'controls'))
      await settleControl(fixture, { id: 'c-1', type: 'fleet.stopped', tenant: 'acme' })
      await heard
      await waitUntil('the stop', async () => (await controlsOf(ines)).settings.length === 1)
      const refused = await change(ines, { action: 'resume', tenant: 'acme', reason: 'x' })
      assert.deepEqual([refused.status, refused.body.error?.code], [403, 'forbidden'])
      assert.match((await controlsOf(ines)).problem ?? '', /no signing key/)
    },
    { signingKey: undefined },
  )
})

test('two changes at once: the second waits for nobody, and is refused', async () => {
  await withConsole('embedded', async ({ logIn }) => {
    const ines = await logIn('ines')
    const both = await Promise.all(
      ['acme', 'globex'].map((tenant) => change(ines, { action: 'stop', tenant, reason: 'x' })),
    )
    assert.deepEqual(new Set(both.map(({ status }) => status)), new Set([200, 429]))
  })
})
