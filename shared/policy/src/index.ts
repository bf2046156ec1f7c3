export * from './compile.js'
export * from './documents.js'
export * from './scorers.js'
export * from './shelf.js'
