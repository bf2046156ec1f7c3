import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventSchema, type Event } from '@plimsoll/contracts'
import { createOtelMetrics, runOtel, type RunningOtel, type RunOtelOptions } from '@plimsoll/otel'
import { defaultDocuments } from '@plimsoll/policy'
import { noMetrics, silentLogger } from '@plimsoll/runtime'
import { settleControl } from '../../support/sessions/controls.js'
import {
  decisionsOf,
  deploy,
  DEPLOYMENTS,
  foldAlone,
  type Deployment,
} from '../../support/sessions/deployment.js'
import { createTracedAgent, encodeSpans, toolRun } from '../../support/otel-spans.js'

const KEY = 'a key of fingerprints for tests'
const FILE = { name: 'Ada Example', iban: 'DE89370400440532013000', contract: 'KX-20931-B' }
const LEAK = { to: 'office@example.org', body: 'Contract KX-20931-B, account DE89370400440532013000' }
const { catalogue } = await defaultDocuments()

/** A deployment with a separate topic for the Collector. */
async function observe(deployment: Deployment) {
  const spansTopic = `${deployment.prefix}otlp_spans`
  await deployment.log.createTopics([{ topic: spansTopic, partitions: 2 }])
  const running: RunningOtel[] = []
  const read = async (more: Partial<RunOtelOptions> = {}) => {
    const { log, topics, prefix } = deployment
    const common = {
      log,
      topics,
      spansTopic,
      group: `${prefix}otel`,
      tenant: 'otel',
    } as const
    const own = {
      catalogue,
      fingerprintKey: KEY,
      metrics: createOtelMetrics(noMetrics),
      logger: silentLogger,
      holdMs: 300,
    }
    const made = await runOtel({ ...common, ...own, ...more })
    running.push(made)
    return made
  }
  /** As the exporter writes it: without a key. */
  const write = (value: Uint8Array) => deployment.log.produce(spansTopic, [{ key: null, value }])
  const group = `${deployment.prefix}otel`
  const untilRead = async (count: bigint) => {
    const readSoFar = async () =>
      [...(await deployment.log.group(group, spansTopic)).offsets.values()].reduce(
        (sum, each) => sum + each,
        0n,
      )
    while ((await readSoFar()) < count) await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const close = async () => {
    await Promise.all(running.map((each) => each.close()))
    await deployment.close()
  }
  return { read, write, untilRead, close }
}

const eventsOf = ({ seen }: Deployment): Event[] =>
  seen.events
    .map(({ value }) => eventSchema.safeParse(JSON.parse(String(value))).data)
    .filter((event) => event !== undefined)

const kinds = (deployment: Deployment) =>
  eventsOf(deployment).map((event) => `${event.type} ${'tool' in event ? event.tool : ''}`.trim())

for (const [kind, skip] of DEPLOYMENTS)
  describe(`agents instrumented with OpenTelemetry, ${kind}`, { skip }, () => {
    test('reports a leak although its spans arrive out of order and twice, without delay', async () => {
      const deployment = await deploy(kind)
      const otel = await observe(deployment)
      try {
        deployment.startMonitor()
        await settleControl(deployment, { id: 'c1', type: 'mode.changed', tenant: 'otel', mode: 'observe' })
        await otel.read()
        const agent = createTracedAgent('mailer')
        const turn = agent.span('invoke_agent', { 'gen_ai.conversation.id': 'talk-7' }, [0, 90])
        const around = turn.spanContext()
        const get = toolRun({ tool: 'get_customer', arguments: { id: 7 }, result: FILE })
        const send = toolRun({ tool: 'send_email', arguments: LEAK, result: 'sent' })
        const first = agent.span('execute_tool get_customer', get, [10, 20], around)
        const last = agent.span('execute_tool send_email', send, [30, 40], around)
        await otel.write(encodeSpans([last], 'otlp_proto'))
        await otel.write(encodeSpans([first, turn], 'otlp_json'))
        await otel.write(encodeSpans([last], 'otlp_proto'))

        await deployment.until('five events', () => eventsOf(deployment).length === 5)
        assert.deepEqual(kinds(deployment), [
          'session.started',
          'step.proposed get_customer',
          'step.completed get_customer',
          'step.proposed send_email',
          'step.completed send_email',
        ])
        await deployment.until('two decisions', () => decisionsOf(deployment).length === 2)
        const [read, leak] = decisionsOf(deployment)
        assert.deepEqual([read?.sessionId, read?.verdict], ['otel~talk-7', 'allow'])
        assert.deepEqual(
          [leak?.sessionId, leak?.verdict, leak?.mode, leak?.risk?.evidence],
          ['otel~talk-7', 'block', 'observe', 'present'],
        )
        const alone = foldAlone(deployment).decisions
        for (const each of [read, leak])
          assert.deepEqual(each, JSON.parse(alone.get(each?.id ?? '') ?? 'null'))
        assert.equal(deployment.seen.deadLetters.length, 0)
        const written = deployment.seen.events.map(({ value }) => String(value)).join()
        assert.doesNotMatch(written, /KX-20|DE8937|office@/i)
        const [, proposed] = deployment.seen.events.filter(({ key }) => key === 'otel~talk-7')
        const { traceId, spanId } = first.spanContext()
        assert.equal(proposed?.headers['traceparent'], `00-${traceId}-${spanId}-01`)
      } finally {
        await otel.close()
      }
    })
  })

// test/e2e/services/otel-command.test.ts kills a process on real components.
test('the next process reads the spans a stopped one still held, and reports them once', async () => {
  const deployment = await deploy('embedded')
  const otel = await observe(deployment)
  try {
    deployment.startMonitor()
    const agent = createTracedAgent('mailer')
    const span = (tool: string, at: readonly [number, number]) =>
      agent.span('execute_tool', toolRun({ tool, conversation: 'talk-8' }), at)
    const dying = new AbortController()
    await otel.read({ holdMs: 0, signal: dying.signal })
    await otel.write(encodeSpans([span('read_file', [0, 1])], 'otlp_proto'))
    await deployment.until('the first step', () => eventsOf(deployment).length === 3)
    dying.abort()
    const killed = new AbortController()
    await otel.read({ holdMs: 60_000, signal: killed.signal })
    await otel.write(encodeSpans([span('get_customer', [2, 3])], 'otlp_proto'))
    await otel.untilRead(2n)
    killed.abort()

    await otel.read()
    await otel.write(encodeSpans([span('list_files', [4, 5])], 'otlp_proto'))
    await deployment.until('all steps', () => kinds(deployment).includes('step.completed list_files'))
    assert.deepEqual(
      kinds(deployment).filter((each) => each.startsWith('step.proposed')),
      ['step.proposed read_file', 'step.proposed get_customer', 'step.proposed list_files'],
    )
    assert.equal(kinds(deployment).filter((each) => each === 'session.started').length, 1)
    assert.equal(deployment.seen.deadLetters.length, 0)
  } finally {
    await otel.close()
  }
})
