import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { blocksOf } from '../../reference/hand-written.js'
import { kafka, redis, uniquePrefix, withoutPair } from '../../support/components/components.js'
import { freePorts } from '../../support/components/free-ports.js'
import { projectRoot } from '../../support/paths.js'
import { runShell } from '../../support/run/run-shell.js'

const page = readFileSync(path.join(projectRoot, 'docs/tutorials/first-policy.md'), 'utf8')

/** The commands of the page, in order, on an existing build; the addresses of Kafka and Redis come from the environment. */
function shellOf(page: string): string {
  const given: Readonly<Record<string, string>> = {
    'npm install && npm run build': '',
    'export KAFKA_BROKERS=127.0.0.1:9092': `export KAFKA_BROKERS=${kafka.brokers.join(',')}`,
    'export REDIS_URL=redis://127.0.0.1:6379': `export REDIS_URL=${redis.url}`,
  }
  const lines = blocksOf(page, 'sh').join('\n').split('\n')
  for (const line of Object.keys(given)) assert.ok(lines.includes(line), `the page says \`${line}\``)
  return lines.map((line) => given[line] ?? line).join('\n')
}

/** What `verify` says of the hazards, here and in docs/explanation/verification.md. */
const VERIFIED = [
  '✔ 2 are proved: H1, H5',
  '! 1 needs a human: H3',
  '! 1 is reached with an alert: H4',
  '– 3 are never stated: H2, H6, H7',
]

const count = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length

test('the guide leads from losses to a live policy', { skip: withoutPair }, async () => {
  const prefix = uniquePrefix()
  const [port = 0] = await freePorts(1)
  const { out, err, code } = await runShell(shellOf(page), {
    PLIMSOLL_TOPIC_PREFIX: `${prefix}plimsoll`,
    PLIMSOLL_HTTP_PORT: String(port),
    PLIMSOLL_PARTITIONS: '3',
    USER: 'ada',
  })
  const shown = `${out}\n${err}`
  assert.equal(code, 0, shown)
  assert.match(out, /^0 errors, 3 warnings/m, shown)
  assert.match(out, /^✔ H1 cannot be reached, held by SPEC1a/m, shown)
  for (const line of VERIFIED) assert.ok(out.split('\n').includes(line), `${line}\n— is not in\n${shown}`)
  assert.match(out, /^accepted, not all verified: 2 of 7 hazards proved; 2 goals, 6 specs/m, shown)
  assert.match(out, /^9 passed, 0 failed/m, shown)
  assert.match(out, /^2 of \d+ steps would get another verdict, in 2 of 4 sessions/m, shown)
  for (const cause of ['flow:SPEC1b', 'mustlist:SPEC2'])
    assert.match(
      out,
      new RegExp(`^plimsoll_shadow_changes_total\\{.*"${cause}".*"blocked".*\\} 1$`, 'm'),
      shown,
    )
  const moved = out.slice(out.indexOf('run nothing in shadow'))
  assert.match(moved, /^send_email .*: block\n {2}SPEC1b: /m, shown)
  const live = moved.slice(moved.indexOf('SPEC1b'))
  assert.equal(count(live, /^send_email .*: block\n {2}SPEC1a: /gm), 1, shown)
  assert.equal(count(live, /^list_events .*: block\n {2}SPEC2: /gm), 1, shown)
  assert.equal(count(live, /^send_email .*: allow$/gm), 2, shown)
  assert.match(live, /^session-\S+ .*calendar/m, shown)
})
