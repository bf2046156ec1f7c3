import { PlimsollError, type Catalogue } from '@plimsoll/contracts'
import type { Rules } from '@plimsoll/engine'
import { compileRules, parseDocument } from '@plimsoll/policy'
import { createRandom, type Random } from '../random.js'
import { play, type Play } from './play.js'
import { randomCatalogue, randomPolicy, WARY } from './random-policy.js'
import { randomTrace } from './random-trace.js'
import { shrink, type Pair } from './shrink.js'

/** Each policy is tried on this many traces. */
export const TRACES_A_POLICY = 20

export interface Case extends Pair {
  readonly catalogue: Catalogue
}

type How = Pick<Play, 'step' | 'interpreter' | 'onJudged' | 'onState'>

interface World {
  readonly seed: number
  readonly documents: { readonly policy: Pair['policy']; readonly catalogue: Catalogue }
  readonly rules: Rules
}

let latest: World | undefined

/** Compiling takes longer than a trace does, and neighbouring seeds share a policy. */
function worldOf(seed: number): World {
  if (latest?.seed === seed) return latest
  const random = createRandom(7_919 * (seed + 1))
  const documents = { policy: readablePolicy(random), catalogue: randomCatalogue(random) }
  latest = { seed, documents, rules: compileRules({ ...documents, bundle: WARY }) }
  return latest
}

/** A random policy that the reader accepts: it refuses meaningless ones. */
export function readablePolicy(random: Random): Pair['policy'] {
  for (;;) {
    const policy = randomPolicy(random)
    try {
      return parseDocument('policy', JSON.stringify(policy), 'random')
    } catch (error) {
      if (!(error instanceof PlimsollError && error.code === 'document_invalid')) throw error
    }
  }
}

/** The pair of a seed. */
export function caseOf(seed: number): Case & Pick<World, 'rules' | 'documents'> {
  const { documents, rules } = worldOf(Math.floor(seed / TRACES_A_POLICY))
  const transitions = randomTrace(
    createRandom(seed),
    documents.policy.specs.map(({ id }) => id),
  )
  return { ...documents, documents, rules, transitions }
}

/** The differences on the pair of a seed; empty if all agree. */
export function tryPair(seed: number, how: How = {}): readonly string[] {
  const { documents, rules, transitions } = caseOf(seed)
  return play({ documents, rules, transitions, ...how })
}

/** A report of the smallest failing part of a seed's pair. */
export function explain(seed: number, how: How = {}): string {
  const { catalogue, policy, transitions } = caseOf(seed)
  const differing = (pair: Pair) => attempt(pair, catalogue, how)
  const least = shrink({ policy, transitions }, (pair) => differing(pair).length > 0)
  const tools = new Set(
    least.transitions.flatMap((transition) => (transition.kind === 'propose' ? [transition.step.tool] : [])),
  )
  const entries = catalogue.tools.filter((entry) => entry.tools.some((tool) => tools.has(tool)))
  const { specs, declassifiers } = least.policy
  const lines = [...specs, ...(declassifiers ?? []), ...entries, ...least.transitions]
  return [
    `PLIMSOLL_POLICY_SEED=${seed}`,
    ...differing(least),
    ...lines.map((each) => JSON.stringify(each)),
  ].join('\n')
}

/** A shrunk policy that does not compile counts as passing. */
function attempt({ policy, transitions }: Pair, catalogue: Catalogue, how: How): readonly string[] {
  try {
    const rules = compileRules({ policy, catalogue, bundle: WARY })
    return play({ documents: { policy, catalogue }, rules, transitions, ...how })
  } catch {
    return []
  }
}
