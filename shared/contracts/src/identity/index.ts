export * from './token.js'
