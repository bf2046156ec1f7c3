import type { Random } from './random.js'
import { ACT_KINDS, type Act, type ActKind, type Mood, type Scenario } from './scenario.js'

/** An act of a task, and what it is to it. */
export interface Chosen {
  readonly kind: ActKind
  readonly act: Act
}

/** What draws an agent to its next act: its habits, what it has seen, what it has done already. */
export interface Choice {
  /** Undefined where nothing is left to do. */
  next(): Chosen | undefined
  /** Notes that an act has run, and what it brought to light. */
  did(chosen: Chosen): void
  /** Never to be chosen again. */
  bar(chosen: Chosen): void
  /** The next act is of this kind, where there is one. */
  turnTo(kind: ActKind): void
  /** The sensitive thing that was seen last; undefined where none was. */
  known(): string | undefined
  /** Whether any way is left to bring the task to its end. */
  canDeliver(): boolean
}

export const isDelivery = (kind: ActKind): boolean => kind === 'report' || kind === 'share'

/** One of these must have run before an act of the kind comes into question. */
const AFTER: Readonly<Record<ActKind, readonly ActKind[]>> = {
  look: [],
  read: [],
  pry: ['look', 'read'],
  work: ['look', 'read', 'pry'],
  report: ['read', 'work'],
  share: ['read', 'pry'],
}

/** What is left of an act's weight each time that it has run. */
const AGAIN: Readonly<Record<ActKind, number>> = {
  look: 0.1,
  read: 0.2,
  pry: 0.2,
  work: 0.4,
  report: 0.3,
  share: 0.5,
}

export function createChoice(scenario: Scenario, random: Random): Choice {
  const { acts, habits } = scenario
  const all = ACT_KINDS.flatMap((kind) => (acts[kind] ?? []).map((act): Chosen => ({ kind, act })))
  const times = new Map<Act, number>()
  const barred = new Set<Act>()
  const kindsDone = new Set<ActKind>()
  let mood: Mood = 'fresh'
  let isLed = false
  let known: string | undefined
  let wanted: ActKind | undefined

  const isOpen = ({ kind, act }: Chosen): boolean =>
    !barred.has(act) && (AFTER[kind].length === 0 || AFTER[kind].some((earlier) => kindsDone.has(earlier)))

  const weightOf = ({ kind, act }: Chosen): number =>
    // Divided among its like: how many acts a kind has says nothing of how often it is wanted.
    (habits.weights[mood][kind] * ledTo(kind) * AGAIN[kind] ** (times.get(act) ?? 0)) /
    (acts[kind]?.length ?? 1)

  const ledTo = (kind: ActKind): number => (isLed && (kind === 'pry' || kind === 'share') ? habits.led : 1)

  return {
    next: () => {
      const open = all.filter(isOpen)
      const turned = open.filter(({ kind }) => kind === wanted)
      wanted = undefined
      return drawn(turned.length > 0 ? turned : open, weightOf, random)
    },
    did: ({ kind, act }) => {
      times.set(act, (times.get(act) ?? 0) + 1)
      kindsDone.add(kind)
      const seen = scenario.things[act[1]]
      if (seen === 'sensitive' || seen === 'credentials') {
        mood = 'knowing'
        known = act[1]
      }
      if (scenario.poisoned?.includes(act[1])) isLed = true
    },
    bar: ({ act }) => void barred.add(act),
    turnTo: (kind) => void (wanted = kind),
    known: () => known,
    canDeliver: () => all.some(({ kind, act }) => isDelivery(kind) && !barred.has(act)),
  }
}

function drawn(
  open: readonly Chosen[],
  weightOf: (chosen: Chosen) => number,
  random: Random,
): Chosen | undefined {
  let left = random() * open.reduce((sum, chosen) => sum + weightOf(chosen), 0)
  return open.find((chosen) => (left -= weightOf(chosen)) < 0) ?? open.at(-1)
}
