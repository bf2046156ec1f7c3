export * from './session-store.js'
export type { RedisLimits } from './connection.js'
