import {
  type Analysis,
  type Policy,
  type RecentPattern,
  type Run,
  type Spec,
  type StepPattern,
  type Window,
  canonicalJson,
} from '@plimsoll/contracts'
import type { SessionState } from '@plimsoll/engine'
import { ownPattern } from '../model/patterns.js'
import { traceStepOf } from '../model/transitions.js'
import { type Replayed, replay } from '../replay.js'
import type { HazardReport } from '../report.js'
import { type Found, search, transitionsTo } from '../search.js'
import type { Setup, Watched } from '../setup.js'
import { owedSpecs } from './spec-findings.js'

/** Of each spec the length of its longest window of time, milliseconds; 0 where it has none. */
export function windowMsOf({ specs }: Policy): (spec: string) => number {
  const longest = new Map(specs.map((spec) => [spec.id, Math.max(0, ...windowsOf(spec).map(msOf))]))
  return (spec) => longest.get(spec) ?? 0
}

const msOf = (window: Window | 'session'): number =>
  typeof window === 'object' && 'seconds' in window ? window.seconds * 1000 : 0

function windowsOf(spec: Spec): (Window | 'session')[] {
  const windows =
    spec.tier === 'mustlist'
      ? [spec.requires?.within, spec.followedBy?.within]
      : [spec.after?.within, spec.before?.within, ...restrictingWindows(spec)]
  return windows.filter((window) => window !== undefined)
}

function restrictingWindows(spec: Exclude<Spec, { tier: 'mustlist' }>): (Window | 'session' | undefined)[] {
  if (spec.tier === 'allowlist') return []
  return [spec.flow?.from.within, spec.atMost?.per, spec.sum?.per, spec.distinct?.per]
}

/** Ids of the specs whose patterns are those of the run: by them it says only what they do. */
export function restatedBy(run: Run, { specs }: Policy): string[] {
  const said = patternsText(run)
  return specs.filter((spec) => sayings(spec).includes(said)).map(({ id }) => id)
}

const textOf = (patterns: readonly StepPattern[]): string => canonicalJson(patterns.map(ordered))

/** `pattern` with its lists in one order: which comes first means nothing. */
const ordered = (pattern: StepPattern): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(pattern).map(([key, value]) => [
      key,
      Array.isArray(value) ? [...value].toSorted(byText) : value,
    ]),
  )

const byText = (a: string, b: string): number => (a < b ? -1 : 1)

const patternsText = (run: Run): string =>
  'endsAfter' in run ? textOf([run.endsAfter, run.without]) : textOf(run.sequence)

/** What a restricting spec keeps from happening, as sequences of patterns. */
function sayings(spec: Spec): string[] {
  if (spec.tier === 'allowlist') return []
  const own = ownPattern(spec)
  if (spec.tier === 'mustlist') return spec.followedBy ? [textOf([own, spec.followedBy.step])] : []
  const before = [spec.after, spec.between?.from, spec.flow?.from].flatMap((pattern) =>
    pattern ? [bare(pattern)] : [],
  )
  const last = spec.flow && Object.keys(own).length === 0 ? spec.flow.to : own
  return before.length > 0 ? before.map((each) => textOf([each, last])) : [textOf([own])]
}

function bare(pattern: RecentPattern): StepPattern {
  const { within: _, ...rest } = pattern
  return rest
}

type Hazard = NonNullable<Analysis['hazards']>[number]

/** What of a hazard is looked for: any run that is it, or one of whose end nobody is told. */
type Target = 'any' | 'labelsOnly'

/** What refinement came to. */
type Refined =
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'bounded'; readonly bound: number }
  | { readonly kind: 'real'; readonly replayed: Replayed }

/** Looks for runs that are the hazard, under the policy and without it. Source: docs/explanation/verification.md. */
export function verifyHazard(setup: Setup, hazard: Hazard): HazardReport {
  const { id, text, reached } = hazard
  const report = { id, text, heldBy: [], states: 0 }
  if (!reached) return { ...report, result: 'not_stated' }
  const restates = restatedBy(reached, setup.options.policy)
  const off = searchWithout(setup, reached)
  const heldBy = new Set(linkedSpecs(setup.options.policy, id))
  const seeker = createSeeker(setup, reached, heldBy)
  const outcome = seek(seeker, reached, setup.options.depth ?? Infinity)
  const states = seeker.states() + off.states
  const known = {
    ...report,
    heldBy: [...heldBy],
    states,
    ...(restates.length > 0 && { restates }),
    ...(off.found && {
      withoutPolicy: transitionsTo(off.found).map((transition) => traceStepOf(transition, undefined, false)),
    }),
  }
  if (!off.found && off.depth === Infinity) return { ...known, result: 'vacuous' }
  const isRestated = restates.length > 0 && outcome.result !== 'reached'
  return { ...known, ...outcome, ...(isRestated && { result: 'restated' as const }) }
}

type Sought = Pick<HazardReport, 'result' | 'bound' | 'trace'>

function seek(seeker: Seeker, reached: Run, depth: number): Sought {
  const isAsFar = (bound: number) => bound >= depth
  const any = seeker.find('any', true)
  if (any.kind === 'unreachable') return { result: 'proved' }
  if (any.kind === 'bounded') return { result: 'bounded', bound: any.bound }
  const labelsOnly = 'endsAfter' in reached ? seeker.find('labelsOnly', true) : any
  if (labelsOnly.kind === 'unreachable') return { result: 'alerted', trace: any.replayed.trace }
  if (labelsOnly.kind === 'bounded') return { result: 'bounded', bound: labelsOnly.bound }
  const { trace } = labelsOnly.replayed
  if (!trace.some(({ approved }) => approved)) return { result: 'reached', trace }
  const alone = seeker.find('endsAfter' in reached ? 'labelsOnly' : 'any', false)
  if (alone.kind === 'real') return { result: 'reached', trace: alone.replayed.trace }
  // Where it is not known whether it goes without a human, it is no less than reached.
  if (alone.kind === 'bounded' && !isAsFar(alone.bound))
    return { result: 'reached', bound: alone.bound, trace }
  if (alone.kind === 'bounded') return { result: 'by_approval', bound: alone.bound, trace }
  return { result: 'by_approval', trace }
}

interface Seeker {
  readonly find: (target: Target, approvals: boolean) => Refined
  readonly states: () => number
}

/**
 * Searches with only some specs kept; where the run that is found is none under the whole policy, the specs that did not let it are kept
 * as well. Ends: each time at least one spec more is kept.
 */
function createSeeker(setup: Setup, run: Run, heldBy: Set<string>): Seeker {
  const watched: readonly Watched[] = [{ run, reading: 'hazard' }]
  const [watch] = setup.watches(watched)
  const rules = setup.rules('mild')
  const { policy, depth } = setup.options
  const windowMs = windowMsOf(policy)
  let states = 0

  const find = (target: Target, approvals: boolean): Refined => {
    const isLabelsOnly = (state: SessionState, under: typeof rules) =>
      target === 'any' || owedSpecs(state, under).length === 0
    for (;;) {
      const model = setup.model({ tracked: heldBy, watched, approvals })
      const found: Found = search(model, {
        isFound: ({ state, watches: [at = 0] }) =>
          watch?.isReached(at) === true && isLabelsOnly(state, model.rules),
        statesMax: setup.statesMax,
        depthMax: depth,
      })
      states += found.states
      if (!found.found)
        return found.depth < Infinity ? { kind: 'bounded', bound: found.depth } : { kind: 'unreachable' }
      const replayed = replay(transitionsTo(found.found), {
        rules,
        facts: setup.facts,
        watches: setup.watches(watched),
        approvals,
        windowMs,
      })
      const isReal = replayed.watches?.every((at) => watch?.isReached(at)) === true
      const owed = isReal && target === 'labelsOnly' ? owedSpecs(replayed.state, rules) : []
      if (isReal && owed.length === 0) return { kind: 'real', replayed }
      const more = [...replayed.refutedBy, ...owed].filter((spec) => !heldBy.has(spec))
      if (more.length === 0) return { kind: 'bounded', bound: found.found.depth - 1 }
      for (const spec of more) heldBy.add(spec)
    }
  }
  return { find, states: () => states }
}

function searchWithout(setup: Setup, run: Run): Found {
  const watched: readonly Watched[] = [{ run, reading: 'hazard' }]
  const [watch] = setup.watches(watched)
  return search(setup.model({ watched, approvals: true, isOff: true }), {
    isFound: ({ watches: [at = 0] }) => watch?.isReached(at) === true,
    statesMax: setup.statesMax,
    depthMax: setup.options.depth,
  })
}

/** Specs that serve a requirement which is there for the hazard, or for an unsafe control action that leads to it. */
export function linkedSpecs({ analysis, specs }: Policy, hazard: string): string[] {
  const actions = (analysis?.unsafeControlActions ?? []).filter(({ hazards = [] }) =>
    hazards.includes(hazard),
  )
  const actionIds = new Set(actions.map(({ id }) => id))
  const requirements = (analysis?.requirements ?? []).filter(
    ({ hazards = [], unsafeControlActions = [] }) =>
      hazards.includes(hazard) || unsafeControlActions.some((action) => actionIds.has(action)),
  )
  const ids = new Set(requirements.map(({ id }) => id))
  return specs.filter(({ requirements: served = [] }) => served.some((id) => ids.has(id))).map(({ id }) => id)
}
