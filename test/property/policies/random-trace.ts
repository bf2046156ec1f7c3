import {
  CONFIDENTIALITIES,
  EVIDENCES,
  REFINEMENTS,
  TAINTS,
  type ClaimedLabels,
  type Confidentiality,
  type Mode,
  type Taint,
  type ToolLabels,
  type Act,
} from '@plimsoll/contracts'
import type { Random } from '../random.js'
import type { NaiveEffect } from './naive/naive-pattern.js'
import { COMMANDS, KINDS, randomClaims, randomLabels, TOOLS } from './alphabet.js'

const randomEffects = (random: Random): NaiveEffect[] =>
  Array.from({ length: random.below(3) }, () => ({
    act: random.pick(['delete', 'stop', 'publish'] as const),
    ...(random.chance(0.7) && { object: random.pick(['path', 'table'] as const) }),
    ...(random.chance(0.7) && { reach: random.pick(['project', 'live'] as const) }),
    ...(random.chance(0.1) && { incomplete: true as const }),
  }))

/** What cannot be taken back, as far as signals say it: mostly what has an effect too. */
const randomActs = (random: Random): Act[] =>
  (['delete', 'publish', 'grant', 'credential'] as const).filter(() => random.chance(0.2))

export interface TracedStep {
  readonly callId: string
  readonly tool: string
  readonly claimed?: ClaimedLabels
}

/** The state of a relative. */
export interface NaiveInheritance {
  readonly confidentiality?: Confidentiality
  readonly taint?: Taint
}

/**
 * One action in a session. A completion or an answer is for the call that it names or, if that does not wait for one, for the latest
 * that does; if none does, it is skipped.
 */
export type Transition = {
  /** Milliseconds since the previous action on the log's clock, which may go back. */
  readonly afterMs: number
} & (
  | {
      readonly kind: 'propose'
      readonly step: TracedStep
      readonly mode: Mode
      readonly args?: Readonly<Record<string, unknown>>
      readonly outside?: number
      readonly effects?: readonly NaiveEffect[]
      readonly acts?: readonly Act[]
      readonly isUnreadable?: true
      readonly evidence?: 'present' | 'absent' | 'unknown'
      readonly fingerprints?: readonly string[]
      /** Steps that ran meanwhile without a verdict. */
      readonly withoutVerdict?: readonly TracedStep[]
      readonly readings: Readonly<Record<string, number>>
    }
  | {
      readonly kind: 'complete'
      readonly callId: string
      /** Whether it may also complete a call that was never allowed. */
      readonly anyway: boolean
      readonly isOk: boolean
      readonly claimed?: ClaimedLabels
      readonly fingerprints?: readonly string[]
      readonly taint?: Taint
      readonly inherits?: NaiveInheritance
    }
  /** Labels by a judge for the unlabelled tool. */
  | {
      readonly kind: 'refine'
      readonly labels: ToolLabels
      readonly effect: 'raise' | 'replace'
    }
  /** A human declassifies the data of a flow. */
  | { readonly kind: 'grant'; readonly spec: string }
  /** The first action of a session that inherits. */
  | { readonly kind: 'start'; readonly inherits: NaiveInheritance }
  | {
      readonly kind: 'answer'
      readonly callId: string
      readonly isApproved: boolean
      readonly mode: Mode
      readonly readings: Readonly<Record<string, number>>
    }
)

const PAUSES = [0, 1, 10, 250, 500, 750, 1000, 1000, 2000, 3000, 5000] as const
const AMOUNTS: readonly [unknown, ...unknown[]] = [1, 2, 5, 10, 11, 20, -3, 'many']
const LISTS: readonly [unknown, ...unknown[]] = [[], ['a'], ['a', 'b'], ['b', 'c', 'd'], ['d', 'a']]
/** One value each, as a link of some kind. */
const FINGERPRINTS = ['uaaaaaaa', 'uaaaaaab', 'uaaaaaac'] as const

/** Longer than the call timeout. */
const LONG = 4_000_000

const pause = (random: Random): number =>
  random.chance(0.005)
    ? LONG
    : random.chance(0.08)
      ? -random.pick(PAUSES)
      : random.chance(0.4)
        ? 0
        : random.pick(PAUSES)

const fingerprints = (random: Random, share: number) =>
  random.chance(share) && { fingerprints: FINGERPRINTS.filter(() => random.chance(0.4)) }

const argumentsOf = (random: Random): Record<string, unknown> => ({
  ...(random.chance(0.8) && { amount: random.pick(AMOUNTS) }),
  ...(random.chance(0.8) && { kind: random.pick(KINDS) }),
  ...(random.chance(0.8) && { command: random.pick(COMMANDS) }),
  ...(random.chance(0.7) && { list: random.pick(LISTS) }),
})

/** The actions of one session, 5 to 15 by default. `specIds`: specs with facts of other sessions. */
export function randomTrace(
  random: Random,
  specIds: readonly string[],
  length = 5 + random.below(11),
): Transition[] {
  const habits = habitsOf(random)
  const transitions: Transition[] = []
  const calls: string[] = []
  const mode = (): Mode => (random.chance(habits.observed) ? 'observe' : 'enforce')
  const readings = () =>
    Object.fromEntries(specIds.filter(() => random.chance(0.7)).map((id) => [`spec:${id}`, random.below(4)]))
  const step = (callId: string): TracedStep => ({
    callId,
    tool: random.pick(habits.tools),
    ...(random.chance(0.2) && { claimed: randomClaims(random) }),
  })
  const anEarlier = () => calls[calls.length - 1 - Math.floor(random.next() ** 2 * calls.length)] ?? 'c0'

  function propose(): void {
    const isAgain = random.chance(0.1)
    const callId = isAgain ? anEarlier() : `c${calls.length}`
    const withoutVerdict = random.chance(0.05) && {
      withoutVerdict: [step(random.chance(0.5) ? anEarlier() : `u${transitions.length}`)],
    }
    transitions.push({
      kind: 'propose',
      afterMs: pause(random),
      step: step(callId),
      mode: mode(),
      ...(random.chance(0.8) && { args: argumentsOf(random) }),
      ...(random.chance(0.5) && { outside: random.below(3) / 2 }),
      ...(random.chance(0.4) && { effects: randomEffects(random) }),
      ...(random.chance(0.2) && { acts: randomActs(random) }),
      ...(random.chance(0.03) && { isUnreadable: true }),
      ...(random.chance(0.6) && { evidence: random.pick(EVIDENCES) }),
      ...fingerprints(random, 0.5),
      ...withoutVerdict,
      readings: readings(),
    })
    if (!isAgain) calls.push(callId)
  }

  if (random.chance(0.08)) transitions.push({ kind: 'start', afterMs: 0, inherits: inheritance(random) })
  while (transitions.length < length) {
    const kind = random.next()
    if (calls.length === 0 || kind < 0.55) propose()
    else if (kind < 0.9)
      transitions.push({
        kind: 'complete',
        afterMs: pause(random),
        callId: anEarlier(),
        anyway: random.chance(0.06),
        isOk: random.chance(0.8),
        ...(random.chance(0.2) && { claimed: randomClaims(random) }),
        ...fingerprints(random, 0.5),
        ...(random.chance(0.05) && { taint: random.pick(TAINTS) }),
        ...(random.chance(0.04) && { inherits: inheritance(random) }),
      })
    else if (kind < 0.92)
      transitions.push({
        kind: 'refine',
        afterMs: pause(random),
        labels: randomLabels(random),
        effect: random.pick(REFINEMENTS),
      })
    else if (kind < 0.94)
      transitions.push({
        kind: 'grant',
        afterMs: pause(random),
        spec: specIds[random.below(specIds.length)] ?? '',
      })
    else
      transitions.push({
        kind: 'answer',
        afterMs: pause(random),
        callId: anEarlier(),
        isApproved: random.chance(0.7),
        mode: mode(),
        readings: readings(),
      })
  }
  return transitions
}

const inheritance = (random: Random): NaiveInheritance => ({
  ...(random.chance(0.7) && { confidentiality: random.pick(CONFIDENTIALITIES) }),
  ...(random.chance(0.4) && { taint: random.pick(TAINTS) }),
})

/** The habits of one session: few tools each, so that counts add up. */
function habitsOf(random: Random) {
  const tools = TOOLS.filter(() => random.chance(0.6))
  const [first = 'read_a', ...rest] = tools
  const observed = random.chance(0.15) ? 1 : random.chance(0.05) ? 0.5 : 0
  return { tools: [first, ...rest] as const, observed }
}
