export * from './compile.js'
export * from './documents.js'
export * from './shelf.js'
