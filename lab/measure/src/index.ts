export { type ChainFigures, type ChainReport, chainsOfSessions } from './chains/chain-report.js'
export type { CategorisedPath, ChainView, ChainsView } from './chains/describe.js'
export { AMBIGUITIES } from './baselines/ambiguity.js'
export {
  type EvaluateFilesOptions,
  type Evaluation,
  type JudgeOptions,
  METHODS,
  evaluateFiles,
} from './evaluate-files.js'
export { type Grouping, type MethodResult, GROUPINGS, testedIn, trainingIn } from './folds/evaluate.js'
export { DETECTORS, foldDetector } from './folds/flow-method.js'
export { type FoldKind, FOLD_KINDS, foldsIn } from './folds/folds.js'
export { TARGETS } from './folds/study.js'
export { type JudgeFigures, type JudgeReport, JUDGED_STEPS } from './judge/judge-report.js'
export type { Agreement } from './metrics/agreement.js'
export { type RankFigures, type Ranking, RANKINGS, detectionAt } from './metrics/group-figures.js'
export { FORECAST_KINDS } from './metrics/method-fold.js'
export type { Outcome, TradeOff } from './metrics/outcome.js'
export { type SessionFigures, CUTS } from './metrics/session-figures.js'
export { SCORE_KINDS } from './metrics/session-record.js'
export { evaluationPage } from './report/page.js'
export { tablesPage } from './report/tables-page.js'
export type { Compared, DecisionDiff, DiffExample } from './what-if/diff.js'
export { type TopicUpgrade, upgradeOfTopic } from './what-if/upgrade-topic.js'
export type { EngineDiff, UpgradeExample } from './what-if/upgrade.js'
export { type Side, type TradeOffs, tradeOffs } from './what-if/trade-offs.js'
export { whatIfFiles } from './what-if/what-if-files.js'
export { type TopicDiff, whatIfTopic } from './what-if/what-if-topic.js'
