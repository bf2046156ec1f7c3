export { LINT_CODES, type Finding, type LintCode, type Severity } from './flows.js'
export { lintPolicy } from './lint-text.js'
export { lintText, type LintReport, type LocatedFinding } from './lint-text.js'
export { traceabilityOf, type HazardRow, type SpecRow, type Traceability } from './traceability.js'
