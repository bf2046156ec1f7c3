import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Context, ROOT_CONTEXT, TraceFlags, context, trace } from '@opentelemetry/api'
import type { OutgoingRecord } from '@plimsoll/runtime'
import { createRig } from '../testing/two-modes.js'
import { openTelemetryTrace, readerErrors } from './trace.js'

const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

function recorder() {
  const headers: (Readonly<Record<string, string>> | undefined)[] = []
  const produce = (records: readonly OutgoingRecord[], next: () => Promise<void>) => {
    headers.push(...records.map((record) => record.headers))
    return next()
  }
  return { headers, produce }
}

test("puts a step's valid trace into its event's headers", async (t) => {
  const { headers, produce } = recorder()
  const { client } = await createRig(t, { produce })
  const session = await client.startSession()
  await session.propose({ tool: 'read_file', trace: { traceparent: TRACEPARENT, tracestate: 'a=1' } })
  await session.propose({ tool: 'read_file', trace: { traceparent: 'nonsense', tracestate: 'a=1' } })
  assert.deepEqual(
    headers.map((each) => [each?.['traceparent'], each?.['tracestate']]),
    [
      [undefined, undefined],
      [TRACEPARENT, 'a=1'],
      [undefined, undefined],
    ],
  )
})

test('uses the `trace` setting if the step has none', async (t) => {
  const { headers, produce } = recorder()
  const settings = { trace: () => ({ traceparent: TRACEPARENT }) }
  const { client } = await createRig(t, { produce, settings })
  const session = await client.startSession()
  await session.complete(await session.propose({ tool: 'read_file' }))
  await session.end()
  assert.deepEqual([...new Set(headers.map((each) => each?.['traceparent']))], [TRACEPARENT])
})

test("otherwise uses OpenTelemetry's active span", async (t) => {
  let active: Context = ROOT_CONTEXT
  const manager = {
    active: () => active,
    with: () => assert.fail('not used here'),
    bind: () => assert.fail('not used here'),
    enable: () => manager,
    disable: () => manager,
  }
  context.setGlobalContextManager(manager)
  t.after(() => context.disable())
  const current = await openTelemetryTrace()
  assert.equal(current(), undefined)
  const [, traceId = '', spanId = ''] = TRACEPARENT.split('-')
  const span = trace.wrapSpanContext({ traceId, spanId, traceFlags: TraceFlags.SAMPLED })
  active = trace.setSpan(ROOT_CONTEXT, span)
  assert.equal(current()?.traceparent, TRACEPARENT)
})

test('every error of a reader of arguments is counted, and the first is a process warning', async (t) => {
  const warnings: string[] = []
  const note = ({ message }: Error) => void warnings.push(message)
  process.on('warning', note)
  t.after(() => void process.off('warning', note))
  let count = 0
  const onReaderError = readerErrors(() => void count++)
  for (const problem of ['first', 'second']) onReaderError(new TypeError(problem))
  await new Promise(setImmediate)
  assert.equal(count, 2)
  assert.deepEqual(warnings, ['plimsoll: `a reader of arguments` threw: first'])
})
