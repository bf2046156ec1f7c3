import { PlimsollError } from '@plimsoll/contracts'
import type { Options, Values } from '../options.js'

/** The options of every command that changes what stands. */
export const controlOptions = {
  reason: { type: 'text', value: 'TEXT', help: 'why, for the record' },
  by: { type: 'text', value: 'NAME', help: 'who changes it; $USER if left out' },
  wait: {
    type: 'integer',
    value: 'SECONDS',
    help: 'how long to wait for the answers of all partitions',
    min: 1,
    max: 3_600,
    default: 30,
  },
  json: { type: 'flag', help: 'one JSON object on stdout' },
} as const satisfies Options

export type ControlValues = Values<typeof controlOptions>

/** Who changes something. Throws `usage_invalid` where nobody says. */
export function operatorOf(by: string | undefined, user: string | undefined): string {
  const name = by ?? user
  if (name === undefined)
    throw new PlimsollError('usage_invalid', '`--by` is missing, and USER is not set: who changes it?')
  return name
}
