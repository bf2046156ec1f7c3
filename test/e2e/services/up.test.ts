import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import path from 'node:path'
import { promisify } from 'node:util'
import { connectGateway } from '@plimsoll/client/gateway'
import { projectRoot } from '../../support/paths.js'
import { writeExample } from '../../support/readme.js'
import { runCli, startCli, startNode, type Ended } from '../cli-process.js'

interface Counts {
  readonly sessions: number
  readonly steps: number
  readonly verdicts: Readonly<Record<string, number>>
}

interface Figures extends Counts {
  readonly byCategory: Readonly<Record<string, Counts>>
  readonly decisionMicros: { readonly p50: number; readonly p99: number }
}

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0)

function assertFigures({ code, stdout, stderr }: Ended): Figures {
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^[^\n]+\n$/, 'one line on stdout')
  const figures = JSON.parse(stdout) as Figures
  assert.deepEqual(Object.keys(figures), ['sessions', 'steps', 'verdicts', 'byCategory', 'decisionMicros'])
  const { sessions, steps, verdicts, byCategory, decisionMicros } = figures
  for (const verdict of ['allow', 'warn', 'confirm', 'block'])
    assert.ok((verdicts[verdict] ?? 0) > 0, `no ${verdict} in ${stdout}`)
  assert.equal(sum(Object.values(verdicts)), steps)
  const categories = Object.entries(byCategory)
  assert.deepEqual(
    categories.map(([name]) => name),
    ['code_debugging', 'data_handling', 'research_comms', 'sysadmin'],
  )
  assert.equal(sum(categories.map(([, each]) => each.sessions)), sessions)
  assert.equal(sum(categories.map(([, each]) => each.steps)), steps)
  assert.ok(decisionMicros.p50 > 0 && decisionMicros.p99 >= decisionMicros.p50)
  return figures
}

test('`up --once --json` prints exactly one JSON object on stdout and the decisions on stderr', async () => {
  const ended = await runCli(['up', '--once', '--json', '--port', '0', '--gateway', '0', '--console', '0'])
  const { sessions, steps } = assertFigures(ended)
  assert.equal(sessions, 40)
  const decisions = ended.stderr.split('\n').filter((line) => /^(allow|warn|confirm|block) /.test(line))
  assert.ok(decisions.length >= steps)
  assert.match(ended.stderr, /^metrics at http:\/\/127\.0\.0\.1:\d+\/metrics\n/)
  // Found by fingerprints, not reported by an agent.
  assert.match(ended.stderr, /^block .* this step carries sensitive data/m)
})

test('`npm start -- --once --json` is the same', async () => {
  assertFigures(
    await startNode([
      path.join(projectRoot, 'scripts/start.mjs'),
      '--once',
      '--json',
      '--port',
      '0',
      '--gateway',
      '0',
    ]).ended,
  )
})

test('the same seed gives the same verdicts at any concurrency', async () => {
  const verdictsOf = async (...args: string[]) => {
    const { verdicts, byCategory } = JSON.parse(
      (await runCli(['up', '--json', '--port', '0', '--gateway', '0', '--console', '0', ...args])).stdout,
    ) as Figures
    return { verdicts, byCategory }
  }
  const [once, again] = await Promise.all([
    verdictsOf('--once', '--sessions', '21'),
    verdictsOf('--once', '--sessions', '21'),
  ])
  assert.deepEqual(once, again)
  const other = await verdictsOf('--once', '--sessions', '21', '--seed', '2')
  assert.notDeepEqual(once, other)
})

test('a taken port is reported and is no failure', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as { port: number }
    const { code, stdout, stderr } = await runCli([
      'up',
      '--once',
      '--port',
      `${port}`,
      '--gateway',
      `${port}`,
    ])
    assert.equal(code, 0)
    assert.match(stderr, new RegExp(`port ${port} is taken; a free one is used\n`))
    assert.match(stderr, new RegExp(`port ${port} is taken; a free one is used for the gateway`))
    const [, used] = /metrics at http:\/\/127\.0\.0\.1:(\d+)/.exec(stdout) ?? []
    assert.notEqual(used, String(port))
    assert.match(stdout, /^category +sessions +steps +allow +warn +confirm +block$/m)
  } finally {
    server.close()
  }
})

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  test(`${signal} ends a running fleet cleanly, with its metrics served until then`, async () => {
    const up = startCli(['up', '--port', '0', '--gateway', '0', '--console', '0'])
    const [address] = /http:\S+/.exec(await up.printed(/^metrics at /)) ?? ['']
    await up.printed(/^(warn|confirm|block)/)
    const metrics = await (await fetch(address)).text()
    assert.match(
      metrics,
      /^plimsoll_decisions_total\{verdict="allow",category="\w+",kind="step",mode="enforce",tenant="default"\} \d+$/m,
    )
    assert.equal((await fetch(address.replace('/metrics', '/readyz'))).status, 200)
    up.signal(signal)
    const { code, signal: by, stdout, stderr } = await up.ended
    assert.deepEqual({ code, by, stderr }, { code: 0, by: null, stderr: '' })
    assert.match(stdout, /deciding took/)
  })

test('an agent connects to its gateway with the key that it prints', async () => {
  const up = startCli(['up', '--port', '0', '--gateway', '0', '--console', '0'])
  const [, url = '', credential = ''] =
    /agents at (\S+) with GATEWAY_KEY=(\S+)/.exec(await up.printed(/^agents at /)) ?? []
  const client = await connectGateway({ url, credential, timeoutMs: 60_000 })
  const session = await client.startSession({ category: 'research_comms' })
  const answer = await session.propose({ tool: 'read_file', arguments: { path: 'notes.txt' } })
  assert.deepEqual([answer.verdict, answer.by], ['allow', 'decision'])
  await session.end()
  await client.close()
  up.signal('SIGINT')
  assert.equal((await up.ended).code, 0)
})

test('what it prints for an own agent works as it is, and its decisions are shown', async (t) => {
  const up = startCli(['up', '--no-fleet', '--port', '0', '--gateway', '0', '--console', '0'])
  await up.printed(/^verdict +session/)
  const asked = up.lines().filter((line) => /^ {2}(export|curl| {2}-d)/.test(line))
  assert.equal(asked.length, 3)
  const { stdout } = await promisify(execFile)('sh', ['-ec', asked.join('\n')])
  assert.equal((JSON.parse(stdout) as { mayRun: boolean }).mayRun, true)
  assert.match(await up.printed(/^allow/), /^allow +▶ you:\S+ +read_email +sensitive/)

  const agent = up.lines().filter((line) => /^ {2}(import|const|console|await)/.test(line))
  const file = await writeExample(t, 'up-agent', agent.join('\n'))
  const ran = await promisify(execFile)(process.execPath, [file])
  assert.equal(ran.stdout, 'text of mail 7\n')
  up.signal('SIGINT')
  assert.match((await up.ended).stdout, /tutorials\/first-decision\.md/)
})

test('a SIGTERM to `npm start` ends what it runs', async () => {
  const npm = startNode(['start', '--', '--port', '0', '--gateway', '0', '--console', '0'], { node: 'npm' })
  await npm.printed(/^(warn|confirm|block)/)
  npm.signal('SIGTERM')
  // Its output ends with the last process that writes to it.
  assert.match((await npm.ended).stdout, /deciding took/)
})

test('two SIGINTs from one Ctrl-C under npm count as one', async () => {
  const twice = startNode([
    path.join(projectRoot, 'scripts/start.mjs'),
    '--port',
    '0',
    '--gateway',
    '0',
    '--console',
    '0',
  ])
  await twice.printed(/^(warn|confirm|block)/)
  twice.signal('SIGINT')
  twice.signal('SIGINT')
  assert.match((await twice.ended).stdout, /deciding took/)
  assert.equal((await twice.ended).code, 0)
})

test('the reader of its output may close the pipe', async () => {
  const script = `"$0" services/cli/bin/plimsoll.js up --once --port 0 --gateway 0 | head -n 2; echo "ended \${PIPESTATUS[0]}"`
  const shell = startNode(['-e', `
    const { spawnSync } = require('node:child_process')
    const { stdout, stderr } = spawnSync('bash', ['-c', ${JSON.stringify(script)}, process.execPath], { encoding: 'utf8' })
    process.stdout.write(stdout); process.stderr.write(stderr)
  `]) // prettier-ignore
  const { stdout, stderr } = await shell.ended
  assert.match(stdout, /ended 0\n$/)
  assert.equal(stderr, '')
})
