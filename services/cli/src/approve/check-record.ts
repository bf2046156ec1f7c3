import { eventSchema, PlimsollError } from '@plimsoll/contracts'
import type { OutgoingRecord } from '@plimsoll/runtime'

/** Throws `usage_invalid`, naming each field, for what every monitor would set aside: it could never count. */
export function assertCounts({ value }: OutgoingRecord): void {
  const { error } = eventSchema.safeParse(JSON.parse(String(value)))
  if (!error) return
  const problems = error.issues.map(({ path, message }) => `\`${path.join('.')}\`: ${message}`)
  throw new PlimsollError('usage_invalid', problems.join('; '))
}
