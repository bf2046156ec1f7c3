export * from './policy.js'
export * from './spec.js'
export * from './pattern.js'
