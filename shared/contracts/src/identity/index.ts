export * from './proof.js'
export * from './token.js'
