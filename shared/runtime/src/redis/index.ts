export { createRedisLineages } from './lineage-store.js'
export * from './session-store.js'
export type { RedisLimits } from './connection.js'
