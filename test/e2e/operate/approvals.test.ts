import assert from 'node:assert/strict'
import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { connectGateway } from '@plimsoll/client/gateway'
import { runCli, startCli } from '../cli-process.js'
import { serverOf } from '../documents/mcp-servers.js'
import { connectStdio, plimsoll, textOf } from '../mcp/clients.js'

const TOOLS = ['deploy_it', 'deploy_twice'].map((name) => ({
  name,
  description: 'deploys',
  inputSchema: { type: 'object' },
  annotations: { destructiveHint: true },
}))

async function stateFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'state-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const commandIn = (text: string): string => /plimsoll approve '([^']+)'/.exec(text)?.[1] ?? ''

test('a client that cannot ask: the answer at once, and `plimsoll approve` lets the same call through', async (t) => {
  const env = { PLIMSOLL_STATE_DIR: await stateFolder(t) }
  const folder = path.join(env.PLIMSOLL_STATE_DIR, 'approvals')
  const client = await connectStdio('2025-11-25', plimsoll('mcp', '--', ...serverOf(TOOLS)), { env })
  t.after(() => client.close())
  const call = async (tool: string, target: string) => {
    const answer = await client.call(tool, { target })
    return { isError: answer.isError === true, text: textOf(answer) }
  }
  const first = await call('deploy_it', 'staging')
  assert.match(
    first.text,
    /`deploy_it` waits for approval: .*no catalogue labels .*its server says that it is destructive/,
  )
  const id = commandIn(first.text)
  assert.equal(commandIn((await call('deploy_it', 'staging')).text), id, 'it is no new question')
  const denied = commandIn((await call('deploy_it', 'production')).text)
  assert.notEqual(denied, id)

  assert.equal((await stat(folder)).mode & 0o777, 0o700)
  const listed = await runCli(['approvals', 'list'], { env })
  assert.match(listed.stdout, /The agent wants to call deploy_it with:\n {2}target: "staging"\n/)
  assert.ok(listed.stdout.includes(`plimsoll approve '${id}'`))

  const approved = await runCli(['approve', id, '--by', 'ines', '--yes'], { env })
  assert.deepEqual([approved.code, approved.stderr], [0, ''])
  assert.match(
    approved.stdout,
    /target: "staging".*approved by ines; it runs when the agent calls the tool again/s,
  )
  assert.equal((await runCli(['approve', `'${denied}'`, '--deny', '--yes'], { env })).code, 0)
  assert.equal((await stat(path.join(folder, 'key'))).mode & 0o777, 0o600)
  assert.equal((await call('deploy_it', 'staging')).isError, false)
  assert.match((await call('deploy_it', 'production')).text, /was blocked: .* denied the step/)
  assert.match((await call('deploy_it', 'staging')).text, /waits for approval/, 'once')
  await client.close()
  assert.deepEqual(await readdir(folder), ['key'], 'its requests go with it')
})

test('`plimsoll appeal` records that a decision of this machine was wrong, for `observed`, and changes nothing', async (t) => {
  const env = { PLIMSOLL_STATE_DIR: await stateFolder(t) }
  const client = await connectStdio('2025-11-25', plimsoll('mcp', '--', ...serverOf(TOOLS)), { env })
  t.after(() => client.close())
  const id = commandIn(textOf(await client.call('deploy_it', { target: 'staging' })))
  const file = path.join(env.PLIMSOLL_STATE_DIR, 'appeals.jsonl')
  const appeal = async (...args: string[]) => runCli(['appeal', ...args], { env })
  assert.match((await runCli(['observed'], { env })).stderr, /nothing is recorded/)
  const first = await appeal(`'${id}'`, '--by', 'ines', '--reason', 'it is staging')
  assert.deepEqual([first.code, first.stderr], [0, ''])
  assert.equal(
    first.stdout,
    `recorded on this machine: decision ${id} was wrong, to ines; no verdict changes\n`,
  )
  const text = await readFile(file, 'utf8')
  const { event, decision } = JSON.parse(text) as {
    event: Record<string, unknown>
    decision: Record<string, unknown>
  }
  assert.deepEqual(
    [event['type'], event['verdict'], event['expected'], event['reason'], event['decisionId']],
    ['decision.appealed', 'confirm', 'allow', 'it is staging', id],
  )
  assert.deepEqual([event['versions'], decision['id']], [decision['versions'], id])
  assert.doesNotMatch(text, /target/, 'no arguments')
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  // The last of one decision counts, and nothing that this user has not signed.
  assert.equal((await appeal(id, '--expected', 'block')).code, 0)
  await writeFile(
    file,
    `${await readFile(file, 'utf8')}${JSON.stringify({ event: { ...event, id: 'a', decisionId: 's#e#step' } })}\n`,
  )
  const { stdout } = await runCli(['observed'], { env })
  assert.match(stdout, /^deploy_it: .*; appealed: 1 that did harm$/m)
  assert.match(textOf(await client.call('deploy_it', { target: 'staging' })), /waits for approval/)
  assert.match((await appeal('s#e#step')).stderr, /no decision `s#e#step` on this machine/)
  assert.match((await appeal('nonsense')).stderr, /`nonsense` is no decision id/)
})

test('an approval for the session covers other arguments of a tool that is only unknown', async (t) => {
  const env = { PLIMSOLL_STATE_DIR: await stateFolder(t) }
  const command = plimsoll('mcp', '--', ...serverOf([...UNKNOWN, ...TOOLS]))
  const client = await connectStdio('2025-11-25', command, { env })
  t.after(() => client.close())
  const call = async (tool: string, n: number) => {
    const answer = await client.call(tool, { n })
    return { ran: answer.isError !== true, text: textOf(answer) }
  }
  const id = commandIn((await call('frobnicate', 1)).text)
  const destructive = commandIn((await call('deploy_it', 1)).text)
  const refused = await runCli(['approve', destructive, '--session', '--yes'], { env })
  assert.match(refused.stderr, /permits no approval for the session: leave `--session` out/)
  const approved = await runCli(['approve', id, '--session', '--yes', '--by', 'ines'], { env })
  assert.match(approved.stdout, /approved for the session by ines/)
  for (const n of [1, 2, 3]) assert.equal((await call('frobnicate', n)).ran, true, `call ${n}`)
  assert.equal((await call('deploy_it', 1)).ran, false)
})

const UNKNOWN = [{ name: 'frobnicate', description: 'frobs', inputSchema: { type: 'object' } }]

for (const era of ['2025-11-25', '2026-07-28'] as const)
  test(`${era}: what the user approves always runs in later sessions, until it is forgotten`, async (t) => {
    const env = { PLIMSOLL_STATE_DIR: await stateFolder(t) }
    const session = async (tools: typeof UNKNOWN, user?: 'accept') => {
      const options = { env, ...(user && { user, scope: 'always' }) }
      const client = await connectStdio(era, plimsoll('mcp', '--', ...serverOf(tools)), options)
      const ran = (await client.call('frobnicate', { n: Math.random() })).isError !== true
      await client.close()
      return { ran, asked: client.questions.length }
    }
    assert.deepEqual(await session(UNKNOWN), { ran: false, asked: 0 })
    assert.deepEqual(await session(UNKNOWN, 'accept'), { ran: true, asked: 1 })
    assert.deepEqual(await session(UNKNOWN), { ran: true, asked: 0 })
    const changed = UNKNOWN.map((tool) => ({ ...tool, description: 'frobs more' }))
    assert.deepEqual(await session(changed), { ran: false, asked: 0 })

    const { stdout } = await runCli(['approvals', 'list', '--kept'], { env })
    assert.match(
      stdout,
      /^always-\w+ {2}frobnicate with any arguments, for unlabelled:\w+; by the user of local/,
    )
    const [id = ''] = stdout.split(' ')
    assert.equal((await runCli(['approvals', 'forget', id], { env })).code, 0)
    assert.match((await runCli(['approvals', 'forget', id], { env })).stderr, /no approval `always-/)
    assert.deepEqual(await session(UNKNOWN), { ran: false, asked: 0 })
  })

test('`plimsoll approve --always` answers for later sessions, but never for a destructive step', async (t) => {
  const env = { PLIMSOLL_STATE_DIR: await stateFolder(t) }
  const command = plimsoll('mcp', '--', ...serverOf([...UNKNOWN, ...TOOLS]))
  const client = await connectStdio('2025-11-25', command, { env })
  t.after(() => client.close())
  const destructive = commandIn(textOf(await client.call('deploy_it')))
  const refused = await runCli(['approve', destructive, '--always', '--yes'], { env })
  assert.match(refused.stderr, /permits no approval for all sessions on this machine: leave `--always` out/)
  const id = commandIn(textOf(await client.call('frobnicate')))
  assert.match((await runCli(['approvals', 'list'], { env })).stdout, /--session \| --always\]/)
  const approved = await runCli(['approve', id, '--always', '--yes', '--by', 'ines'], { env })
  assert.match(approved.stdout, /approved for all sessions on this machine by ines/)
  assert.notEqual((await client.call('frobnicate')).isError, true)
  const next = await connectStdio('2025-11-25', command, { env })
  t.after(() => next.close())
  assert.notEqual((await next.call('frobnicate', { n: 2 })).isError, true)
  assert.equal((await next.call('deploy_it')).isError, true)
})

test('an answer that the key of this user has not signed counts for nothing', async (t) => {
  const env = { PLIMSOLL_STATE_DIR: await stateFolder(t) }
  const folder = path.join(env.PLIMSOLL_STATE_DIR, 'approvals')
  const client = await connectStdio('2026-07-28', plimsoll('mcp', '--', ...serverOf(TOOLS)), { env })
  t.after(() => client.close())
  const id = commandIn(textOf(await client.call('deploy_it')))
  assert.equal((await runCli(['approve', id, '--yes'], { env })).code, 0)
  const name = (await readdir(folder)).find((each) => each.endsWith('.answer.json')) ?? ''
  const file = path.join(folder, name)
  const answer = JSON.parse(await readFile(file, 'utf8')) as object
  await rm(file)
  assert.match(textOf(await client.call('deploy_it')), /waits for approval/)
  await writeFile(file, JSON.stringify({ ...answer, by: 'eve' }))
  await chmod(file, 0o600)
  assert.match(textOf(await client.call('deploy_it')), /waits for approval/)
  const unknown = await runCli(['approve', 's#e#step', '--yes'], { env })
  assert.match(unknown.stderr, /no open request `s#e#step` on this machine/)
})

test('`up` prints the command that answers for your own agent, and no agent can use its key for that', async (t) => {
  const env = { PLIMSOLL_STATE_DIR: await stateFolder(t) }
  const up = startCli(['up', '--no-fleet', '--port', '0', '--gateway', '0', '--console', '0'])
  t.after(async () => {
    up.signal('SIGTERM')
    await up.ended
  })
  const [, url = '', key = ''] =
    /agents at (\S+) with GATEWAY_KEY=(\S+)/.exec(await up.printed(/^agents at/)) ?? []
  const client = await connectGateway({ url, credential: key })
  t.after(() => client.close())
  const session = await client.startSession()
  const step = { tool: 'deploy_it', arguments: { target: 'staging' } }
  const asked = await session.ask(step)
  assert.equal(asked.verdict, 'confirm')
  const line = await up.printed(/answer: /)
  const [, at = '', approver = '', id = ''] =
    /PLIMSOLL_GATEWAY_URL=(\S+) PLIMSOLL_API_KEY=(\S+) npx plimsoll approve '([^']+)'/.exec(line) ?? []
  assert.deepEqual([at, id], [url, asked.decision?.id])

  const forged = await runCli(['approve', id, '--yes'], {
    env: { ...env, PLIMSOLL_GATEWAY_URL: url, PLIMSOLL_API_KEY: key },
  })
  assert.match(forged.stderr, /forbidden.*`you` may not approve|`you` may not approve/)
  const settings = { ...env, PLIMSOLL_GATEWAY_URL: url, PLIMSOLL_API_KEY: approver }
  const listed = await runCli(['approvals', 'list'], { env: settings })
  assert.ok(listed.stdout.includes(id))
  assert.match(listed.stdout, /target: "staging"/, 'the arguments that were judged')
  const denied = await runCli(['appeal', id], {
    env: { ...env, PLIMSOLL_GATEWAY_URL: url, PLIMSOLL_API_KEY: key },
  })
  assert.match(denied.stderr, /`you` may not approve/)
  const appealed = await runCli(['appeal', id, '--reason', 'it is staging'], { env: settings })
  assert.deepEqual([appealed.code, appealed.stderr], [0, ''])
  assert.match(appealed.stdout, /^published by http.*; no verdict changes$/m)
  assert.equal((await session.ask(step)).verdict, 'confirm', 'no verdict changes')
  const unknown = await runCli(['appeal', 's#e#step'], { env: settings })
  assert.match(unknown.stderr, /stopped and asked nothing since this gateway started/)
  const approved = await runCli(['approve', id, '--yes'], { env: settings })
  assert.equal(approved.code, 0, approved.stderr)
  assert.match(approved.stdout, /verdict +allow/)
  const answer = await session.ask(step)
  assert.deepEqual([answer.mayRun, answer.callId], [true, asked.callId])
  up.signal('SIGTERM')
  const { stdout } = await up.ended
  assert.doesNotMatch(stdout, /simulated agents/)
  assert.match(stdout, /^you +1 +1 +0 +0 +1 +0$/m, 'one step of one session, asked about')
})
