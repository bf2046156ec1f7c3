import { ACTS, type Act, type Signals } from '@plimsoll/contracts'

/** The signal for an act that a task asks for or a step does: `asksDelete`, `doesDelete`. */
export const nameOf = (prefix: 'asks' | 'does', act: Act): string => NAMES[prefix][act]

const namesWith = (prefix: string) =>
  Object.fromEntries(ACTS.map((act) => [act, prefix + act.charAt(0).toUpperCase() + act.slice(1)])) as Record<
    Act,
    string
  >
const NAMES = { asks: namesWith('asks'), does: namesWith('does') } as const

/** The acts that a task asks for, from its signals. */
export const actsIn = (signals: Signals = {}): Act[] =>
  ACTS.filter((act) => (signals[nameOf('asks', act)] ?? 0) > 0)

/** The inverse of `actsIn`; undefined for no acts. */
export const signalsOfActs = (acts: readonly Act[] = []): Signals | undefined =>
  acts.length === 0 ? undefined : Object.fromEntries(acts.map((act) => [nameOf('asks', act), 1]))
