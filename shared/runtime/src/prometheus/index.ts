export * from './metrics.js'
