export * from './answer.js'
export { type ClientOptions, createClient } from './client.js'
export { type Guard, type GuardOptions, createGuard } from './guard.js'
export * from './session.js'
export { type FailMode, type FailModes, FAIL_MODES, type WithoutVerdictCause } from './pending/proposals.js'
export {
  type ClientLimits,
  type ClientSettings,
  type StepWithoutVerdict,
  CLIENT_LIMITS,
  TIMEOUT_MS,
} from './transport/link.js'
export type { CurrentTrace } from './transport/trace.js'
export type { Disclosure } from '@plimsoll/policy'
export { OBSERVER_PARTS, type ObserverPart, stepLines } from '@plimsoll/labels'
