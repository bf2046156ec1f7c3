export * from './event-log.js'
export * from './session-store.js'
