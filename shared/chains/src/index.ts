export { analyseAbsorption, fundamentalMatrix, type Absorption } from './absorption.js'
export { createChain, type Chain } from './chain.js'
export { createCounter, sparseCounts, type Counts, type TransitionCounter } from './counting.js'
export { estimateAggregate, estimateCategory, type Estimate, type Shrinkage } from './estimation.js'
export { horizonTable } from './horizon.js'
export type { Columns, Samples } from './columns.js'
export { logistic, logit } from './logistic.js'
export { seededRandom } from './random.js'
export { fitTrees } from './trees/fit-trees.js'
export { marginsOf } from './trees/margins.js'
export type { Tree, TreeModel, TreeOptions } from './trees/tree.js'
export { bucketCentres, bucketEdges, type BucketOptions } from './calibration/buckets.js'
export { calibrated, type Calibration } from './calibration/calibration.js'
export { fitIsotonic, type IsotonicOptions } from './calibration/isotonic.js'
export { matchQuantiles } from './calibration/quantiles.js'
export { fitPlatt, tabulatePlatt, type Platt } from './calibration/platt.js'
export { areaUnderCurve } from './metrics/auc.js'
export { detectionAt, detectionCurve, detectionWithin, type Detection } from './metrics/detection.js'
export { firstAlarm, summariseWarnings, warningSteps, type EarlyWarnings } from './metrics/early-warning.js'
export {
  lengthMatchedAuc,
  prefixMatchedAuc,
  type MatchedAuc,
  type ScoredSession,
} from './metrics/length-matched.js'
export {
  brierScore,
  brierSkill,
  calibrationError,
  reliabilityCurve,
  riskiestError,
  type ReliabilityBin,
} from './metrics/probability.js'
export { wilson, type Proportion } from './metrics/wilson.js'
export { fitLogistic, logisticMargins, type LogisticModel } from './regression.js'
export { collapseCounts, withoutDimension, type Collapse } from './collapse.js'
export { hazardIntervals, transitionIntervals, type TransitionInterval } from './intervals.js'
export { createLearningCurve, type LearningCurve, type LearningPoint } from './learning-curve.js'
export { createOrderCounter, type Order, type OrderCounter, type OrderCounts } from './orders/counter.js'
export type { Contexts } from './orders/context.js'
export { fitOfOrder, type OrderFit } from './orders/fit-of-order.js'
export { orderHorizon } from './orders/horizon.js'
export { createOrderModel, type OrderModel } from './orders/model.js'
export { pointsOfNoReturn, type PointOfNoReturn } from './points-of-no-return.js'
