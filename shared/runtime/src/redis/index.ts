export type { RedisLimits, RedisStoreOptions } from './connection.js'
export { createRedisLineages } from './lineage-store.js'
export { createRedisStore, storeInfoOf } from './session-store.js'
