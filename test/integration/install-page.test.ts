import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { blocksOf } from '../reference/hand-written.js'
import { kafka, redis, uniquePrefix, withoutPair } from '../support/components.js'
import { withoutSettings } from '../e2e/cli-process.js'
import { freePorts } from '../support/free-ports.js'
import { projectRoot } from '../support/paths.js'

const page = readFileSync(path.join(projectRoot, 'docs/operating/install.md'), 'utf8')
const MS_MAX = 240_000

/** The blocks that a reader types, one after the other, in one shell; where Kafka and Redis are is told from outside. */
function shellOf(page: string): string {
  const lines = blocksOf(page, 'sh').join('\n').split('\n')
  const [told, typed] = [true, false].map((isTold) =>
    lines.filter((line) => /^export (KAFKA_BROKERS|REDIS_URL)=/.test(line) === isTold),
  )
  assert.equal(told?.length, 2, 'the page says where Kafka and Redis are')
  return typed?.join('\n') ?? ''
}

async function runShell(script: string, env: Readonly<Record<string, string>>) {
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: projectRoot,
    env: { ...withoutSettings(process.env), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: what it leaves running ends with it.
    detached: true,
  })
  const end = () => {
    try {
      if (shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL')
    } catch {
      // Nothing is left of it.
    }
  }
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    end()
  }, MS_MAX)
  try {
    const [out, err, code] = await Promise.all([
      text(shell.stdout),
      text(shell.stderr),
      new Promise<number | null>((resolve) => shell.once('exit', resolve)),
    ])
    assert.ok(!isLate, `not over after ${MS_MAX} ms, or something still runs\n${out}\n${err}`)
    return { out, err, code }
  } finally {
    clearTimeout(timer)
    end()
  }
}

test(
  'the steps of the installation page lead from nothing to a first decision',
  { skip: withoutPair },
  async () => {
    const prefix = uniquePrefix()
    const [port = 0] = await freePorts(1)
    const { out, err, code } = await runShell(shellOf(page), {
      KAFKA_BROKERS: kafka.brokers.join(','),
      REDIS_URL: redis.url,
      PLIMSOLL_TOPIC_PREFIX: `${prefix}plimsoll`,
      PLIMSOLL_REDIS_PREFIX: `${prefix}plimsoll`,
      PLIMSOLL_GROUP: `${prefix}monitor`,
      PLIMSOLL_HTTP_PORT: String(port),
    })
    const shown = `${out}\n${err}`
    assert.equal(code, 0, shown)
    assert.match(out, new RegExp(`made .*${prefix}plimsoll\\.events`), shown)
    assert.match(out, /ok +monitor http:\S+ +ready/, shown)
    const verdicts = out.split('\n').filter((line) => /^(get_customer|send_email): /.test(line))
    assert.deepEqual(verdicts, ['get_customer: allow', 'send_email: confirm', 'send_email: block'], shown)
    assert.match(out, /^session-\S+ .*data_handling/m, shown)
  },
)
