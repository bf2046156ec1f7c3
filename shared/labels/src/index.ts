export * from './labeller.js'
