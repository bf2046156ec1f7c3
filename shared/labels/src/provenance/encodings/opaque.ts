import { createTokenScanner } from '../../text/tokens.js'
import { type Candidates, TIERS } from '../values/candidates.js'
import { hiddenForms } from './hidden.js'

/** Longer texts, in code units, are not read again. */
const TEXT_UNITS_MAX = 8_192
/** Values of more candidates are not looked through. */
const VALUES_MAX = 64

const scan = createTokenScanner()

/**
 * Whether each run of the text that looks encoded and cannot be read stands within a link, account or id of `found`: it says no more than
 * whether that value was read before. Call it after `hiddenForms` of the text was used. Linear.
 */
export function areAllWithin(text: string, found: Candidates): boolean {
  if (text.length > TEXT_UNITS_MAX || found.count > CANDIDATES_READ_MAX) return false
  const rest = text.split('')
  let values = 0
  for (let i = 0; i < found.count; i++) {
    if ((found.tier[i] ?? 0) > TIERS.id) continue
    if (++values > VALUES_MAX) return false
    rest.fill(' ', found.start[i] ?? 0, found.end[i] ?? 0)
  }
  const blanked = rest.join('')
  const hidden = hiddenForms(blanked, scan(blanked))
  return hidden.isWhole && hidden.unknown === 0
}

const CANDIDATES_READ_MAX = 1_024
