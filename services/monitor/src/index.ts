export { admit, type Admitted, type AdmissionRules } from './admit.js'
export { ARROWS, type Arrow } from './chunk.js'
export {
  MONITOR_LIMITS,
  startMonitor,
  type Monitor,
  type MonitorLimits,
  type MonitorOptions,
} from './monitor.js'
export { readRuleBook, type RuleFiles } from './rule-files.js'
export { startMonitorService, type MonitorService, type MonitorServiceOptions } from './service.js'
export { monitorSettings, type MonitorConfig } from './settings.js'
