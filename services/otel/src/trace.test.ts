import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Attributes } from '@opentelemetry/api'
import { decodeSpans } from './otlp/decode.js'
import { createSpanRecorder, encodeSpans, mcpCall, toolRun } from './testing/record-spans.js'
import { toolCallOf } from './trace.js'

const recorder = createSpanRecorder()

function callOf(attributes: Attributes, isError = false) {
  const bytes = encodeSpans([recorder.span('a span', { attributes, isError })])
  const span = decodeSpans(bytes)?.spans[0]
  assert.ok(span)
  const call = toolCallOf(span)
  if (!call) return undefined
  const { span: _, ...rest } = call
  return rest
}

const NONE = { description: undefined, arguments: undefined, result: undefined, outcome: 'ok', isMcp: false }
const to = 'ann@example.com'

const CASES: readonly (readonly [string, Attributes, object | undefined])[] = [
  ['a tool run', toolRun('send_email'), { ...NONE, tool: 'send_email' }],
  ['an MCP call', mcpCall('read_file'), { ...NONE, tool: 'read_file', isMcp: true }],
  [
    'an MCP call without the GenAI operation',
    { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': 'read_file' },
    { ...NONE, tool: 'read_file', isMcp: true },
  ],
  ['another MCP method', { 'mcp.method.name': 'tools/list' }, undefined],
  ['a chat', { 'gen_ai.operation.name': 'chat', 'gen_ai.tool.name': 'x' }, undefined],
  ['a database', { 'db.system.name': 'postgresql' }, undefined],
  [
    'arguments and a result in JSON',
    toolRun('send_email', {
      'gen_ai.tool.description': 'sends',
      'gen_ai.tool.call.arguments': JSON.stringify({ to }),
      'gen_ai.tool.call.result': '{"sent":true}',
    }),
    { ...NONE, tool: 'send_email', description: 'sends', arguments: { to }, result: { sent: true } },
  ],
  [
    'arguments and a result that are plain text',
    toolRun('shell', { 'gen_ai.tool.call.arguments': '{not json', 'gen_ai.tool.call.result': 'done' }),
    { ...NONE, tool: 'shell', arguments: { value: '{not json' }, result: 'done' },
  ],
  [
    'a failure by its error type',
    toolRun('a', { 'error.type': 'timeout' }),
    { ...NONE, tool: 'a', outcome: 'error' },
  ],
  ['a name with spaces', toolRun('Send E-Mail ü'), { ...NONE, tool: 'Send_E-Mail__' }],
  ['no name', { 'gen_ai.operation.name': 'execute_tool' }, { ...NONE, tool: 'unknown' }],
  ['a name without end', toolRun('x'.repeat(5_000)), { ...NONE, tool: 'x'.repeat(200) }],
]
for (const [what, attributes, expected] of CASES)
  test(`reads ${what}`, () => assert.deepEqual(callOf(attributes), expected))

test('a span whose status is an error failed', () => {
  assert.equal(callOf(toolRun('a'), true)?.outcome, 'error')
})

test('reads structured arguments', () => {
  const attributes = [
    { key: 'gen_ai.operation.name', value: { stringValue: 'execute_tool' } },
    {
      key: 'gen_ai.tool.call.arguments',
      value: {
        kvlistValue: {
          values: [
            { key: 'to', value: { stringValue: to } },
            { key: 'n', value: { arrayValue: { values: [{ intValue: 1 }, { boolValue: true }] } } },
          ],
        },
      },
    },
  ]
  const span = {
    traceId: 'a'.repeat(32),
    spanId: 'b'.repeat(16),
    startTimeUnixNano: 1,
    endTimeUnixNano: 2,
    attributes,
  }
  const request = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })
  const [read] = decodeSpans(Buffer.from(request))?.spans ?? []
  assert.ok(read)
  assert.deepEqual(toolCallOf(read)?.arguments, { to, n: [1, true] })
})
