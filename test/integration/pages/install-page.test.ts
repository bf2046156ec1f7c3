import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { blocksOf } from '../../reference/hand-written.js'
import { kafka, redis, uniquePrefix, withoutPair } from '../../support/components/components.js'
import { freePorts } from '../../support/components/free-ports.js'
import { projectRoot } from '../../support/paths.js'
import { runShell } from '../../support/run/run-shell.js'

const page = readFileSync(path.join(projectRoot, 'docs/guides/install.md'), 'utf8')

/** The commands of the page, in order, in one shell; the addresses of Kafka and Redis come from the environment. */
function shellOf(page: string): string {
  const lines = blocksOf(page, 'sh').join('\n').split('\n')
  const [reported, typed] = [true, false].map((isReported) =>
    lines.filter((line) => /^export (KAFKA_BROKERS|REDIS_URL)=/.test(line) === isReported),
  )
  assert.equal(reported?.length, 2, 'the page says where Kafka and Redis are')
  return typed?.join('\n') ?? ''
}

test('the steps of the installation page lead to a first decision', { skip: withoutPair }, async () => {
  const prefix = uniquePrefix()
  const [port = 0] = await freePorts(1)
  const { out, err, code } = await runShell(shellOf(page), {
    KAFKA_BROKERS: kafka.brokers.join(','),
    REDIS_URL: redis.url,
    PLIMSOLL_TOPIC_PREFIX: `${prefix}plimsoll`,
    PLIMSOLL_HTTP_PORT: String(port),
  })
  const shown = `${out}\n${err}`
  assert.equal(code, 0, shown)
  assert.match(out, new RegExp(`made .*${prefix}plimsoll\\.events`), shown)
  assert.match(out, /ok +monitor http:\S+ +ready/, shown)
  const verdicts = out.split('\n').filter((line) => /^(get_customer|send_email): /.test(line))
  assert.deepEqual(verdicts, ['get_customer: allow', 'send_email: confirm', 'send_email: block'], shown)
  assert.match(out, /^session-\S+ .*data_handling/m, shown)
})
