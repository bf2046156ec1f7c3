import type { Reason, Verdict } from '@plimsoll/contracts'
import { VERDICTS } from '../labels/words.js'

/** How severe a verdict is, from 0. */
export const severity = (verdict: Verdict): number => VERDICTS.indexOf(verdict)

/** The most severe verdict of the reasons that are not lifted; allow if there is none. */
export function verdictOf(reasons: readonly Reason[]): Verdict {
  let verdict: Verdict = 'allow'
  for (const reason of reasons)
    if (reason.liftedBy === undefined && severity(reason.verdict) > severity(verdict))
      verdict = reason.verdict
  return verdict
}
