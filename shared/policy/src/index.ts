export * from './compile.js'
export * from './documents.js'
