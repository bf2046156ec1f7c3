export * from './to-alloy.js'
