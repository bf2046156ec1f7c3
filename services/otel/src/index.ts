import type { OtelService, OtelServiceOptions } from './service.js'

export { createOtelMetrics } from './metrics.js'
export { type RunOtelOptions, type RunningOtel, runOtel } from './run-otel.js'
export { checkOtelSettings, otelSettings } from './settings.js'

/** Loads the OpenTelemetry exporter on first use: other commands start without it. */
export const startOtelService = async (options: OtelServiceOptions): Promise<OtelService> =>
  (await import('./service.js')).startOtelService(options)
