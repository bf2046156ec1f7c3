export * from './clock.js'
export * from './event-log.js'
export * from './session-store.js'
