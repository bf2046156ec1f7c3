export * from './event-log.js'
export * from './records.js'
export * from './session-store.js'
export { createEmbeddedTopics, type EmbeddedTopics, type EmbeddedTopicsOptions } from './topics.js'
