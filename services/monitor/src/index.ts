export { validateRecord, type AdmissionRules, type ValidatedRecord } from './records/validate.js'
export { ARROWS, type Arrow } from './pipeline/store-chunk.js'
export type { Counting } from './fold/counting.js'
export { DEADLINE_ARROWS, type DeadlineArrow } from './deadlines/scheduler.js'
export type { IdentityRules, IdentitySettings } from './records/identity.js'
export { MONITOR_LIMITS, type MonitorLimits } from './records/quota.js'
export { MONITOR_METRICS } from './metrics/index.js'
export { startMonitor, type Monitor } from './monitor.js'
export type { MonitorOptions } from './pipeline/assembly.js'
export {
  rebuild,
  type RebuildOptions,
  type RebuildProgress,
  type RebuiltPartition,
} from './rebuild/rebuild.js'
export { readRuleDocuments, type RuleDocuments, type RuleFiles } from './rule-documents.js'
export {
  countingOf,
  limitsOf,
  startMonitorService,
  type MonitorService,
  type MonitorServiceOptions,
} from './service.js'
export { checkMonitorSettings, identityOf, monitorSettings, type MonitorConfig } from './settings.js'
