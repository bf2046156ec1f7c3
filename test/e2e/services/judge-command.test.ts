import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseDocument } from '@plimsoll/policy'
import { withoutPair } from '../../support/components/components.js'
import { deploy, settingsOf } from '../../support/sessions/deployment.js'
import { sessionScript } from '../../support/sessions/events.js'
import { serveModel } from '../../support/model-server.js'
import { waitUntil } from '../../support/wait-until.js'
import { runCli, startCli } from '../cli-process.js'

const KEY = 'sk-not-to-be-seen'

test('`judge` is off until a model is configured, and reports every problem at once', async () => {
  const env = {
    PLIMSOLL_JUDGE_PROTOCOL: 'telepathy',
    PLIMSOLL_JUDGE_KEY: 'with space',
    PLIMSOLL_JUDGE_BUDGET: '1',
  }
  const { code, stdout, stderr } = await runCli(['judge'], { env })
  assert.deepEqual({ code, stdout }, { code: 2, stdout: '' })
  for (const name of [
    ...Object.keys(env),
    'PLIMSOLL_SIGNING_KEY',
    'PLIMSOLL_JUDGE_URL',
    'PLIMSOLL_JUDGE_MODEL',
  ])
    assert.match(stderr, new RegExp(`^  ${name}: `, 'm'))
  assert.ok(!stderr.includes('with space'))
})

test('`judge` waits for Kafka, is not ready meanwhile, and ends on a signal', async () => {
  const env = {
    KAFKA_BROKERS: '127.0.0.1:1',
    PLIMSOLL_HTTP_PORT: '0',
    PLIMSOLL_SIGNING_KEY: 'sixteen characters',
    PLIMSOLL_JUDGE_URL: 'http://127.0.0.1:1',
    PLIMSOLL_JUDGE_MODEL: 'a-model',
  }
  const judge = startCli(['judge'], { env })
  const [url] = /http:[^"]+/.exec(await judge.printed(/serving metrics/)) ?? ['']
  assert.equal((await fetch(`${url}/healthz`)).status, 200)
  assert.equal((await fetch(`${url}/readyz`)).status, 503)
  judge.signal('SIGTERM')
  const { code, signal, stderr } = await judge.ended
  assert.deepEqual({ code, signal, stderr }, { code: 0, signal: null, stderr: '' })
})

test('`judge` labels steps of real sessions, and writes candidates', { skip: withoutPair }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'judge-'))
  const candidates = join(folder, 'candidates.yaml')
  const deployment = await deploy('real', { partitions: 2 })
  const model = await serveModel(() => ({
    capability: 'network',
    confidentiality: 'none',
    trust: 'untrusted',
    reversibility: 'irreversible',
    reason: 'hands tickets to another firm',
  }))
  const { REDIS_URL: _, ...settings } = settingsOf(deployment)
  const env = {
    ...settings,
    PLIMSOLL_JUDGE_URL: model.url,
    PLIMSOLL_JUDGE_MODEL: 'a-model',
    PLIMSOLL_JUDGE_KEY: KEY,
  }
  const judge = startCli(['judge', '--candidates', candidates], { env })
  try {
    const [url] = /http:[^"]+/.exec(await judge.printed(/serving metrics/)) ?? ['']
    await judge.printed(/judging unlabelled steps/)
    assert.equal((await fetch(`${url}/readyz`)).status, 200)
    await deployment.startMonitor().started
    const script = sessionScript('s')
    await deployment.publish([script.start(), script.propose('zorp', 'c1')])
    await deployment.until('a refinement', () =>
      deployment.seen.events.some(({ value }) => String(value).includes('labels.refined')),
    )
    await waitUntil('a candidate', async () => {
      const { tools } = parseDocument('catalogue', await readFile(candidates, 'utf8'), candidates)
      return tools.some((entry) => entry.tools.includes('zorp'))
    })
    assert.match(
      await (await fetch(`${url}/metrics`)).text(),
      /plimsoll_judge_call_seconds_count\{outcome="ok"\} 1/,
    )
  } finally {
    judge.signal('SIGTERM')
    const { code, stdout, stderr } = await judge.ended
    await deployment.close()
    await model.close()
    await rm(folder, { recursive: true })
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    assert.ok(!stdout.includes(KEY))
  }
})
