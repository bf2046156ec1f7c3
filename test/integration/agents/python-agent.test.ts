import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { canonicalJson, eventSchema, openArguments, type Decision } from '@plimsoll/contracts'
import { createRandom } from '../../property/random.js'
import { kafka, withoutPair } from '../../support/components/components.js'
import { byDecisionId, deploy, foldAlone, type Deployment } from '../../support/sessions/deployment.js'
import { projectRoot } from '../../support/paths.js'
import { obtainPython } from '../../support/run/python.js'
import { approvalOf } from '../../support/sessions/approvals.js'

const folder = path.join(projectRoot, 'examples/python')
const requirements = path.join(folder, 'requirements.txt')
const python = await obtainPython('kafka', ['--only-binary', ':all:', '--requirement', requirements])

const environmentFor = ({ topics }: Deployment) => ({
  ...process.env,
  KAFKA_BROKERS: kafka.brokers.join(','),
  PLIMSOLL_TOPIC_PREFIX: topics.events.replace(/\.events$/, ''),
  PYTHONDONTWRITEBYTECODE: '1',
})

/** Runs the agent on `deployment`; returns its output without the reasons. */
async function runAgent(deployment: Deployment, args: readonly string[] = []): Promise<readonly string[]> {
  const all = [path.join(folder, 'agent.py'), '--timeout', '60', ...args]
  const { stdout } = await promisify(execFile)(python.command, all, {
    env: environmentFor(deployment),
    timeout: 150_000,
  })
  return stdout.split('\n').filter((line) => line !== '' && !line.startsWith(' '))
}

async function assertFoldsAlike(deployment: Deployment, events: number): Promise<void> {
  await deployment.until(`${events} events`, () => deployment.seen.events.length === events)
  assert.deepEqual(byDecisionId(deployment.seen.decisions), foldAlone(deployment).decisions)
  assert.deepEqual(deployment.seen.deadLetters, [])
}

async function onMonitor(body: (deployment: Deployment) => Promise<void>): Promise<void> {
  const deployment = await deploy('real')
  try {
    await deployment.startMonitor().started
    await body(deployment)
  } finally {
    await deployment.close()
  }
}

const skip = withoutPair || python.missing

test('an agent in Python gets the engine’s verdicts from a real monitor', { skip }, () =>
  onMonitor(async (deployment) => {
    const lines = await runAgent(deployment)
    assert.deepEqual(lines, ['get_customer: allow', 'send_email: confirm', 'send_email: block'])
    await assertFoldsAlike(deployment, 6)
  }),
)

test('an agent in Python waits until a human approves', { skip }, () =>
  onMonitor(async (deployment) => {
    const running = runAgent(deployment, ['--wait', '100'])
    const asked = () => decisionsOf(deployment).find(({ verdict }) => verdict === 'confirm')
    await deployment.until('a confirmation', () => asked() !== undefined)
    const decision = asked()
    assert.ok(decision)
    const proposed = deployment.seen.events
      .map(({ value }) => eventSchema.parse(JSON.parse(String(value))))
      .find(({ id }) => id === decision.eventId)
    assert.ok(proposed?.type === 'step.proposed')
    assert.equal(
      openArguments(proposed)?.['to'],
      'someone@example.org',
      'an approver can check what is shown',
    )
    await deployment.publish([approvalOf(decision)])
    assert.deepEqual(await running, [
      'get_customer: allow',
      'send_email: confirm',
      // The step that only warned was not in the approval request.
      'send_email: allow',
      'send_email: block',
    ])
    await assertFoldsAlike(deployment, 8)
  }),
)

test('an agent in Python sends a lost start again and gets its decision', { skip }, () =>
  onMonitor(async (deployment) => {
    const script = `
import os
from session import Session
session = Session(os.environ["KAFKA_BROKERS"], os.environ["PLIMSOLL_TOPIC_PREFIX"], timeout=60)
send, session._send = session._send, lambda event: None
session.start(category="data_handling")
session._send = send
print(session.propose("get_customer", {"id": 7}, "read")["verdict"])
session.end()
`
    const { stdout } = await promisify(execFile)(python.command, ['-c', script], {
      cwd: folder,
      env: environmentFor(deployment),
      timeout: 150_000,
    })
    assert.equal(stdout, 'allow\n')
    // The unjudged proposal, the start, the proposal again, the end.
    await deployment.until('4 events', () => deployment.seen.events.length === 4)
    assert.deepEqual(byDecisionId(deployment.seen.decisions), foldAlone(deployment).decisions)
    assert.deepEqual(
      decisionsOf(deployment).map(({ kind, verdict }) => [kind, verdict]),
      [
        ['refusal', 'block'],
        ['step', 'allow'],
      ],
    )
  }),
)

test(
  'canonical JSON in Python equals that of the client, byte for byte',
  { skip: python.missing },
  async () => {
    const values = sampleValues()
    const script =
      'import sys, json, canonical\nfor line in sys.stdin: print(canonical.canonical(json.loads(line)))'
    const child = spawn(python.command, ['-c', script], {
      cwd: folder,
      env: { ...process.env, PYTHONIOENCODING: 'utf-8', PYTHONDONTWRITEBYTECODE: '1' },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    child.stdin.end(values.map((value) => `${JSON.stringify(value)}\n`).join(''))
    const lines = (await text(child.stdout)).split('\n').slice(0, -1)
    assert.deepEqual(lines, values.map(canonicalJson))
  },
)

const decisionsOf = ({ seen }: Deployment) =>
  seen.decisions.map(({ value }) => JSON.parse(String(value)) as Decision)

/** Cases in which languages differ: names beyond the basic plane, control characters, and numbers of every size. */
function sampleValues(): unknown[] {
  const random = createRandom(20_261_122)
  const numbers = Array.from({ length: 500 }, () => (random.next() - 0.5) * 10 ** (random.below(50) - 25))
  const edges = [
    0,
    -0,
    1,
    1e20,
    1e21,
    123456789012345680000,
    1e-6,
    1e-7,
    5e-324,
    Number.MAX_VALUE,
    2 ** 53,
    0.1 + 0.2,
  ]
  const names = { '\u{1F6A2}': 1, '\uFB01': 2, é: 3, a: 4, A: 5, '10': 6, '9': 7, '': 8 }
  const texts = ['\u0000\u001f\b\f\n\r\t"\\/', '\u007f\u0080\u2028\u2029', '\u{1F6A2} ahoy', 'ﬁ']
  return [...numbers, ...edges, names, { b: [names, null, true], a: { z: [], y: {} } }, ...texts, [texts]]
}
