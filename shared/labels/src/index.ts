export * from './labeller.js'
export * from './observer.js'
export * from './provenance/index.js'
export * from './sources/index.js'
