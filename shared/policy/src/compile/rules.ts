import {
  type ApprovalTerms,
  type Bundle,
  type BundleModel,
  type ChainTables,
  type Documents,
  type Versions,
  NO_RETURN,
  meaningOf,
  versionOf,
} from '@plimsoll/contracts'
import { type Chain, type Rules, foundCategory, stepLabelsOf } from '@plimsoll/engine'
import { createEntryFinder } from '@plimsoll/labels'
import { compileSpecs } from '../specs/compile-specs.js'
import { type DriftTables, createDriftTables } from './drift-tables.js'
import { compileFlow } from './scorers.js'
import { compileTools } from './tools.js'

/**
 * The chain of a category that was found in a task's text: that text can make a session stricter than the aggregate, never less strict. Each
 * number is the worse of the two; the transitions are the category's.
 */
const guardedChain = (own: Chain, aggregate: Chain): Chain => ({
  ...own,
  hazard: higher(own.hazard, aggregate.hazard),
  probability: higher(own.probability, aggregate.probability),
  survived: higher(own.survived, aggregate.survived),
  ahead: higher(own.ahead, aggregate.ahead),
  noReturn: sooner(own.noReturn, aggregate.noReturn),
  hazardThresholds: lower(own.hazardThresholds, aggregate.hazardThresholds),
  forwardThresholds: lower(own.forwardThresholds, aggregate.forwardThresholds),
})

const higher = (a: Float64Array, b: Float64Array): Float64Array =>
  a.map((value, n) => Math.max(value, b[n] ?? value))

/** The smaller of two numbers of steps; 0 means never. */
const sooner = (a: Uint8Array, b: Uint8Array): Uint8Array =>
  a.map((steps, s) => {
    const other = b[s] ?? 0
    return steps === 0 || other === 0 ? Math.max(steps, other) : Math.min(steps, other)
  })

const lower = (a: Float64Array, b: Float64Array): Float64Array =>
  a.map((value, n) => Math.min(value, b[n] ?? value))

/** Compiles documents into the engine's rules. Throws `document_invalid` where the bundle's scorers need unknown features. */
export function compileRules(documents: Documents): Rules {
  const { bundle, policy, catalogue } = documents
  const { present, absent, unknown } = policy.line
  const specs = compileSpecs(policy)
  return Object.freeze({
    versions: Object.freeze(versionsOf(documents)),
    meaning: meaningOf(bundle),
    tool: compileTools(specs, createEntryFinder(catalogue), policy.unlabelled),
    memory: specs.memory,
    categories: Object.freeze(Object.keys(bundle.categories)),
    ...compileModel(bundle, bundle),
    horizon: bundle.horizon,
    line: Object.freeze({ present, absent, unknown }),
    ...(policy.integrity && { integrity: Object.freeze({ ...policy.integrity }) }),
    ...(policy.irreversible && { irreversible: policy.irreversible }),
    hazard: policy.hazard,
    forward: policy.forward.verdicts,
    hysteresis: policy.forward.hysteresis,
    unlabelled: {
      verdict: policy.unlabelled.verdict,
      ...(policy.unlabelled.byName && { byName: policy.unlabelled.byName }),
      labels: stepLabelsOf(policy.unlabelled.labels),
      approval: policy.unlabelled.approval,
    },
    approvalTtlMs: policy.approvals.ttlSeconds * 1000,
    ...(policy.approvals.sameCall && { sameCall: sameCallTerms(policy.approvals.sameCall) }),
    ...(bundle.labelsOnly && { labelsOnly: compileModel(bundle.labelsOnly, bundle) }),
  })
}

const sameCallTerms = ({ seconds }: { readonly seconds: number }): ApprovalTerms => ({
  scopes: ['once', 'session'],
  arguments: 'same',
  seconds,
})

/** The version of each document: a hash of its content, not of the layout of its file. */
export function versionsOf({ bundle, policy, catalogue }: Documents): Versions {
  return { bundle: versionOf(bundle), policy: versionOf(policy), catalogue: versionOf(catalogue) }
}

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
    noReturn: pointsIn(tables, horizon),
    hazardThresholds: Float64Array.from(tables.thresholds.hazard),
    forwardThresholds: Float64Array.from(tables.thresholds.forward),
    ...drift,
  }
}

/** Per state the first h, up to the horizon, at which P(h) is above `NO_RETURN`; 0 if there is none. */
const pointsIn = ({ forward, hazard }: ChainTables, horizon: number): Uint8Array =>
  Uint8Array.from(hazard, (_, s) =>
    Math.max(
      0,
      forward.slice(0, horizon + 1).findIndex((row) => (row[s] ?? 0) > NO_RETURN),
    ),
  )

/** Six digits: more are noise, and every decision carries the number. */
const rounded = (value: number): number => Number(value.toPrecision(6))
