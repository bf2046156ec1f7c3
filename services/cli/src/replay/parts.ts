import { PlimsollError } from '@plimsoll/contracts'
import { OBSERVER_PARTS, type ObserverPart } from '@plimsoll/labels'

/**
 * Names of what an observer can leave out.
 *
 * @throws PlimsollError `usage_invalid` naming the first that is none
 */
export function parseParts(names: readonly string[]): ObserverPart[] {
  return names.map((name) => {
    const part = OBSERVER_PARTS.find((each) => each === name)
    if (part) return part
    throw new PlimsollError(
      'usage_invalid',
      `\`--without\` is one of ${OBSERVER_PARTS.join(', ')}, not \`${name}\``,
    )
  })
}
