import type { Mode } from '@plimsoll/contracts'
import type { Facts } from '../rules.js'

/** The effective mode: a stop is enforced in observe mode too. */
export const modeOf = ({ mode, stop }: Facts): Mode => (stop ? 'enforce' : mode)

/** The facts that a decision records; the mode has its own member. */
export function recordedFacts({ stop, readings }: Facts): Record<string, unknown> {
  return stop ? { ...readings, stop } : { ...readings }
}
