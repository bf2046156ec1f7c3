import { type Analysis, type Policy, type Run, type Spec, type SpecOf } from '@plimsoll/contracts'
import type { SessionState } from '@plimsoll/engine'
import { traceStepOf } from '../model/transitions.js'
import { type Replayed, replay } from '../replay.js'
import type { HazardReport } from '../report.js'
import { type Found, search, transitionsTo } from '../search.js'
import type { Setup, Watched } from '../setup.js'
import { traceabilityOf } from '../traceability.js'
import { restatedBy } from './restated.js'
import { owedSpecs } from './spec-findings.js'

/** For each spec the length of its longest window of time, milliseconds; 0 where it has none. */
export function windowMsOf({ specs }: Policy): (spec: string) => number {
  const longest = new Map(specs.map((spec) => [spec.id, longestMs(spec)]))
  return (spec) => longest.get(spec) ?? 0
}

/** Every window of time in it, except that of a fleet limit, which is no window of the session. */
function longestMs(spec: Spec): number {
  const { fleet: _, ...others }: Partial<SpecOf<'blocklist'>> & object = spec as SpecOf<'blocklist'>
  const longestIn = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 0
    const seconds: unknown = Reflect.get(value, 'seconds')
    const own = typeof seconds === 'number' ? seconds * 1000 : 0
    return Math.max(own, ...Object.values(value).map(longestIn))
  }
  return longestIn(others)
}

type Hazard = NonNullable<Analysis['hazards']>[number]

/** Which runs of a hazard are sought: any, or those whose end raises no alert. */
type Target = 'any' | 'unalerted'

/** The result of the refinement. */
type Refined =
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'bounded'; readonly bound: number }
  | { readonly kind: 'real'; readonly replayed: Replayed }

/** Searches for runs that reach the hazard, with the policy and without it. Source: docs/explanation/verification.md. */
export function verifyHazard(setup: Setup, hazard: Hazard): HazardReport {
  const { id, text, reached } = hazard
  const report = { id, text, heldBy: [], states: 0 }
  if (!reached) return { ...report, result: 'not_stated' }
  const restates = restatedBy(reached, setup.options.policy)
  const off = searchWithout(setup, reached)
  const linked = traceabilityOf(setup.options.policy).hazards.find((row) => row.hazard.id === id)
  const heldBy = new Set(linked?.specs)
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
  const unalerted = 'endsAfter' in reached ? seeker.find('unalerted', true) : any
  if (unalerted.kind === 'unreachable') return { result: 'alerted', trace: any.replayed.trace }
  if (unalerted.kind === 'bounded') return { result: 'bounded', bound: unalerted.bound }
  const { trace } = unalerted.replayed
  if (!trace.some(({ approved }) => approved)) return { result: 'reached', trace }
  const alone = seeker.find('endsAfter' in reached ? 'unalerted' : 'any', false)
  if (alone.kind === 'real') return { result: 'reached', trace: alone.replayed.trace }
  // If it is unknown whether a run without approvals reaches it, it counts as reached.
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
 * Searches with only some specs tracked. If the run that is found is not possible under the whole policy, the specs that refuted it are
 * tracked too. Terminates: each round tracks at least one spec more.
 */
function createSeeker(setup: Setup, run: Run, heldBy: Set<string>): Seeker {
  const watched: readonly Watched[] = [{ run, reading: 'hazard' }]
  const [watch] = setup.watches(watched)
  const rules = setup.rules('mild')
  const { policy, depth } = setup.options
  const windowMs = windowMsOf(policy)
  let states = 0

  const find = (target: Target, approvals: boolean): Refined => {
    const isUnalerted = (state: SessionState, under: typeof rules) =>
      target === 'any' || owedSpecs(state, under).length === 0
    for (;;) {
      const model = setup.model({ tracked: heldBy, watched, approvals })
      const found: Found = search(model, {
        isFound: ({ state, watches: [at = 0] }) =>
          watch?.isReached(at) === true && isUnalerted(state, model.rules),
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
      const owed = isReal && target === 'unalerted' ? owedSpecs(replayed.state, rules) : []
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
