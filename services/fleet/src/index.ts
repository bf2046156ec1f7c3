export {
  createPauses,
  createSchedule,
  type Ending,
  type FleetDecision,
  type Pace,
  type SubmitReview,
} from './agent.js'
export { runFleet, type FleetOptions } from './fleet.js'
export { STEPS_MAX } from './player.js'
export { ACT_KINDS, CATEGORIES, SCENARIOS } from './scenario.js'
export type { ActKind, Category, Performance, Scenario } from './scenario.js'
