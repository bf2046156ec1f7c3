export { analyseAbsorption, fundamentalMatrix, type Absorption } from './absorption.js'
export { createChain, type Chain } from './chain.js'
export { createCounter, sparseCounts, type Counts, type TransitionCounter } from './counting.js'
export { estimateAggregate, estimateCategory, type Estimate, type Shrinkage } from './estimation.js'
export { horizonTable } from './chain.js'
export type { Columns, Samples } from './regression.js'
export { logistic, logit } from './regression.js'
export { seededRandom } from './random.js'
export { fitTrees } from './trees/fit-trees.js'
export { marginsOf } from './trees/tree.js'
export type { Tree, TreeModel, TreeOptions } from './trees/tree.js'
export { bucketCentres, bucketEdges, type BucketOptions } from './calibration/buckets.js'
export { calibrated, type Calibration } from './calibration/platt.js'
export { fitIsotonic, type IsotonicOptions } from './calibration/isotonic.js'
export { matchQuantiles } from './calibration/platt.js'
export { fitPlatt, tabulatePlatt, type Platt } from './calibration/platt.js'
export { areaUnderCurve } from './metrics/length-matched.js'
export { detectionAt, detectionCurve, detectionWithin, type Detection } from './metrics/detection.js'
export { firstAlarm, summariseWarnings, warningSteps, type EarlyWarnings } from './metrics/detection.js'
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
export { wilson, type Proportion } from './metrics/detection.js'
export { fitLogistic, logisticMargins, type LogisticModel } from './regression.js'
export { collapseCounts, withoutDimension, type Collapse } from './counting.js'
export { hazardIntervals, transitionIntervals, type TransitionInterval } from './counting.js'
export { createLearningCurve, type LearningCurve, type LearningPoint } from './counting.js'
export { createOrderCounter, type Order, type OrderCounter, type OrderCounts } from './orders/model.js'
export type { Contexts } from './orders/model.js'
export { fitOfOrder, type OrderFit } from './orders/model.js'
export { orderHorizon } from './orders/model.js'
export { createOrderModel, type OrderModel } from './orders/model.js'
export { pointsOfNoReturn, type PointOfNoReturn } from './chain.js'
