import type { Reason } from '@plimsoll/contracts'
import type { StepContext } from '../context.js'

/** The stop switch. Source: docs/decisions/20261122-controls.md. */
export function stopReason({ facts }: StepContext): Reason | undefined {
  if (!facts.stop) return undefined
  const { by, reason } = facts.stop
  const message = `stopped by \`${by}\`${reason === undefined ? '' : `: ${reason}`}`
  return { source: 'stop', code: 'fleet_stopped', verdict: 'block', message }
}
