import type { Policy } from '@plimsoll/contracts'
import type { Transition } from './random-trace.js'

/** A policy and a trace that fail together. */
export interface Pair {
  readonly policy: Policy
  readonly transitions: readonly Transition[]
}

/** A minimal pair on which `fails` still holds. */
export function shrink(pair: Pair, fails: (pair: Pair) => boolean): Pair {
  let smallest = pair
  for (;;) {
    const smaller = smallerThan(smallest).find(fails)
    if (!smaller) return smallest
    smallest = smaller
  }
}

/** All values with one element less. */
function smallerThan({ policy, transitions }: Pair): Pair[] {
  const specs = policy.specs.map((_, i) => ({ ...policy, specs: policy.specs.toSpliced(i, 1) }))
  const { declassifiers: _, ...bare } = policy
  const simpler = policy.specs.flatMap((spec, i) =>
    withoutMembers(spec, ['id', 'tier', 'lifts']).map((each) => ({
      ...policy,
      specs: policy.specs.with(i, each),
    })),
  )
  const fewer = transitions.map((_, i) => transitions.toSpliced(i, 1))
  const plainer = transitions.flatMap((transition, i) =>
    [
      ...withoutMembers(transition, KEPT),
      ...(transition.afterMs === 0 ? [] : [{ ...transition, afterMs: 0 }]),
    ].map((each) => transitions.with(i, each)),
  )
  return [
    ...specs.map((each) => ({ policy: each, transitions })),
    ...fewer.map((each) => ({ policy, transitions: each })),
    ...(policy.declassifiers ? [{ policy: bare, transitions }] : []),
    ...simpler.map((each) => ({ policy: each, transitions })),
    ...plainer.map((each) => ({ policy, transitions: each })),
  ]
}

/** Copies of `whole`, each without one member that may be left out. */
function withoutMembers<T extends object>(whole: T, kept: readonly string[]): T[] {
  return Object.keys(whole)
    .filter((member) => !kept.includes(member))
    .map((member) => Object.fromEntries(Object.entries(whole).filter(([name]) => name !== member)) as T)
}

/** Required members of an action. */
const KEPT = ['kind', 'afterMs', 'step', 'mode', 'callId', 'anyway', 'isOk', 'isApproved', 'readings']
