import { readCatalogue } from '@plimsoll/policy'
import {
  type ConfigOf,
  fingerprintSettings,
  identitySettings,
  kafkaSettings,
  serviceSettings,
  setting,
} from '@plimsoll/runtime'
import { ENCODINGS } from './otlp/decode.js'
import { type RunOtelOptions, type RunningOtel, runOtel } from './run-otel.js'

/** Reading spans, wherever that is done. */
export const spanSettings = {
  spansTopic: setting.text({
    env: 'PLIMSOLL_OTEL_TOPIC',
    doc: "Topic to which the Collector's Kafka exporter writes traces.",
    default: 'otlp_spans',
    expects: '1–249 letters, digits, `.`, `_`, `-`',
    pattern: /^[A-Za-z0-9._-]{1,249}$/,
  }),
  spansEncoding: setting.choice(ENCODINGS)({
    env: 'PLIMSOLL_OTEL_ENCODING',
    doc: "The exporter's `encoding`; `auto` detects it for each record.",
    default: 'auto',
  }),
  spansGroup: setting.text({
    env: 'PLIMSOLL_OTEL_GROUP',
    doc: 'Consumer group of those who read spans.',
    default: 'plimsoll-otel',
  }),
  spansTenant: setting.text({
    env: 'PLIMSOLL_OTEL_TENANT',
    doc: 'Tenant of the sessions from spans: use a separate one in mode `observe`.',
    default: 'otel',
    expects: '1–63 of `a–z 0–9 -`, the first no hyphen',
    pattern: /^[a-z0-9][a-z0-9-]{0,62}$/,
  }),
  spansHoldMs: setting.integer({
    env: 'PLIMSOLL_OTEL_HOLD_MS',
    doc: 'How long a span waits for what belongs before it: as long as exporters of one trace may be apart.',
    default: '5000',
    max: 60_000,
  }),
}

/** Also of the gateway. */
export const catalogueFiles = setting.list({
  env: 'PLIMSOLL_CATALOGUE',
  doc: 'Files of tool catalogues, with commas between, for what is seen of texts and for MCP: they add to those that ship, a later one wins tool by tool. As the monitors have them.',
  expects: 'the path of a file, several with commas between',
})

/** Spans of our own decisions. */
const exportSettings = {
  exportUrl: setting.url({
    env: 'PLIMSOLL_OTEL_EXPORT_URL',
    doc: 'OTLP/HTTP endpoint for traces, with its path: every decision is sent there as a span; none is where it is left out.',
    protocols: ['https', 'http'],
  }),
  exportHeaders: setting.list({
    env: 'PLIMSOLL_OTEL_EXPORT_HEADERS',
    doc: 'Headers of the requests, `name=value`, with commas between.',
    expects: '`name=value`, several with commas between',
    pattern: /^[A-Za-z0-9-]+=[\x20-\x7e]+$/,
    isSecret: true,
  }),
  exportGroup: setting.text({
    env: 'PLIMSOLL_OTEL_EXPORT_GROUP',
    doc: 'Consumer group of those who send spans of decisions.',
    default: 'plimsoll-otel-export',
  }),
}

/** What `plimsoll otel` reads from its environment. */
export const otelSettings = {
  ...kafkaSettings,
  ...serviceSettings,
  ...fingerprintSettings,
  ...identitySettings,
  readsSpans: setting.flag({
    env: 'PLIMSOLL_OTEL_READ',
    doc: 'Whether spans are read; `false` for a process that only sends spans of decisions.',
    default: 'true',
  }),
  catalogueFiles,
  ...spanSettings,
  ...exportSettings,
}

/** For `parseConfig`'s `checks`. */
export function checkOtelSettings({ readsSpans, exportUrl }: OtelConfig): readonly string[] {
  return readsSpans || exportUrl !== undefined
    ? []
    : ['PLIMSOLL_OTEL_READ: expected PLIMSOLL_OTEL_EXPORT_URL where no spans are read']
}

export type OtelConfig = ConfigOf<typeof otelSettings>

/** What the parts that read and write spans share. */
export type OtelContext = Pick<RunOtelOptions, 'log' | 'topics' | 'metrics' | 'logger' | 'signal'>

export type ReadingConfig = ConfigOf<typeof spanSettings> &
  Pick<OtelConfig, 'fingerprintKey' | 'identityKey' | 'catalogueFiles'>

/** Reads spans as `config` has it. Rejects as `runOtel` does, and with `document_invalid` for a catalogue that is none. */
export async function startReading(config: ReadingConfig, context: OtelContext): Promise<RunningOtel> {
  const { spansTopic, spansEncoding, spansGroup, spansTenant, spansHoldMs } = config
  const running = await runOtel({
    ...context,
    spansTopic,
    encoding: spansEncoding,
    group: spansGroup,
    tenant: spansTenant,
    holdMs: spansHoldMs,
    catalogue: await readCatalogue(config.catalogueFiles),
    fingerprintKey: config.fingerprintKey,
    identityKey: config.identityKey,
  })
  context.logger.info('reading spans', { topic: spansTopic, tenant: spansTenant })
  return running
}

/** Spans being read beside something that does not wait for it. */
export interface BackgroundReading {
  /** Tells what is held. Harmless a second time. */
  close(): Promise<void>
}

/** Begins to read spans once there are Kafka and the topic; anyone who calls goes on at once, and is not held up where there never are. */
export function readInBackground(
  config: ReadingConfig,
  { signal, ...context }: OtelContext,
): BackgroundReading {
  const closing = new AbortController()
  const own = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
  const starting = startReading(config, { ...context, signal: own }).catch((error: unknown) => {
    if (!own.aborted) context.logger.error('no spans are read', { error })
    return undefined
  })
  return {
    close: async () => {
      closing.abort()
      await (await starting)?.close()
    },
  }
}
