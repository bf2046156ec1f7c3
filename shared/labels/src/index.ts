export { createObserver, OBSERVER_PARTS } from './observer.js'
export type { CompletionReport, Observer, ObserverPart } from './observer.js'
export type { ProposedView, StartedView } from './observer.js'

export { createEntryFinder, createLabeller, type EntryFinder, type Labeller } from './tools/entries.js'
export { findSensitive } from './content/sensitive.js'
export { isReadByName, labelTool, META_KEY, type Operations, type ToolLabelling } from './tools/label-tool.js'
export { LABEL_NAMES, RANKS, valueOf, worseBy } from './tools/claim.js'
export type { LabelName, LabelValues, Source, ToolDefinition } from './tools/claim.js'
export { labelStep } from './arguments/label-step.js'
export { actsIn, signalsOfActs } from './acts/lexicon.js'
export { createTokenScanner, type Tokens } from './text/tokens.js'
export { textOf } from './text/text-of.js'
export { argumentLines, stepLines } from './approvals/step-lines.js'
export { visibleText } from './approvals/visible-text.js'

export { agreementOf, coverageOf, type Agreement, type Coverage } from './authoring/coverage.js'
export { lintCatalogue, type LintFinding } from './authoring/lint.js'
export { proposeLabels, type Proposal } from './authoring/propose.js'
export { parseToolList, TOOLS_MAX } from './authoring/tool-list.js'

export { argumentText } from './provenance/argument-text.js'
export { keyOfRoot } from './provenance/fingerprint-key.js'
export { createFingerprinter } from './provenance/fingerprinter.js'

export { createConductReader, type ConductReader } from './conduct/read-conduct.js'
export {
  createConductTextScorer,
  parseConductTextModel,
  shippedConductTextModel,
  SHIPPED_CONDUCT_MODEL,
} from './conduct/text-model.js'
export type { ConductTextModel, ConductTextScorer, WordOdds } from './conduct/text-model.js'
export { findCategory, readCategory, type CategoryReading } from './category/find.js'
export { parseCategoryModel, shippedCategoryModel, SHIPPED_CATEGORY_MODEL } from './category/model.js'
export type { CategoryModel } from './category/model.js'
export { INSTRUCTION_SIGNALS, readInstructions } from './instructions/read.js'
export { shippedInstructionModel, type InstructionModel } from './instructions/score.js'
export * as fitting from './fitting.js'
