export { fitFromFiles, bundleText, type FitFromFilesOptions } from './fit-from-files.js'
export { writeWhole } from './fit-from-files.js'
export { fitShippedBundle, shippedRecordings } from './fit-from-files.js'
export {
  METHODS,
  UNLISTED,
  evaluateFiles,
  type Evaluation,
  type EvaluateFilesOptions,
} from './evaluation/evaluate-files.js'
export { FORECAST_KINDS, type ForecastKind } from './evaluation/method-fold.js'
export { TARGETS } from './evaluation/study.js'
export { ABLATION, type AblationRow } from './evaluation/study.js'
export { GROUPINGS, type Grouping, type MethodResult } from './evaluation/evaluate.js'
export { FOLD_KINDS, type FoldKind } from './evaluation/folds.js'
export { BUDGETS, CURVE_AT, detectionAt, type RankFigures } from './evaluation/group-figures.js'
export { RANKINGS, type Ranking } from './evaluation/judged.js'
export { CATEGORIES, fit, HORIZON, HORIZON_MAX, KAPPA, type FitOptions } from './fit/fit.js'
export { createPathFinder, type PathResult, type SessionPath } from './sessions/session-path.js'
export { spaceOf, type Space } from './sessions/space.js'
export type { Exclusion, Target } from './sessions/session-path.js'
export { findTraces, traceFilesIn } from './traces/read-traces.js'
export * from './categories/index.js'
export * from './instructions/index.js'
export { blindOf, type BlindTrace, type DescribeTool } from './traces/blind.js'
export { readDescriptions } from './traces/blind.js'
export { exclusionFor, type Excluded } from './traces/recording.js'
export { readTraces, type ReadProgress } from './traces/read-traces.js'
export { foldOf, isHeldOut, type Trace } from './traces/trace.js'
export { fitFlowFromFiles, unscoredStage, type FlowFromFilesOptions } from './flow/flow-from-files.js'
export { fitFlowBundle, SAMPLE_STEPS, type FlowBundleOptions, type FlowPhase } from './flow/flow-bundle.js'
export { playedSessions, type FlowSession } from './flow/collected.js'
export { createRowListener, type RowListener, type SessionRows } from './features/session-rows.js'
export { DETECTORS, type Detector } from './flow/detector.js'
export { liveChanges, type LiveChange } from './live/changes.js'
export { LIVE_BOUNDS, LIVE_KAPPA, refitFromLive, type Refit, type RefitOptions } from './live/refit.js'
export type { LiveTallies, LiveTally } from './live/live-tally.js'
export {
  fitTopic,
  TOPIC_RECORDS_MAX,
  VIOLATED_MIN,
  type FitTopicOptions,
  type FittedTopic,
} from './topic/fit-topic.js'
export type { LogCensus } from './topic/assemble.js'
export * from './what-if/index.js'
export { evaluationPage } from './report/page.js'
export { tablesPage, type TablesPage } from './report/tables-page.js'
export type { ChainFigures, ChainReport } from './chain-report/chain-report.js'
export type { ChainsView, ChainView } from './chain-report/describe.js'
export { stateName } from './chain-report/describe.js'
export type { Judge, JudgeCost } from './baselines/judge/judge-method.js'
