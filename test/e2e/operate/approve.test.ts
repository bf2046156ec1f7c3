import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, test } from 'node:test'
import { COMMANDS, runCli as runInProcess } from '@plimsoll/cli'
import { createClient, type ProposedStep } from '@plimsoll/client'
import { hashOfKey } from '@plimsoll/gateway'
import type { LogRecord } from '@plimsoll/runtime'
import { kafka, redis, withoutPair } from '../../support/components/components.js'
import { deploy, SIGNING_KEY, type Deployment } from '../../support/sessions/deployment.js'
import { GATEWAY_KEY } from '../../support/gateway.js'
import { runCli, startCli, type Ended } from '../cli-process.js'

interface Fixture {
  readonly deployment: Deployment
  /** Has an agent propose a step that asks a human, without arguments if none are given, and returns the id of the decision. */
  readonly ask: (step?: ProposedStep) => Promise<string>
  /** Has a host check a step over HTTP for each of `tools`, at a gateway that discloses the arguments of `shown_*`; returns the ids of the decisions. */
  readonly gatewayAsk: (tools: readonly string[], values: object) => Promise<readonly string[]>
  /** Runs `approve` without a terminal. */
  readonly approve: (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Ended>
  /** Runs `approve` at a terminal; `answer` gets the output so far and returns the human's answer. */
  readonly approveAs: (
    args: readonly string[],
    answer: (seen: string) => string | Promise<string>,
  ) => Promise<Omit<Ended, 'signal'>>
}

async function onDeployment(work: (fixture: Fixture) => Promise<void>): Promise<void> {
  const deployment = await deploy('real', { partitions: 2 })
  const { log, topics, prefix } = deployment
  const monitor = deployment.startMonitor()
  try {
    await monitor.started
    const disclose = [
      { tools: ['shown_*'], arguments: ['*'] },
      { tools: ['half_*'], arguments: ['to'] },
    ]
    const client = await createClient({ log, topics, timeoutMs: 30_000, disclose })
    const session = await client.startSession()
    const ask = async (step: ProposedStep = { tool: 'a_tool_that_nobody_knows' }) => {
      const { verdict, decision } = await session.propose(step)
      assert.equal(verdict, 'confirm')
      return decision?.id ?? ''
    }
    const settings = {
      KAFKA_BROKERS: kafka.brokers.join(','),
      REDIS_URL: redis.url,
      PLIMSOLL_TOPIC_PREFIX: `${prefix}plimsoll`,
      PLIMSOLL_SIGNING_KEY: SIGNING_KEY,
    }
    const approve: Fixture['approve'] = (args, env) =>
      runCli(['approve', ...args], { env: { ...settings, ...env } })
    const gatewayAsk: Fixture['gatewayAsk'] = (tools, values) => {
      const { PLIMSOLL_SIGNING_KEY: _, ...env } = settings
      return askThroughGateway({ ...env, PLIMSOLL_GATEWAY_DISCLOSE: 'shown_*' }, tools, values)
    }
    const approveAs: Fixture['approveAs'] = async (args, answer) => {
      const written = { stdout: '', stderr: '' }
      const output = (name: keyof typeof written) => ({
        write: (text: string) => void (written[name] += text),
        isTerminal: true,
      })
      const code = await runInProcess(['approve', ...args], COMMANDS, {
        env: settings,
        stdout: output('stdout'),
        stderr: output('stderr'),
        signal: new AbortController().signal,
        ask: async (question) => {
          written.stdout += question
          return answer(written.stdout)
        },
      })
      return { code, ...written }
    }
    await work({ deployment, ask, gatewayAsk, approve, approveAs })
    await client.close()
  } finally {
    await deployment.close()
  }
}

const isApproval = ({ value }: LogRecord): boolean =>
  (JSON.parse(String(value)) as { kind: string }).kind === 'approval'

async function askThroughGateway(
  env: Readonly<Record<string, string>>,
  tools: readonly string[],
  values: object,
): Promise<readonly string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-approve-'))
  const file = path.join(folder, 'principals.json')
  const desk = { name: 'desk', trust: 'host', keys: [hashOfKey(GATEWAY_KEY)] }
  await writeFile(file, JSON.stringify({ principals: [desk] }))
  const ports = { PLIMSOLL_GATEWAY_PORT: '0', PLIMSOLL_HTTP_PORT: '0' }
  const gateway = startCli(['gateway'], { env: { ...env, ...ports, PLIMSOLL_PRINCIPALS: file } })
  try {
    const { url } = JSON.parse(await gateway.printed(/"serving agents"/)) as { url: string }
    const headers = { authorization: `Bearer ${GATEWAY_KEY}`, 'content-type': 'application/json' }
    const ids: string[] = []
    for (const tool of tools) {
      const body = JSON.stringify({ tool, arguments: values, timeoutMs: 30_000 })
      const response = await fetch(`${url}/v1/check`, { method: 'POST', headers, body })
      const { decision } = (await response.json()) as { decision?: { id: string } }
      ids.push(decision?.id ?? '')
    }
    return ids
  } finally {
    gateway.signal('SIGTERM')
    await gateway.ended
    await rm(folder, { recursive: true })
  }
}

describe('`approve` on Kafka and Redis', { skip: withoutPair }, () => {
  test('reports what the monitor did with the answer', () =>
    onDeployment(async ({ ask, approve }) => {
      const approved = await approve([await ask(), '--by', 'ada', '--yes'])
      assert.deepEqual([approved.code, approved.stderr], [0, ''])
      assert.match(approved.stdout, /^approved by ada;.*\nverdict +(allow|warn)\n/m)
      assert.match(approved.stdout, /^reason +unlabelled:tool_unlabelled: .*\(lifted by approval:ada\)$/m)
      const denied = await approve([await ask(), '--by', 'ada', '--yes', '--deny'])
      assert.deepEqual([denied.code, denied.stderr], [0, ''])
      assert.match(
        denied.stdout,
        /^verdict +block\nreason +approval:approval_denied: `ada` denied the step$/m,
      )
    }))

  test('fails when the answer cannot count', () =>
    onDeployment(async ({ deployment, ask, approve }) => {
      const asked = await ask()
      const published = deployment.seen.events.length
      const badName = await approve([asked, '--by', 'ada\nlovelace', '--yes'])
      assert.deepEqual([badName.code, badName.stdout], [2, ''])
      assert.match(badName.stderr, /^plimsoll: usage_invalid: by: expected no control characters$/m)
      assert.equal(deployment.seen.events.length, published)

      const wrongKey = await approve([asked, '--by', 'ada', '--yes'], {
        PLIMSOLL_SIGNING_KEY: 'the key of another place',
      })
      assert.equal(wrongKey.code, 1)
      assert.match(wrongKey.stderr, /^plimsoll: signature_invalid: the signature of .* does not verify$/m)
      assert.equal((await approve([asked, '--by', 'ada', '--yes'])).code, 0)
    }))

  test('shows the step with its arguments, and asks before it publishes', () =>
    onDeployment(async ({ deployment, ask, approveAs }) => {
      const to = `ann@example.com${' '.repeat(900)}, eve@example.org`
      const step = { tool: 'shown_send', arguments: { body: 'Hello\u202e', n: [1, { amount: 20 }], to } }
      const asked = await ask(step)
      const published = deployment.seen.events.length
      for (const no of ['', 'n', 'yess', 'approve']) {
        const declined = await approveAs([asked, '--by', 'ada'], () => no)
        assert.deepEqual([declined.code, declined.stderr], [1, 'plimsoll: nothing was published\n'])
      }
      assert.equal(deployment.seen.events.length, published)

      const approved = await approveAs([asked, '--by', 'ada'], (seen) => {
        assert.equal(deployment.seen.events.length, published, 'nothing is published before')
        assert.deepEqual(seen.split('\n').slice(0, 6), [
          'tool                  shown_send',
          'arguments             all of them, as the digest that is approved proves',
          String.raw`  to: "ann@example.com\{900 blanks}, eve@example.org"`,
          '  n[1].amount: 20',
          String.raw`  body: "Hello\u{202e}"`,
          '  n[0]: 1',
        ])
        assert.match(seen, /\napprove\? \[y\/N\] $/)
        return 'y'
      })
      assert.deepEqual([approved.code, approved.stderr], [0, ''])

      const denied = await approveAs([await ask(step), '--by', 'ada', '--deny'], (seen) => {
        assert.match(seen, /\ndeny\? \[y\/N\] $/)
        return 'Yes'
      })
      assert.deepEqual([denied.code, denied.stderr], [0, ''])
    }))

  test('without a terminal it publishes nothing unless `--yes` says so', () =>
    onDeployment(async ({ deployment, ask, approve }) => {
      const asked = await ask()
      const published = deployment.seen.events.length
      for (const deny of [[], ['--deny']]) {
        const silent = await approve([asked, '--by', 'ada', ...deny])
        assert.equal(silent.code, 2)
        assert.match(
          silent.stdout,
          /^tool +a_tool_that_nobody_knows\narguments +all of them.*\n {2}\(no arguments\)$/m,
        )
        assert.match(silent.stderr, /^plimsoll: usage_invalid: nothing was published: there is no terminal/m)
      }
      assert.equal(deployment.seen.events.length, published)
      assert.equal((await approve([asked, '--by', 'ada', '--yes'])).code, 0)
    }))

  test('approves no hidden arguments, and names who can show them', () =>
    onDeployment(async ({ deployment, ask, approve, approveAs }) => {
      const hidden = await ask({ tool: 'hidden_send', arguments: { to: 'ann@example.com' } })
      const half = await ask({ tool: 'half_send', arguments: { to: 'ann@example.com', body: 'secret' } })
      const long = await ask({ tool: 'shown_send', arguments: { body: 'x'.repeat(5_000) } })
      const published = deployment.seen.events.length
      const unseen = () => assert.fail('asked about what nobody has seen')
      for (const [asked, tool, problem] of [
        [hidden, 'hidden_send', 'none is disclosed'],
        [half, 'half_send', 'disclosed in part, and nothing proves them'],
        [long, 'shown_send', 'none is disclosed'],
      ] as const) {
        for (const refused of [
          await approve([asked, '--by', 'ada', '--yes']),
          await approveAs([asked, '--by', 'ada'], unseen),
        ]) {
          assert.equal(refused.code, 1, refused.stderr)
          assert.match(refused.stdout, new RegExp(`^arguments +${problem} \\(digest [0-9a-f]{64}\\)$`, 'm'))
          assert.match(
            refused.stderr,
            new RegExp(
              `^plimsoll: arguments_unseen: .*\`${tool}\`.*${problem}. They are with \`.+\`.*disclose`,
              'm',
            ),
          )
        }
      }
      assert.equal(deployment.seen.events.length, published)

      const partly = await approve([half, '--by', 'ada', '--yes', '--unseen'])
      assert.deepEqual([partly.code, partly.stderr], [0, ''])
      assert.match(partly.stdout, /^ {2}to: "ann@example\.com"$/m)
      assert.doesNotMatch(partly.stdout, /secret/)
      const denied = await approve([hidden, '--by', 'ada', '--yes', '--deny'])
      assert.deepEqual([denied.code, denied.stderr], [0, ''])
    }))

  test('shows the arguments that match the digest, not forged ones beside them', () =>
    onDeployment(async ({ deployment, ask, approve }) => {
      const asked = await ask({ tool: 'shown_send', arguments: { to: 'eve@example.org' } })
      const proposed = deployment.seen.events.find(({ value }) => String(value).includes('shown_send'))
      assert.ok(proposed)
      const forged = String(proposed.value).replace('eve@example.org', 'ann@example.com')
      await deployment.publishRaw(proposed.key, forged)
      const { code, stdout } = await approve([asked, '--by', 'ada', '--yes'])
      assert.equal(code, 0)
      assert.match(stdout, /^ {2}to: "eve@example\.org"$/m)
    }))

  test('shows steps from a gateway, for tools whose arguments it discloses', () =>
    onDeployment(async ({ gatewayAsk, approve }) => {
      const [shown, hidden] = await gatewayAsk(['shown_send', 'hidden_send'], { to: 'ann@example.com', n: 1 })
      const { code, stdout, stderr } = await approve([shown ?? '', '--by', 'ada', '--yes'])
      assert.deepEqual([code, stderr], [0, ''])
      assert.match(stdout, /^arguments +all of them.*\n {2}to: "ann@example\.com"\n {2}n: 1$/m)
      const refused = await approve([hidden ?? '', '--by', 'ada', '--yes'])
      assert.equal(refused.code, 1)
      assert.match(refused.stderr, /arguments_unseen: .*PLIMSOLL_GATEWAY_DISCLOSE=hidden_send/)
    }))

  test('fails when no monitor answers in time', () =>
    onDeployment(async ({ deployment, ask, approve }) => {
      const asked = await ask()
      await deployment.stopMonitors()
      const silent = await approve([asked, '--by', 'ada', '--yes', '--unseen', '--wait', '1'])
      assert.equal(silent.code, 1)
      assert.match(silent.stderr, /^plimsoll: published, but no monitor answered in time \(1 s\)/m)
      // The approval is in the log: the next monitor decides by it.
      await deployment.startMonitor().started
      await deployment.until('the approval', () => deployment.seen.decisions.some(isApproval))
    }))
})
