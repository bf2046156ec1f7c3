import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { createClient } from '@plimsoll/client'
import { hashOfToken, type Answered, type Fleet, type Me, type Queue } from '@plimsoll/console'
import { withoutPair } from '../../support/components/components.js'
import { logInWith } from '../../support/console-world.js'
import { deploy, settingsOf } from '../../support/sessions/deployment.js'
import { waitUntil } from '../../support/wait-until.js'
import { runCli, startCli } from '../cli-process.js'

async function folderWithUsers(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-console-'))
  t.after(() => rm(folder, { recursive: true }))
  const users = `users:\n  - { name: ines, tokens: ['${hashOfToken('the token')}'], roles: { '*': approver } }\n`
  await writeFile(path.join(folder, 'users.yaml'), users)
  return folder
}

const urlIn = (line: string): string => /http:[^"]+/.exec(line)?.[0] ?? ''

test('`console` reports every problem of its settings, and of its users', async (t) => {
  const env = { PLIMSOLL_CONSOLE_PORT: 'x', PLIMSOLL_CONSOLE_DAYS: '0', PLIMSOLL_CONSOLE_COLOUR: 'red' }
  const { code, stdout, stderr } = await runCli(['console'], { env })
  assert.deepEqual([code, stdout], [2, ''])
  for (const name of [...Object.keys(env), 'PLIMSOLL_CONSOLE_USERS'])
    assert.match(stderr, new RegExp(`^  ${name}: `, 'm'))
  const folder = await folderWithUsers(t)
  await writeFile(path.join(folder, 'users.yaml'), 'users: []\n')
  const users = { PLIMSOLL_CONSOLE_USERS: path.join(folder, 'users.yaml'), PLIMSOLL_HTTP_PORT: '0' }
  const refused = await runCli(['console'], { env: users })
  assert.notEqual(refused.code, 0)
  assert.match(refused.stderr, /document_invalid: `.*users\.yaml`/)
})

test('`console` waits for Kafka, is not ready meanwhile, and ends on a signal', async (t) => {
  const env = {
    KAFKA_BROKERS: '127.0.0.1:1',
    PLIMSOLL_HTTP_PORT: '0',
    PLIMSOLL_CONSOLE_PORT: '0',
    PLIMSOLL_CONSOLE_USERS: path.join(await folderWithUsers(t), 'users.yaml'),
  }
  const console = startCli(['console'], { env })
  const url = urlIn(await console.printed(/serving metrics/))
  assert.equal((await fetch(`${url}/healthz`)).status, 200)
  assert.equal((await fetch(`${url}/readyz`)).status, 503)
  console.signal('SIGTERM')
  const { code, signal, stderr } = await console.ended
  assert.deepEqual({ code, signal, stderr }, { code: 0, signal: null, stderr: '' })
})

test(
  '`console` answers a question of a real deployment, and goes on after a restart',
  { skip: withoutPair },
  async (t) => {
    const deployment = await deploy('real', { partitions: 2 })
    t.after(() => deployment.close())
    await deployment.startMonitor().started
    const { REDIS_URL: _, ...settings } = settingsOf(deployment)
    const folder = await folderWithUsers(t)
    const env = {
      ...settings,
      PLIMSOLL_CONSOLE_PORT: '0',
      PLIMSOLL_CONSOLE_USERS: path.join(folder, 'users.yaml'),
      PLIMSOLL_CONSOLE_DATABASE: path.join(folder, 'read-model.sqlite'),
    }
    const start = async () => {
      const console = startCli(['console'], { env })
      const probes = urlIn(await console.printed(/serving metrics/))
      const url = urlIn(await console.printed(/serving the page/))
      await waitUntil('readiness', async () => (await fetch(`${probes}/readyz`)).status === 200)
      return { console, url, probes }
    }
    const first = await start()
    const { log, topics } = deployment
    const disclose = [{ tools: ['*'], arguments: ['*'] }]
    const client = await createClient({ log, topics, timeoutMs: 60_000, disclose })
    t.after(() => client.close())
    const session = await client.startSession({ category: 'research_comms' })
    const asked = await session.propose({ tool: 'send_email', arguments: { to: 'desk@example.org' } })
    const ines = await logInWith(first.url, { token: 'the token' })
    await waitUntil('the question', async () => (await ines.get<Queue>('/api/queue')).body.count === 1)
    const resolution = session.resolution(asked, { timeoutMs: 60_000 })
    const address = `/api/approvals/${encodeURIComponent(asked.decision?.id ?? '')}`
    const { body } = await ines.post<Answered>(address, { resolution: 'approved' })
    assert.deepEqual([body.verdict, body.answer.by], ['allow', 'ines'])
    assert.equal((await resolution).mayRun, true)
    assert.match(
      await (await fetch(`${first.probes}/metrics`)).text(),
      /^plimsoll_console_answers_total\{outcome="approved"\} 1$/m,
    )
    first.console.signal('SIGTERM')
    assert.equal((await first.console.ended).code, 0)

    const again = await start()
    const later = await logInWith(again.url, { token: 'the token' })
    const { body: fleet } = await later.get<Fleet>('/api/fleet')
    assert.deepEqual(
      fleet.sessions.map(({ steps, openQuestions }) => [steps, openQuestions]),
      [[1, 0]],
    )
    again.console.signal('SIGTERM')
    await again.console.ended
  },
)

test('`up` prints an address that opens the page logged in, once', async () => {
  const up = startCli(['up', '--port', '0', '--gateway', '0', '--console', '0'])
  const line = await up.printed(/page at/)
  const [, url = '', code = ''] = /page at (http:\/\/127\.0\.0\.1:\d+)\/#code=([\w-]+)/.exec(line) ?? []
  const me = await (await logInWith(url, { code })).get<Me>('/api/me')
  assert.deepEqual([me.body.roles, me.body.answers], [{ '*': 'admin' }, true])
  await assert.rejects(logInWith(url, { code }), /401/)
  const page = await fetch(url)
  assert.match(await page.text(), /<script[^>]+src="\.?\/?app\.js"/)
  up.signal('SIGINT')
  await up.ended
})
