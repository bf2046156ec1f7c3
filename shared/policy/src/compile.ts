import {
  meaningOf,
  versionOf,
  type Bundle,
  type BundleModel,
  type ChainTables,
  type Versions,
} from '@plimsoll/contracts'
import { foundCategory, stepLabelsOf, type Chain, type RuleBook, type Rules } from '@plimsoll/engine'
import { createEntryFinder } from '@plimsoll/labels'
import type { Documents } from './documents.js'
import { createDriftTables, type DriftTables } from './drift-tables.js'
import { guardedChain } from './guarded-chain.js'
import { compileFlow } from './scorers.js'
import { compileSpecs } from './specs/index.js'
import { compileTools } from './tools.js'

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
export function createRuleBook(active: Rules, others: readonly Rules[] = []): RuleBook {
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

/** P(h | proposed) = hazard + (1 − hazard) × P(h − 1 | survived). Source: docs/decisions/20261121-line-against-cascade.md. */
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
