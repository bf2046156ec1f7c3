export { analyseAbsorption, meanVisits } from './absorption.js'
export { bucketCentres, bucketEdges } from './calibration/buckets.js'
export { calibrated, matchQuantiles, type Calibration } from './calibration/calibration.js'
export { fitIsotonic } from './calibration/isotonic.js'
export { createChain, horizonTable, pointsOfNoReturn, type Chain } from './chain.js'
export {
  createCounter,
  sparseCounts,
  transitionIntervals,
  withoutDimension,
  type Counts,
  type TransitionCounter,
  type TransitionInterval,
} from './counting.js'
export { estimateAggregate, estimateCategory, type Estimate } from './estimation.js'
export { areaUnderCurve, createAreaUnderCurve, prefixMatchedAuc } from './metrics/auc.js'
export { bootstrapIntervals, type Interval, type Statistic } from './metrics/bootstrap.js'
export {
  detectionCurve,
  detectionWithin,
  wilson,
  type Detection,
  type Proportion,
} from './metrics/detection.js'
export {
  brierScore,
  brierSkill,
  calibrationError,
  reliabilityCurve,
  riskiestError,
  type ReliabilityBin,
} from './metrics/probability.js'
export {
  createOrderCounter,
  createOrderModel,
  orderHorizon,
  type Order,
  type OrderModel,
} from './orders/model.js'
export { type OrderTest, testOrder } from './orders/order-test.js'
export { seededRandom } from './random.js'
export { fitTrees } from './trees/fit-trees.js'
export { logistic, marginsOf, type TreeModel, type TreeOptions } from './trees/tree.js'
