export { createOtelMetrics, OTEL_METRICS, type OtelMetrics } from './metrics.js'
export type { RunningOtel, RunOtelOptions } from './run-otel.js'
export type { OtelService, OtelServiceOptions } from './service.js'
export { checkOtelSettings, otelSettings, spanSettings, type OtelConfig } from './settings.js'
