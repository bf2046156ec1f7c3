export { parseCases, type Case, type CaseSource } from './case.js'
export { findCases, type CasesOfFile } from './find-cases.js'
export { runCase } from './run-case.js'
