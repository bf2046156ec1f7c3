import {
  CONFIDENTIALITIES,
  TAINTS,
  type Event,
  type Inherits,
  type ReportedGift,
  type ReportedPayee,
  type SignalName,
  type Signals,
} from '@plimsoll/contracts'
import type { Random } from './random.js'
import { randomLabels } from './world.js'

export const DIGESTS = ['a'.repeat(64), 'b'.repeat(64)] as const

export type Envelope = Pick<Event, 'schema' | 'id' | 'sessionId' | 'producer' | 'seq' | 'time'>

export interface Style {
  /** How many call ids there are. */
  readonly calls: number
  /** Share of the events that complete calls. */
  readonly completions: number
  /** The tools of proposed steps. */
  readonly tools: readonly [string, ...string[]]
  /** Whether a human answers most approval requests at once. */
  readonly isAnswered: boolean
}

export const callIdOf = (random: Random, { calls }: Style): string => `c${random.below(calls)}`

/** Few values in all, so that they recur and none is evicted. */
export const someFingerprints = (random: Random): string[] =>
  Array.from({ length: random.below(5) }, () => {
    const value = random.below(VALUES)
    return `${random.pick(LETTERS)}aa${DIGITS.charAt(value >> 2)}aaa${DIGITS.charAt(value & 3)}`
  })

const VALUES = 60
const DIGITS = 'abcdefghijklmnopqrstuvwxyz234567'
const LETTERS = ['a', 'c', 'u', 'p', 'i', 'n', 'g', 'g', 'w', 't', 'd'] as const

export function claims(random: Random): Partial<ReturnType<typeof randomLabels>> {
  const all = Object.entries(randomLabels(random)).filter(() => random.chance(0.4))
  return Object.fromEntries(all)
}
const ACTS = ['Delete', 'Overwrite', 'Pay', 'Publish', 'Send', 'Grant', 'Credential'] as const

/** What a client may report of a task: the acts it asks for. */
export const someAsks = (random: Random): Signals =>
  Object.fromEntries(
    ACTS.filter(() => random.chance(0.3)).map((act) => [`asks${act}`, random.pick([0, 1, 1])]),
  )

/** What a client may report of a step's arguments: mostly that the report is complete. */
export function someSignals(random: Random): Signals {
  const share = (name: SignalName, chance: number) => random.chance(chance) && { [name]: random.below(9) / 8 }
  return {
    ...(random.chance(0.8) && { complete: random.pick([1, 1, 1, 1, 0, 0.5]) }),
    ...share('outside', 0.3),
    ...share('external', 0.2),
    ...share('strangers', 0.2),
    ...share('records', 0.2),
    ...share('partial', 0.1),
    ...share('runner', 0.3),
    ...share('code', 0.1),
    ...(random.chance(0.15) && { pushes: random.pick([1, 1, 0]) }),
    ...(random.chance(0.1) && { moves: random.pick([1, 1, 0]) }),
    ...(random.chance(0.05) && { takesAll: 1 }),
    ...(random.chance(0.3) && { message: 1 }),
    // Only the monitor sets it.
    ...share('payee', 0.05),
    ...share('program', 0.2),
    ...(random.chance(0.4) && { [`does${random.pick(ACTS)}`]: random.below(9) / 8 }),
    ...(random.chance(0.1) && { doesPay: 1 }),
    ...(random.chance(0.05) && { opaque: 1 }),
  }
}

const sum = (random: Random) => ({
  level: random.pick([100, 131, 132, 170, 1_023]),
  ...(random.chance(0.4) && { currency: random.pick(['neurxxxx', 'nusdxxxx']) }),
})
const ofKind = (random: Random, letters: string) =>
  someFingerprints(random).map((each) => `${letters.charAt(random.below(letters.length))}${each.slice(1)}`)

/** What a client may report of payees in a text. Few, so that none is evicted. */
export const somePayees = (random: Random): ReportedPayee[] => {
  const [account] = ofKind(random, 'ciu')
  return [
    {
      ...(account !== undefined && { account }),
      ...(random.chance(0.8) && { names: ofKind(random, 'n') }),
      ...(random.chance(0.5) && { sums: [sum(random)] }),
    },
  ]
}

/** Whom a step pays or lets in. */
export const someGift = (random: Random): ReportedGift => ({
  ...(random.chance(0.6) && { to: someFingerprints(random) }),
  ...(random.chance(0.8) && { accounts: ofKind(random, 'ciu') }),
  ...(random.chance(0.6) && { names: ofKind(random, 'n') }),
  ...(random.chance(0.6) && { sums: [sum(random)] }),
  ...(random.chance(0.05) && { isCut: true }),
})

/** Inherited state: a label, a list, everything or nothing. */
export function inheritance(random: Random): Inherits {
  const list = (name: string) => random.chance(0.5) && { [name]: someFingerprints(random) }
  return {
    ...(random.chance(0.4) && { taint: random.pick(TAINTS) }),
    ...(random.chance(0.4) && { confidentiality: random.pick(CONFIDENTIALITIES) }),
    ...(random.chance(0.2) && { unseen: random.chance(0.7) }),
    ...(random.chance(0.1) && { held: random.chance(0.7) }),
    ...(random.chance(0.1) && { codeWritten: random.chance(0.7) }),
    ...(random.chance(0.8) && {
      fingerprints: { ...list('untrusted'), ...list('instructed'), ...list('sensitive') },
    }),
  }
}
