import { decodeProto } from './proto.js'
import { readSpans, type ReadSpans } from './span.js'

/** The encodings of the Collector's Kafka exporter that carry OTLP, by its own names; `auto` tells them apart by the first byte. */
export const ENCODINGS = ['auto', 'otlp_proto', 'otlp_json'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Reads one record of the topic; undefined for what is not OTLP in that encoding. Total. */
export function decodeSpans(value: Uint8Array | null, encoding: Encoding): ReadSpans | undefined {
  if (!value || value.length === 0) return undefined
  const isJson = encoding === 'auto' ? value[0] === BRACE : encoding === 'otlp_json'
  try {
    const request = isJson ? decodeJson(value) : decodeProto(value)
    return request === undefined ? undefined : readSpans(request)
  } catch {
    return undefined
  }
}

/** `{`: as a tag of protobuf it would be of field 15 and a wire type that is no longer used, so no request begins with it. */
const BRACE = 0x7b

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decodeJson(value: Uint8Array): unknown {
  const parsed: unknown = JSON.parse(utf8.decode(value))
  return typeof parsed === 'object' && parsed !== null && 'resourceSpans' in parsed ? parsed : undefined
}
