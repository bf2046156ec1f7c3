import protobuf from 'protobufjs/light.js'
import { type ReadSpans, readSpans } from './span.js'

const repeated = (id: number, type: string) => ({ rule: 'repeated', id, type })

/**
 * The fields of OTLP traces that are read; the decoder skips the rest. Source: opentelemetry-proto 1.7, trace/v1/trace.proto and
 * common/v1/common.proto.
 */
const root = protobuf.Root.fromJSON({
  nested: {
    TracesData: { fields: { resourceSpans: repeated(1, 'ResourceSpans') } },
    ResourceSpans: {
      fields: { resource: { id: 1, type: 'Resource' }, scopeSpans: repeated(2, 'ScopeSpans') },
    },
    Resource: { fields: { attributes: repeated(1, 'KeyValue') } },
    ScopeSpans: { fields: { spans: repeated(2, 'Span') } },
    Span: {
      fields: {
        traceId: { id: 1, type: 'bytes' },
        spanId: { id: 2, type: 'bytes' },
        parentSpanId: { id: 4, type: 'bytes' },
        startTimeUnixNano: { id: 7, type: 'fixed64' },
        endTimeUnixNano: { id: 8, type: 'fixed64' },
        attributes: repeated(9, 'KeyValue'),
        status: { id: 15, type: 'Status' },
      },
    },
    Status: { fields: { code: { id: 3, type: 'int32' } } },
    KeyValue: { fields: { key: { id: 1, type: 'string' }, value: { id: 2, type: 'AnyValue' } } },
    AnyValue: {
      oneofs: {
        value: {
          oneof: [
            'stringValue',
            'boolValue',
            'intValue',
            'doubleValue',
            'arrayValue',
            'kvlistValue',
            'bytesValue',
          ],
        },
      },
      fields: {
        stringValue: { id: 1, type: 'string' },
        boolValue: { id: 2, type: 'bool' },
        intValue: { id: 3, type: 'int64' },
        doubleValue: { id: 4, type: 'double' },
        arrayValue: { id: 5, type: 'ArrayValue' },
        kvlistValue: { id: 6, type: 'KeyValueList' },
        bytesValue: { id: 7, type: 'bytes' },
      },
    },
    ArrayValue: { fields: { values: repeated(1, 'AnyValue') } },
    KeyValueList: { fields: { values: repeated(1, 'KeyValue') } },
  },
})

const tracesData = root.lookupType('TracesData')

/** Throws if the bytes are not protobuf. */
function decodeProto(bytes: Uint8Array): unknown {
  // In a plain object, members that were not sent are undefined; in a message they would be the type's defaults.
  return tracesData.toObject(tracesData.decode(bytes), { longs: String })
}

/** Decodes one record of the topic, as `otlp_proto` or `otlp_json` by its first byte; undefined if it is not OTLP. Never throws. */
export function decodeSpans(value: Uint8Array | null): ReadSpans | undefined {
  if (!value || value.length === 0) return undefined
  try {
    const request = value[0] === BRACE ? decodeJson(value) : decodeProto(value)
    return request === undefined ? undefined : readSpans(request)
  } catch {
    return undefined
  }
}

/** `{`. As a protobuf tag it would be field 15 with a deprecated wire type, so no request starts with it. */
const BRACE = 0x7b

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decodeJson(value: Uint8Array): unknown {
  const parsed: unknown = JSON.parse(utf8.decode(value))
  return typeof parsed === 'object' && parsed !== null && 'resourceSpans' in parsed ? parsed : undefined
}
