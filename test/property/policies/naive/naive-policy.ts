import type { Catalogue, Policy, Spec, SpecOf, Verdict } from '@plimsoll/contracts'
import { isTooDiverse, isTooMany, isTooMuch } from './naive-counts.js'
import { mayFlow, type NaiveValues } from './naive-flow.js'
import {
  historyOf,
  readingOf,
  type NaiveHappening,
  type NaiveHistory,
  type NaiveProposal,
  type NaiveStep,
} from './naive-history.js'
import type { NaiveLabels } from './naive-labels.js'
import { owedBy, wouldBeLate, type NaiveObligation } from './naive-obligation.js'
import { cameBackWell, inFlight, was, whereMayHaveRun } from './naive-past.js'
import { mayBe, surelyIsAll, type NaiveReading } from './naive-pattern.js'

/**
 * Interprets a policy straight from docs/reference/policy-semantics.md, reading the whole history again at each step. It
 * shares nothing with the engine or the compiler, so that both can be compared with it.
 */
export interface NaiveDocuments {
  readonly policy: Policy
  readonly catalogue: Catalogue
}

/** The proposed step, or one decided again. */
export interface NaiveQuestion {
  readonly step: NaiveProposal
  readonly time: number
  readonly values: NaiveValues
  /** Facts about other sessions. */
  readonly readings: Readonly<Record<string, number>>
  /** Its labels in the approval request, if there was one. */
  readonly asked?: NaiveLabels | undefined
}

export interface NaiveVerdict {
  readonly id: string
  readonly source: 'blocklist' | 'flow' | 'mustlist' | 'confirmation'
  readonly verdict: Verdict
  readonly waitFor: readonly string[]
}

export interface NaiveAnswer {
  /** The specs that match against the step. */
  readonly matched: readonly NaiveVerdict[]
  /** The allowlist specs that match, in document order. */
  readonly lifting: readonly SpecOf<'allowlist'>[]
}

export function naiveAnswer(
  documents: NaiveDocuments,
  happenings: readonly NaiveHappening[],
  question: NaiveQuestion,
): NaiveAnswer {
  const history = historyOf(documents, happenings, question.time)
  const proposed = readingOf(history.context, question.step, true, question.asked)
  const { specs } = documents.policy
  return {
    matched: specs.flatMap((spec) => said(spec, history, proposed, question) ?? []),
    lifting: specs
      .filter((spec) => spec.tier === 'allowlist')
      .filter((spec) => lifts(spec, history, proposed)),
  }
}

/** The obligations open after the whole history, by spec id. */
export function naiveOwed(
  documents: NaiveDocuments,
  happenings: readonly NaiveHappening[],
  time: number,
): ReadonlyMap<string, NaiveObligation> {
  const history = historyOf(documents, happenings, time)
  const owed = new Map<string, NaiveObligation>()
  for (const spec of documents.policy.specs) {
    const obligation = spec.tier === 'mustlist' ? owedBy(spec, history) : undefined
    if (obligation) owed.set(spec.id, obligation)
  }
  return owed
}

function said(
  spec: Spec,
  history: NaiveHistory,
  proposed: NaiveReading,
  question: NaiveQuestion,
): NaiveVerdict | undefined {
  const { id, tier } = spec
  if (tier === 'allowlist') return undefined
  if (tier === 'mustlist') return demanded(spec, history, proposed)
  if (!mayBe(spec, proposed) || !isRestricted(spec, history, proposed, question)) return undefined
  if (tier === 'blocklist')
    return { id, source: spec.flow ? 'flow' : 'blocklist', verdict: 'block', waitFor: [] }
  return { id, source: 'confirmation', verdict: spec.verdict ?? 'confirm', waitFor: [] }
}

/** All conditions of a spec must hold. */
function isRestricted(
  spec: SpecOf<'blocklist' | 'confirmation'>,
  history: NaiveHistory,
  proposed: NaiveReading,
  { values, readings }: NaiveQuestion,
): boolean {
  const { id, after, before, between, fleet, counts: clock = 'steps' } = spec
  const reading = readings[`spec:${id}`]
  return (
    (!after || was(history, after, 'against', clock)) &&
    (!before || !was(history, before, 'for', clock)) &&
    (!between || isBetween(between, history)) &&
    (!fleet || reading === undefined || reading >= fleet.sessions) &&
    isTooMany(spec, history) &&
    isTooMuch(spec, history, proposed) &&
    isTooDiverse(spec, history, proposed) &&
    mayFlow(spec, history, proposed, values)
  )
}

type Between = NonNullable<SpecOf<'blocklist'>['between']>

/** A `from` ran, and no `to` allowed after the latest one has succeeded. */
function isBetween({ from, to }: Between, history: NaiveHistory): boolean {
  const begun = whereMayHaveRun(history, from)
  const latest = Math.max(...begun.map(({ steps }) => steps))
  return begun.length > 0 && !cameBackWell(history, to).some(({ at }) => at.steps > latest)
}

function lifts(spec: SpecOf<'allowlist'>, history: NaiveHistory, proposed: NaiveReading): boolean {
  const { after, before, between, counts: clock = 'steps' } = spec
  return (
    surelyIsAll(spec, proposed) &&
    (!after || was(history, after, 'for', clock)) &&
    (!before || !was(history, before, 'against', clock)) &&
    (!between || isSurelyBetween(between, history))
  )
}

/** A `from` that was allowed after the latest `to` ran has succeeded. */
function isSurelyBetween({ from, to }: Between, history: NaiveHistory): boolean {
  const latest = Math.max(0, ...whereMayHaveRun(history, to).map(({ steps }) => steps))
  return cameBackWell(history, from).some(({ at }) => at.steps > latest)
}

const SEVERITY: readonly Verdict[] = ['allow', 'warn', 'confirm', 'block']

const milder = (a: Verdict, b: Verdict): Verdict => (SEVERITY.indexOf(a) < SEVERITY.indexOf(b) ? a : b)

/** The pattern required before, or afterwards. */
function demanded(
  spec: SpecOf<'mustlist'>,
  history: NaiveHistory,
  proposed: NaiveReading,
): NaiveVerdict | undefined {
  const { id, requires, followedBy, counts: clock = 'steps', verdict = 'block' } = spec
  const early = requires && mayBe(spec, proposed) && !was(history, requires, 'for', clock)
  const late = wouldBeLate(spec, history, proposed)
  if (!early && !late) return undefined
  const awaited: readonly NaiveStep[] = [
    ...(early ? inFlight(history, requires) : []),
    ...(late?.waitFor ?? []),
  ]
  const exits = { allow: 'warn', confirm: 'confirm', block: verdict } as const
  const exit = late?.owed.isExitOpen ? exits[followedBy?.exit ?? 'confirm'] : verdict
  return {
    id,
    source: 'mustlist',
    verdict: early ? verdict : milder(exit, verdict),
    waitFor: [...new Set(awaited.map(({ callId }) => callId))],
  }
}
