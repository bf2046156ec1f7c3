import {
  type Bundle,
  type BundleModel,
  type ChainTables,
  type StateSpace,
  type Versions,
  SPACE_SIZES,
  meaningOf,
  versionOf,
} from '@plimsoll/contracts'
import {
  type Chain,
  type RulesCache,
  type Rules,
  FLOW_BUCKETS,
  FLOW_STATES,
  advanceSafetyState,
  escalationOf,
  exposureOf,
  flowBucketOf,
  foundCategory,
  joinFlowStates,
  reversibilityOf,
  stepLabelsOf,
} from '@plimsoll/engine'
import { createEntryFinder } from '@plimsoll/labels'
import type { Documents } from '../document/documents.js'
import { compileFlow } from './scorers.js'
import { compileSpecs } from '../specs/compile-specs.js'
import { compileTools } from './tools.js'

/**
 * How surprising each step is to a fitted chain, S × S values, and how surprising its steps are in the mean, S values: both in nats. They
 * are of steps that were survived, from where the session stood to where it stood once the result was in: whether a session ends or is
 * violated is no matter of drift. Steps that never were counted borrow from coarser counts: a category's row from the aggregate's, that from the row over
 * all states, that from all states which can be reached at all. With them, in the space `flow`, from which buckets steps are made.
 */
export type DriftTables = Pick<Chain, 'surprise' | 'entropy' | 'buckets'>

/** A prior weighs as much as this many observed steps; as in the trainer. */
const KAPPA = 20

/** A step that no row holds possible counts as one in a million. */
const PROBABILITY_MIN = 1e-6

/** Gives the tables of the aggregate and of each category of `bundle`. */
export function createDriftTables({
  space,
  aggregate,
}: Pick<BundleModel, 'space' | 'aggregate'>): (tables: ChainTables) => DriftTables {
  const size = SPACE_SIZES[space]
  const total = survivals(aggregate, size)
  const prior = shrink(total, pooled(total, space), KAPPA, size)
  return (tables) => {
    const survived = tables === aggregate ? total : survivals(tables, size)
    const rows = tables === aggregate ? prior : shrink(survived, prior, KAPPA, size)
    return { ...tablesOf(rows, size), buckets: space === 'flow' ? bucketShares(survived, total) : NONE }
  }
}

const NONE = new Float64Array()

/** Share of the steps that began in each bucket; a thin category borrows from all. */
function bucketShares(survived: Float64Array, total: Float64Array): Float64Array {
  const all = byBucket(total)
  const sum = sumOf(all)
  const own = byBucket(survived)
  const steps = sumOf(own)
  if (sum === 0) return NONE
  return own.map((n, bucket) => (n + (KAPPA * (all[bucket] ?? 0)) / sum) / (steps + KAPPA))
}

function byBucket(counts: Float64Array): Float64Array {
  const buckets = new Float64Array(FLOW_BUCKETS)
  for (const [at, n] of counts.entries()) add(buckets, flowBucketOf(Math.floor(at / FLOW_STATES)), n)
  return buckets
}

const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0)

/** counts[from × S + to] of steps that were survived. */
function survivals({ counts }: ChainTables, size: number): Float64Array {
  const survived = new Float64Array(size * size)
  for (const [from, to, n] of counts) if (to < size) survived[from * size + to] = n
  return survived
}

/** From each state, where steps go that leave any: probabilities, S × S. */
function pooled(counts: Float64Array, space: StateSpace): Float64Array {
  const size = SPACE_SIZES[space]
  const rows = new Float64Array(size * size)
  const arrivals = new Float64Array(size)
  for (const [at, n] of counts.entries()) add(arrivals, at % size, n)
  for (let from = 0; from < size; from++)
    for (const [to, n] of arrivals.entries()) add(rows, from * size + JOINS[space](from, to), n)
  return shrink(rows, reachable(space), 1, size)
}

/** From each state every state alike that a step can lead to. */
function reachable(space: StateSpace): Float64Array {
  const size = SPACE_SIZES[space]
  const rows = new Float64Array(size * size)
  for (let from = 0; from < size; from++) {
    const ends = new Set(Array.from({ length: size }, (_, to) => JOINS[space](from, to)))
    for (const to of ends) rows[from * size + to] = 1 / ends.size
  }
  return rows
}

/** Where a step from `from` arrives that elsewhere arrives in `to`: running maxima never fall. */
const JOINS: Readonly<Record<StateSpace, (from: number, to: number) => number>> = {
  paper5: Math.max,
  flow: joinFlowStates,
  paper60: (from, to) =>
    advanceSafetyState(from, {
      exposure: exposureOf(to),
      escalation: escalationOf(to),
      reversibility: reversibilityOf(to),
      untrusted: false,
    }),
}

/** Each row of `counts` as probabilities, drawn towards that of `prior` with the weight of `kappa` steps. */
function shrink(counts: Float64Array, prior: Float64Array, kappa: number, size: number): Float64Array {
  const totals = new Float64Array(size)
  for (const [at, n] of counts.entries()) add(totals, Math.floor(at / size), n)
  return counts.map(
    (n, at) => (n + kappa * (prior[at] ?? 0)) / ((totals[Math.floor(at / size)] ?? 0) + kappa),
  )
}

function tablesOf(rows: Float64Array, size: number): Omit<DriftTables, 'buckets'> {
  const surprise = rows.map((probability) => -Math.log(Math.max(probability, PROBABILITY_MIN)))
  const entropy = new Float64Array(size)
  for (const [at, probability] of rows.entries())
    add(entropy, Math.floor(at / size), probability * (surprise[at] ?? 0))
  return { surprise, entropy }
}

function add(values: Float64Array, at: number, n: number): void {
  values[at] = (values[at] ?? 0) + n
}

/**
 * The chain of a category that was found in a task's text: anyone who wrote that text can make a session stricter and never less strict than
 * the aggregate. Of each number the worse of the two; where it goes on from here, as the category says.
 */
export const guardedChain = (own: Chain, aggregate: Chain): Chain => ({
  ...own,
  hazard: higher(own.hazard, aggregate.hazard),
  probability: higher(own.probability, aggregate.probability),
  survived: higher(own.survived, aggregate.survived),
  ahead: higher(own.ahead, aggregate.ahead),
  hazardThresholds: lower(own.hazardThresholds, aggregate.hazardThresholds),
  forwardThresholds: lower(own.forwardThresholds, aggregate.forwardThresholds),
})

const higher = (a: Float64Array, b: Float64Array): Float64Array =>
  a.map((value, n) => Math.max(value, b[n] ?? value))

const lower = (a: Float64Array, b: Float64Array): Float64Array =>
  a.map((value, n) => Math.min(value, b[n] ?? value))

/** Compiles documents into what the engine looks up. Throws `document_invalid` where the bundle's scorers ask for unknown features. */
export function compileRules(documents: Documents): Rules {
  const { bundle, policy, catalogue } = documents
  const { present, absent, unknown } = policy.line
  const specs = compileSpecs(policy)
  return Object.freeze({
    versions: Object.freeze(versionsOf(documents)),
    meaning: meaningOf(bundle),
    tool: compileTools(specs, createEntryFinder(catalogue), policy.unlabelled.labels),
    memory: specs.memory,
    ...compileModel(bundle, bundle),
    horizon: bundle.horizon,
    line: Object.freeze({ present, absent, unknown }),
    ...(policy.integrity && { integrity: Object.freeze({ ...policy.integrity }) }),
    ...(policy.irreversible && { irreversible: policy.irreversible }),
    hazard: policy.hazard,
    forward: policy.forward.verdicts,
    hysteresis: policy.forward.hysteresis,
    unlabelled: { verdict: policy.unlabelled.verdict, labels: stepLabelsOf(policy.unlabelled.labels) },
    approvalTtlMs: policy.approvals.ttlSeconds * 1000,
    ...(bundle.labelsOnly && { labelsOnly: compileModel(bundle.labelsOnly, bundle) }),
  })
}

/** A book whose first rules are active; all of them serve the sessions pinned to them. */
export function createRuleBook(active: Rules, others: readonly Rules[] = []): RulesCache {
  const byPins = new Map([...others, active].map((rules) => [keyOf(rules.versions), rules]))
  const pinned = (versions: Versions): Rules | undefined =>
    // Nearly every session is pinned to the active rules, and comparing is quicker than making a key.
    isSame(versions, active.versions) ? active : byPins.get(keyOf(versions))
  return { active, pinned }
}

/** The version of each document: a hash of what it says, not of how its file is laid out. */
export function versionsOf({ bundle, policy, catalogue }: Documents): Versions {
  return { bundle: versionOf(bundle), policy: versionOf(policy), catalogue: versionOf(catalogue) }
}

const isSame = (a: Versions, b: Versions): boolean =>
  a.bundle === b.bundle && a.policy === b.policy && a.catalogue === b.catalogue

const keyOf = ({ bundle, policy, catalogue }: Versions): string => `${bundle}/${policy}/${catalogue}`

function compileModel(
  model: BundleModel,
  { target, horizon }: Pick<Bundle, 'target' | 'horizon'>,
): Pick<Rules, 'chain' | 'flow'> {
  const { space, aggregate, categories } = model
  const flow = model.flow && compileFlow(model.flow)
  const driftOf = createDriftTables(model)
  const compiled = (name: string, tables: ChainTables) =>
    compileChain(name, tables, { space, target, horizon }, driftOf(tables))
  const all = compiled('aggregate', aggregate)
  const byName = new Map<string, Chain>()
  for (const [name, tables] of Object.entries(categories)) {
    const chain = compiled(name, tables)
    byName.set(name, chain)
    byName.set(foundCategory(name), guardedChain(chain, all))
  }
  return { chain: (category) => byName.get(category) ?? all, ...(flow && { flow }) }
}

/** P(h | proposed) = hazard + (1 − hazard) × P(h − 1 | survived). Source: docs/decisions/20261122-line.md. */
function compileChain(
  name: string,
  tables: ChainTables,
  { space, target, horizon }: Pick<Bundle, 'space' | 'target' | 'horizon'>,
  drift: DriftTables,
): Chain {
  const after = tables.forward[horizon - 1] ?? []
  const probability = tables.hazard.map((hazard, s) => rounded(hazard + (1 - hazard) * (after[s] ?? 0)))
  return {
    name,
    space,
    target,
    hazard: Float64Array.from(tables.hazard),
    probability: Float64Array.from(probability),
    survived: Float64Array.from(after),
    ahead: Float64Array.from(tables.forward[horizon] ?? []),
    stepsToViolation: tables.stepsToViolation,
    hazardThresholds: Float64Array.from(tables.thresholds.hazard),
    forwardThresholds: Float64Array.from(tables.thresholds.forward),
    ...drift,
  }
}

/** Six digits: more would be noise, and every decision carries it. */
const rounded = (value: number): number => Number(value.toPrecision(6))
