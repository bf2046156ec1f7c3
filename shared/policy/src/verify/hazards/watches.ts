import type { Effect, ObjectKind, Reach, Run, StepPattern } from '@plimsoll/contracts'
import { isRaisable } from '../../specs/patterns.js'
import { type LabelledTool, matchesLabels } from '../model/labels.js'

/** A step as the watches see it: derived from the documents alone, independently of the engine. */
export interface SeenStep extends LabelledTool {
  /** What it does to what; undefined if the client does not report it. */
  readonly effects: readonly SeenEffect[] | undefined
  /** Undefined if the client reports no recipients. */
  readonly outside: boolean | undefined
  /** Results of the argument predicates by expression text; undefined if no argument is disclosed. */
  readonly where: Readonly<Record<string, boolean>> | undefined
}

/** An effect of a step, known as a whole: a step that is known less is permitted less. */
export interface SeenEffect {
  readonly act: Effect['act']
  readonly object: ObjectKind
  readonly reach: Reach
}

type Answer = 'yes' | 'no' | 'unknown'

/** Whether `pattern` matches the step: unknown if the step is not known well enough. */
export function matchOf(pattern: StepPattern, step: SeenStep): Answer {
  if (!matchesLabels(pattern, step)) return 'no'
  const { recipient, where } = pattern
  const hasEffect = answerOfEffects(pattern, step)
  const isRecipient =
    recipient === undefined
      ? true
      : step.outside === undefined
        ? undefined
        : step.outside === (recipient === 'external')
  const holds = where === undefined ? true : step.where?.[where]
  if (isRecipient === false || holds === false || hasEffect === 'no') return 'no'
  return isRecipient === undefined || holds === undefined ? 'unknown' : hasEffect
}

/** Whether one effect has what the pattern asks for. */
function answerOfEffects({ act, object, reach }: StepPattern, { effects, labels }: SeenStep): Answer {
  if (!act && !object && !reach) return 'yes'
  if (effects === undefined) return 'unknown'
  const isAsked = (each: SeenEffect): boolean =>
    (!act || act.some((one) => one === each.act)) &&
    (!object || object.includes(each.object)) &&
    (!reach || reach.includes(each.reach))
  if (effects.some(isAsked)) return 'yes'
  // An irreversible step whose effects are not known may have any.
  const isOpen = effects.length === 0 && labels.reversibility === 'irreversible'
  return isOpen ? 'unknown' : 'no'
}

/** How unknown matches count: they may reach a hazard, but never a goal. */
export type Reading = 'hazard' | 'goal'

/**
 * The progress of one run, tracked independently of the engine. For a sequence: the number of its steps that ran. For an end with an open
 * obligation: 0, then 1 while it is open, then 2 once the session has ended.
 */
export interface HazardWatch {
  readonly isReached: (at: number) => boolean
  readonly ran: (at: number, step: SeenStep) => number
  /** A result raised the labels of its step: `step` has all that is now known. */
  readonly raised: (at: number, before: SeenStep, step: SeenStep) => number
  /** Whether such a step undoes the run once it completes without an error. */
  readonly undoes: (step: SeenStep) => boolean
  readonly undone: (at: number) => number
  readonly ended: (at: number) => number
}

export function createHazardWatch(run: Run, reading: Reading): HazardWatch {
  const isFor = (pattern: StepPattern, step: SeenStep) => counts(matchOf(pattern, step), reading === 'hazard')
  const isAgainst = (pattern: StepPattern, step: SeenStep) =>
    counts(matchOf(pattern, step), reading === 'goal')
  return 'endsAfter' in run ? watchEnd(run, isFor, isAgainst) : watchSequence(run, isFor, isAgainst)
}

const counts = (answer: Answer, ifUnknown: boolean): boolean =>
  answer === 'yes' || (answer === 'unknown' && ifUnknown)

type Holds = (pattern: StepPattern, step: SeenStep) => boolean

function watchSequence(
  { sequence, unless }: Extract<Run, { sequence: unknown }>,
  isFor: Holds,
  isAgainst: Holds,
): HazardWatch {
  const next = (at: number, step: SeenStep) => {
    const pattern = sequence[at]
    return pattern !== undefined && isFor(pattern, step) ? at + 1 : at
  }
  return {
    isReached: (at) => at >= sequence.length,
    ran: next,
    raised: (at, before, step) => {
      const pattern = sequence[at]
      return pattern && isRaisable(pattern) && !isFor(pattern, before) ? next(at, step) : at
    },
    undoes: (step) => unless !== undefined && isAgainst(unless, step),
    undone: (at) => (at >= sequence.length ? at : 0),
    ended: (at) => at,
  }
}

const OWED = 1
const ENDED = 2

function watchEnd(
  { endsAfter, without }: Extract<Run, { endsAfter: unknown }>,
  isFor: Holds,
  isAgainst: Holds,
): HazardWatch {
  return {
    isReached: (at) => at === ENDED,
    ran: (at, step) => (isFor(endsAfter, step) ? OWED : at),
    raised: (at, before, step) =>
      isRaisable(endsAfter) && !isFor(endsAfter, before) && isFor(endsAfter, step) ? OWED : at,
    undoes: (step) => isAgainst(without, step),
    undone: (at) => (at === OWED ? 0 : at),
    ended: (at) => (at === OWED ? ENDED : at),
  }
}
