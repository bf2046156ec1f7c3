export type { Documents } from '@plimsoll/contracts'
export { type AlloyCommand, type AlloyModule, type AlloyOptions, toAlloy } from './alloy/to-alloy.js'
export { type Case, type CaseSource, type CasesOfFile, findCases, parseCases } from './cases/case.js'
export { runCase } from './cases/run-case.js'
export { type Disclose, type Disclosure, createDisclosure, disclosuresOf } from './compile/disclose.js'
export { type RulesCache, createPinnedRules, createRulesCache } from './compile/rules-cache.js'
export { compileRules, versionsOf } from './compile/rules.js'
export { compileScorer } from './compile/scorers.js'
export { mergeCatalogues } from './document/catalogues.js'
export {
  type DocumentSources,
  type ShippedBundle,
  SHIPPED_BUNDLES,
  defaultDocuments,
  defaultPolicyText,
  extendShipped,
  parseDocument,
  readAnyDocument,
  readCatalogue,
  readDocument,
} from './document/documents.js'
export { nearest } from './document/issues.js'
export { PACKS_FOLDER, PACK_NAMES, shippedPack } from './document/inspect-policy.js'
export { assertKind, fileProblem, readTextFile } from './document/text-file.js'
export { type LintCode, type Severity, LINT_CODES } from './lint/findings.js'
export { type LintReport, type LocatedFinding, lintText } from './lint/lint-text.js'
export { compileExpression } from './specs/expressions.js'
export type * from './verify/report.js'
export { type HazardRow, type Traceability, traceabilityOf } from './verify/traceability.js'
export { verifyPolicy } from './verify/verify-policy.js'
