export { type FleetDecision, type SubmitReview } from './agent.js'
export { runFleet, type FleetOptions } from './fleet.js'
export * from './scenario.js'
export { SCENARIOS } from './scenarios.js'
