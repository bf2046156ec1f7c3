import { ACTS, actSignal, type Act, type Signals } from '@plimsoll/contracts'

/** The acts that a task asks for, from its signals. */
export const actsIn = (signals: Signals = {}): Act[] =>
  ACTS.filter((act) => (signals[actSignal('asks', act)] ?? 0) > 0)

/** The inverse of `actsIn`; undefined for no acts. */
export const signalsOfActs = (acts: readonly Act[] = []): Signals | undefined =>
  acts.length === 0 ? undefined : Object.fromEntries(acts.map((act) => [actSignal('asks', act), 1]))
