import {
  type ConfigOf,
  catalogueSettings,
  fingerprintSettings,
  identitySettings,
  kafkaSettings,
  serviceSettings,
  setting,
} from '@plimsoll/runtime'

/** What `plimsoll otel` reads from its environment. */
export const otelSettings = {
  ...kafkaSettings,
  ...serviceSettings,
  ...fingerprintSettings,
  ...identitySettings,
  ...catalogueSettings,
  readsSpans: setting.flag({
    env: 'PLIMSOLL_OTEL_READ',
    doc: 'Whether spans are read; `false` for a process that only exports decisions as spans.',
    default: 'true',
  }),
  spansTopic: setting.text({
    env: 'PLIMSOLL_OTEL_TOPIC',
    doc: "Topic to which the Collector's Kafka exporter writes traces.",
    default: 'otlp_spans',
    expects: '1–249 letters, digits, `.`, `_`, `-`',
    pattern: /^[A-Za-z0-9._-]{1,249}$/,
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
    doc: 'How long a span waits for spans that began before it. Set it to the longest delay between exporters of one trace.',
    default: '5000',
    max: 60_000,
  }),
  exportUrl: setting.url({
    env: 'PLIMSOLL_OTEL_EXPORT_URL',
    doc: 'OTLP/HTTP endpoint for traces, with its path. Every decision is exported there as a span; without it none is.',
    protocols: ['https', 'http'],
  }),
  exportHeaders: setting.list({
    env: 'PLIMSOLL_OTEL_EXPORT_HEADERS',
    doc: 'Headers of the export requests, `name=value`, separated by commas.',
    expects: '`name=value`, several separated by commas',
    pattern: /^[A-Za-z0-9-]+=[\x20-\x7e]+$/,
    isSecret: true,
  }),
}

export type OtelConfig = ConfigOf<typeof otelSettings>

/** For `parseConfig`'s `checks`. */
export function checkOtelSettings({ readsSpans, exportUrl }: OtelConfig): readonly string[] {
  return readsSpans || exportUrl !== undefined
    ? []
    : ['PLIMSOLL_OTEL_READ: expected PLIMSOLL_OTEL_EXPORT_URL if no spans are read']
}
