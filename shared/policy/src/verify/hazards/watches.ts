import type { Run, StepPattern } from '@plimsoll/contracts'
import { isRaisable } from '../../specs/patterns.js'
import { type LabelledTool, matchesLabels } from '../model/labels.js'

/** A step as the watches see it: apart from the engine, from the documents alone. */
export interface SeenStep extends LabelledTool {
  /** Undefined where the client tells of no recipients. */
  readonly outside: boolean | undefined
  /** What holds of the arguments, by the text of the expression; undefined where none is disclosed. */
  readonly where: Readonly<Record<string, boolean>> | undefined
}

type Answer = 'yes' | 'no' | 'unknown'

/** Whether `pattern` means the step, as far as it is known. */
export function matchOf(pattern: StepPattern, step: SeenStep): Answer {
  if (!matchesLabels(pattern, step)) return 'no'
  const { recipient, where } = pattern
  const isRecipient =
    recipient === undefined
      ? true
      : step.outside === undefined
        ? undefined
        : step.outside === (recipient === 'external')
  const holds = where === undefined ? true : step.where?.[where]
  if (isRecipient === false || holds === false) return 'no'
  return isRecipient === undefined || holds === undefined ? 'unknown' : 'yes'
}

/** How what is not known counts: a hazard may have been reached by it, a goal has not. */
export type Reading = 'hazard' | 'goal'

/**
 * One run, watched beside the engine: how far it has come. Of a sequence the number of its steps that ran, of an end without something
 * 0, 1 where it is owed and 2 once the session has ended so.
 */
export interface HazardWatch {
  readonly isReached: (at: number) => boolean
  readonly ran: (at: number, step: SeenStep) => number
  /** A result told more of its step than was known: `step` with all that is. */
  readonly raised: (at: number, before: SeenStep, step: SeenStep) => number
  /** Whether such a step undoes it once it has come back well. */
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
