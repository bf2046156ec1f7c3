import { LEVELS, TAINTS } from './words.js'

/**
 * A state of the space `flow` is one number, (level × taints + taint) × buckets + bucket: the highest risk level so far, what the
 * session has read, and into which of the eight buckets the session scorer puts it.
 */
export const FLOW_BUCKETS = 8
export const FLOW_STATES = LEVELS.length * TAINTS.length * FLOW_BUCKETS

export const flowState = (level: number, taint: number, bucket: number): number =>
  (level * TAINTS.length + taint) * FLOW_BUCKETS + bucket

export const flowLevelOf = (state: number): number => Math.floor(state / (TAINTS.length * FLOW_BUCKETS))
export const flowTaintOf = (state: number): number => Math.floor(state / FLOW_BUCKETS) % TAINTS.length
export const flowBucketOf = (state: number): number => state % FLOW_BUCKETS

/** The target of a step from `from` that pooled counts record as `to`: level and taint never fall. */
export const joinFlowStates = (from: number, to: number): number =>
  flowState(
    Math.max(flowLevelOf(from), flowLevelOf(to)),
    Math.max(flowTaintOf(from), flowTaintOf(to)),
    flowBucketOf(to),
  )
