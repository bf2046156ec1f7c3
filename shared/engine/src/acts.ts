import type { Act, Signals } from '@plimsoll/contracts'
import type { StepLabels } from './safety-state.js'
import { ACTS, ESCALATIONS } from './words.js'

/**
 * What a step does that cannot be taken back, and what a task asks for, as bits by their places in ACTS. A client reports them as signals:
 * `asksDelete` of a task, `doesDelete` of a step. O(1).
 */
export type Acts = number

const nameOf = (prefix: string, act: Act): string => prefix + act.charAt(0).toUpperCase() + act.slice(1)
const ASKS = ACTS.map((act) => nameOf('asks', act))
const DOES = ACTS.map((act) => nameOf('does', act))

const bitsIn = (signals: Signals | undefined, names: readonly string[]): Acts => {
  let bits = 0
  if (signals) for (let i = 0; i < names.length; i++) if ((signals[names[i] ?? ''] ?? 0) > 0) bits |= 1 << i
  return bits
}

/** The acts that a task asks for. */
export const actsAskedIn = (signals: Signals | undefined): Acts => bitsIn(signals, ASKS)

/** What a step does; 0 where its client does not report it. */
export const actsDoneIn = (signals: Signals | undefined): Acts => bitsIn(signals, DOES)

/** The act of `bits` that comes first in ACTS. */
export const firstActIn = (bits: Acts): Act | undefined => ACTS.find((_, i) => (bits & (1 << i)) !== 0)

const NETWORK = ESCALATIONS.indexOf('network')
const PAY = 1 << ACTS.indexOf('pay')
const GIVING = PAY | (1 << ACTS.indexOf('grant'))
const LASTING = GIVING | (1 << ACTS.indexOf('credential'))

/** Whether the step moves money, and does nothing else that cannot be taken back. */
export const isPaying = (signals: Signals | undefined): boolean => actsDoneIn(signals) === PAY

/** Whether somebody gets money or access by it. */
export const isGiving = (does: Acts): boolean => (does & GIVING) !== 0

/** Whether it does what is asked about even where a part of it can be taken back. */
export const isLasting = (does: Acts): boolean => (does & LASTING) !== 0

/** Whether what the step does stands in a text that it is given to run: a command line, a query, code. */
export const isProgram = (signals: Signals | undefined): boolean => (signals?.['program'] ?? 0) > 0

/**
 * Whether the step is a program that works on the spot: it does not reach out, and nothing that it does is for good as far as it is known. Its text
 * is full of names, paths and what looks like hosts: where those come from says little.
 */
export const isLocalWork = (
  signals: Signals | undefined,
  { escalation }: Pick<StepLabels, 'escalation'>,
): boolean => isProgram(signals) && escalation < NETWORK && actsDoneIn(signals) === 0
