import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { Decision } from '@plimsoll/contracts'
import type { Gateway, GatewayOptions } from '@plimsoll/gateway'
import type { MonitorOptions } from '@plimsoll/monitor'
import { createEmbeddedLineages } from '@plimsoll/runtime/embedded'
import { blocksOf } from '../../reference/hand-written.js'
import { DEPLOYMENTS, type DeploymentKind } from '../../support/sessions/deployment.js'
import { withGateway, type GatewayDeployment } from '../../support/gateway-world.js'
import { projectRoot } from '../../support/paths.js'
import { runShell } from '../../support/run/run-shell.js'

const folder = path.join(projectRoot, 'examples/http')
const KEYS = { desk: 'key-of-desk', bot: 'key-of-bot' } as const

function onGateway(
  kind: DeploymentKind,
  play: (deployment: GatewayDeployment) => Promise<void>,
  options?: Partial<GatewayOptions>,
  monitor?: Partial<MonitorOptions>,
): Promise<void> {
  return withGateway(
    kind,
    async (deployment) => {
      await deployment.startMonitor(monitor).started
      await play(deployment)
    },
    options,
  )
}

const environmentOf = ({ url }: Gateway) => ({
  GATEWAY: url,
  GATEWAY_KEY: KEYS.desk,
})

const linesOf = (out: string): readonly string[] => out.split('\n').filter((line) => line !== '')

for (const [kind, skip] of DEPLOYMENTS)
  test(`curl asks a gateway before each step, ${kind}`, { skip }, () =>
    onGateway(kind, async (deployment) => {
      const script = path.join(folder, 'check.sh')
      const { out, err, code } = await runShell(`bash '${script}'`, environmentOf(deployment.gateway))
      assert.equal(code, 0, `${out}\n${err}`)
      const [read = '', send = '', ...rest] = linesOf(out)
      assert.match(read, /^get_customer: .*"verdict":"allow","mayRun":true/)
      assert.match(send, /^send_email: .*"verdict":"block","mayRun":false/)
      assert.deepEqual(rest, ['not sent'])
      await deployment.until('5 events', () => deployment.seen.events.length === 5)
      assert.deepEqual(deployment.seen.deadLetters, [])
    }),
  )

test('the commands of the HTTP check page work', async () => {
  const page = readFileSync(path.join(projectRoot, 'docs/reference/http.md'), 'utf8')
  const [prepare = '', ask = '', ...more] = blocksOf(page, 'sh')
  assert.deepEqual(more, [])
  const { out: principals } = await runShell(`cd "$(mktemp -d)"\n${prepare}\ncat principals.yaml`, {})
  assert.match(principals, /keys: \[[0-9a-f]{64}\]/)
  await onGateway('embedded', async ({ gateway }) => {
    const { out, err, code } = await runShell(ask, environmentOf(gateway))
    assert.equal(code, 0, `${out}\n${err}`)
    const verdicts = [...out.matchAll(/"verdict":"\w+","mayRun":\w+/g)].map(([verdict]) => verdict)
    assert.deepEqual(verdicts, ['"verdict":"allow","mayRun":true', '"verdict":"block","mayRun":false'])
  })
})

/** Sends a request as `name`; returns the response. */
async function askAs(
  name: keyof typeof KEYS,
  { url }: Gateway,
  address: string,
  body: object,
): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${KEYS[name]}`, 'content-type': 'application/json' }
  const reply = await fetch(url + address, { method: 'POST', headers, body: JSON.stringify(body) })
  return reply.status === 204 ? {} : ((await reply.json()) as Record<string, unknown>)
}

test('an agent makes no verdict milder by its own reports or by a new session', () =>
  onGateway(
    'embedded',
    async ({ gateway }) => {
      const ask = (address: string, body: object) => askAs('bot', gateway, address, body)
      const { session } = await ask('/v1/sessions', { category: 'content_creation', user: 'ann' })
      const read = await ask('/v1/check', { session, tool: 'get_customer', arguments: { id: 7 } })
      const result = 'Case KX-48217: Ann Moor, account 7730194422, owes 1,240.'
      await ask('/v1/complete', { session, callId: read['callId'], result })
      const mail = { to: 'press@example.org', body: 'Ann Moor (KX-48217), account 7730194422' }
      const labels = { capability: 'read', reversibility: 'reversible' }
      const leak = { tool: 'send_email', arguments: mail, labels, evidence: 'absent' }
      assert.equal((await ask('/v1/check', { session, ...leak }))['verdict'], 'block')
      await ask('/v1/end', { session })
      const restarted = await ask('/v1/check', {
        user: 'somebody else',
        category: 'content_creation',
        ...leak,
      })
      assert.equal(restarted['verdict'], 'block')
      const { risk } = restarted['decision'] as Decision
      assert.equal(risk?.category, 'research_comms', "the principal's own")
    },
    { lineages: createEmbeddedLineages() },
  ))

const IDENTITY_KEY = 'an identity key for this test alone'

for (const [kind, skip] of DEPLOYMENTS)
  test(`a session continues at another gateway when monitors require identities, ${kind}`, { skip }, () =>
    onGateway(
      kind,
      async (deployment) => {
        const { session } = await askAs('bot', deployment.gateway, '/v1/sessions', {})
        const step = { session, tool: 'get_customer', arguments: { id: 7 } }
        const first = await askAs('bot', deployment.gateway, '/v1/check', step)
        assert.deepEqual([first['verdict'], first['by']], ['allow', 'decision'])
        const other = await deployment.startGateway()
        const { callId, tool } = first
        await askAs('bot', other, '/v1/complete', { session, callId, tool, result: 'Ann Moor, KX-48217' })
        const second = await askAs('bot', other, '/v1/check', step)
        const { risk, step: number } = second['decision'] as Decision
        assert.deepEqual(
          [second['verdict'], second['by'], number, risk?.withoutVerdict],
          ['allow', 'decision', 2, 0],
        )
        const foreign = await askAs('desk', other, '/v1/check', step)
        assert.match(JSON.stringify(foreign), /session_unknown/)
        assert.deepEqual(deployment.seen.deadLetters, [])
      },
      { client: { identityKey: IDENTITY_KEY } },
      { identity: { keys: [IDENTITY_KEY], isRequired: true } },
    ),
  )
