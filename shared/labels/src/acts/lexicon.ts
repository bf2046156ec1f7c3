import { ACTS, type Act, type Signals } from '@plimsoll/contracts'

/** The signal by which a task or a step is reported to ask for or to do `act`: `asksDelete`, `doesDelete`. */
export const nameOf = (prefix: 'asks' | 'does', act: Act): string =>
  prefix + act.charAt(0).toUpperCase() + act.slice(1)

/** The acts that signals say a task asks for. */
export const actsIn = (signals: Signals = {}): Act[] =>
  ACTS.filter((act) => (signals[nameOf('asks', act)] ?? 0) > 0)

/** The signals that say so; undefined where there is none to say. */
export const signalsOfActs = (acts: readonly Act[] = []): Signals | undefined =>
  acts.length === 0 ? undefined : Object.fromEntries(acts.map((act) => [nameOf('asks', act), 1]))
