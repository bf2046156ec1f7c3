export { type FlowPhase, bundleOfModel } from './bundle/flow-bundle.js'
export {
  type FitFromFilesOptions,
  bundleText,
  fitFromFiles,
  fitShippedConductText,
  tabulateCorpus,
  unscoredStage,
  writeWhole,
} from './bundle/from-files.js'
export { fitShippedBundle, shippedRecordings } from './bundle/shipped.js'
export { type FittedTopic, TOPIC_RECORDS_MAX, fitTopic } from './bundle/from-topic.js'
export { type BlindTrace, type ToolLists, blindOf, createRecentSteps, readToolLists } from './corpus/blind.js'
export { type Corpus, type SourceLine, censusOf, corpusOf, groupedBy, readCorpus } from './corpus/corpus.js'
export {
  type LogCensus,
  type LoggedSession,
  type SessionAssembly,
  OPEN_EVENTS_MAX,
  createLogCensus,
  createSessionAssembly,
} from './corpus/log/assemble.js'
export { proposalsThatRan } from './corpus/log/play-logged.js'
export { type Outcomes, createOutcomes, eventIn, recordsIn, spanOf } from './corpus/log/records.js'
export {
  type ReportParts,
  type Stage,
  type TextModels,
  createPlayer,
  disclosingViews,
  evaluationObserver,
  play,
  rememberedViews,
  viewsOf,
} from './corpus/play.js'
export {
  type ReadProgress,
  areReadAgain,
  findTraces,
  noSessionError,
  readTraces,
  traceFilesIn,
} from './corpus/read-traces.js'
export {
  type About,
  type RecordedTruth,
  type Recording,
  exclusionFor,
  isHeldOutAbout,
  readRecordings,
  recordingOf,
  taskFoldOf,
} from './corpus/recording.js'
export { type Trace, foldOf, isHeldOut, traceSchema } from './corpus/trace.js'
export { type LabelledCatalogue, labelUnlisted, labelUnlistedIn } from './corpus/unlisted.js'
export { fitShippedCategories } from './fit/categories.js'
export { fitOrderModel, parseOrderSamples, ORDER_KINDS, type OrderSample } from './fit/orders.js'
export { CATEGORIES, HORIZON, HORIZON_MAX, KAPPA, createEstimator, fit } from './fit/chain/fit.js'
export { chainFigures } from './fit/chain/figures.js'
export { type SessionPath, type Target, uniformPosterior } from './fit/chain/session-path.js'
export { type Space, VIOLATED_LEVEL, spaceOf, stateName } from './fit/chain/space.js'
export { type Tables, createTally, proposedRisk, tablesOf } from './fit/chain/tally.js'
export { SAFE_SESSIONS_MIN } from './fit/chain/thresholds.js'
export { levelOfPlace } from './fit/features/session-rows.js'
export type { SessionTable } from './fit/features/session-table.js'
export {
  type ConductSample,
  createConductCorpus,
  fitConductText,
  fitConductTextApart,
} from './fit/conduct/conduct-text.js'
export { playedSessions } from './fit/flow/collected.js'
export { type FlowModel, type FlowOptions, FLOW_OPTIONS, fitFlow } from './fit/flow/fit-flow.js'
export { type FlowView, type SessionScores, emptyScores, sessionStateOf } from './fit/flow/flow-scores.js'
export type { ScorerInputs } from './fit/flow/scorer-fit.js'
export { trainingSessions } from './fit/flow/training.js'
export type { InstructionSample } from './fit/instructions/fit.js'
export { developerSamples, developerTexts } from './fit/instructions/developer-texts.js'
export { fitDetector, fitShippedInstructions, recordedResults } from './fit/instructions/recorded.js'
export { generateSamples } from './fit/instructions/samples.js'
export { type LiveTally, liveChanges } from './refit/live-tally.js'
export { type Refit, LIVE_KAPPA, refitFromLive } from './refit/refit.js'
