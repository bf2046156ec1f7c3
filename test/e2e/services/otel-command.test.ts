import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { withoutPair } from '../../support/components/components.js'
import { deploy, settingsOf } from '../../support/sessions/deployment.js'
import { createTracedAgent, encodeSpans, toolRun } from '../../support/otel-spans.js'
import { waitUntil } from '../../support/wait-until.js'
import { runCli, startCli } from '../cli-process.js'

const IDENTITY_KEY = 'an identity key for tests'

test('`otel` reports every problem of its settings at once', async () => {
  const env = { PLIMSOLL_OTEL_TENANT: '-', PLIMSOLL_OTEL_HOLD_MS: '-1', PLIMSOLL_OTEL_NEWS: '1' }
  const { code, stdout, stderr } = await runCli(['otel'], { env })
  assert.deepEqual({ code, stdout }, { code: 2, stdout: '' })
  for (const name of Object.keys(env)) assert.match(stderr, new RegExp(`^  ${name}: `, 'm'))
})

/** An OTLP/HTTP endpoint: `trace parent` of each received span. */
async function startEndpoint() {
  const spans: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      for (const [, traceId, parentId] of body.matchAll(
        /"traceId":"(\w+)","spanId":"\w+","parentSpanId":"(\w+)"/g,
      ))
        spans.push(`${traceId} ${parentId}`)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { spans, url: `http://127.0.0.1:${port}/v1/traces`, close: () => server.close() }
}

test(
  'after one `otel` is killed with unsent steps, the next reports them to monitors that require identities, and sends decisions as spans',
  { skip: withoutPair },
  async () => {
    const deployment = await deploy('real', { partitions: 2 })
    const endpoint = await startEndpoint()
    const topic = `${deployment.prefix}otlp_spans`
    await deployment.log.createTopics([{ topic, partitions: 2 }])
    deployment.startMonitor({ identity: { isRequired: true, keys: [IDENTITY_KEY] } })
    const env = {
      ...settingsOf(deployment),
      PLIMSOLL_IDENTITY_KEY: IDENTITY_KEY,
      PLIMSOLL_OTEL_TOPIC: topic,
      PLIMSOLL_OTEL_EXPORT_URL: endpoint.url,
    }
    const start = async (holdMs: number) => {
      const otel = startCli(['otel'], { env: { ...env, PLIMSOLL_OTEL_HOLD_MS: String(holdMs) } })
      const [url = ''] = /http:[^"]+/.exec(await otel.printed(/serving metrics/)) ?? []
      await otel.printed(/exporting decisions as spans/)
      return { otel, url }
    }
    try {
      const agent = createTracedAgent('mailer')
      const conversation = 'talk-1'
      const spans = ['get_customer', 'send_email'].map((tool, i) =>
        agent.span('execute_tool', toolRun({ tool, conversation }), [10 * i, 10 * i + 5]),
      )
      const killed = await start(60_000)
      await deployment.log.produce(topic, [{ key: null, value: encodeSpans(spans, 'otlp_json') }])
      const metric = /^plimsoll_otel_held_steps 2$/m
      await waitUntil('two steps to be held', async () =>
        metric.test(await (await fetch(`${killed.url}/metrics`)).text()),
      )
      const committed = async () =>
        (await deployment.log.group(`${deployment.prefix}plimsoll-otel`, topic)).offsets
      await waitUntil('their offset to be committed', async () =>
        [...(await committed()).values()].includes(1n),
      )
      killed.otel.signal('SIGKILL')
      await killed.otel.ended
      assert.equal(deployment.seen.events.length, 0)

      const next = await start(0)
      await deployment.until('five events', () => deployment.seen.events.length === 5)
      await waitUntil('two spans of decisions', async () => endpoint.spans.length === 2)
      const expected = spans
        .map((span) => span.spanContext())
        .map(({ traceId, spanId }) => `${traceId} ${spanId}`)
      assert.deepEqual(endpoint.spans, expected)
      assert.equal(deployment.seen.deadLetters.length, 0)
      next.otel.signal('SIGTERM')
      const { code, stderr } = await next.otel.ended
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    } finally {
      endpoint.close()
      await deployment.close()
    }
  },
)
