import { type ReportedLimits, LIMITS_MAX } from '@plimsoll/contracts'
import { limitsOfTask } from './arguments/limits/limits-of-task.js'
import type { Fingerprinter } from './provenance/fingerprinter.js'

/** The limits that a user's text sets to a session, by fingerprints; empty if it sets and lifts none. */
export type LimitReporter = (text: string, isLater: boolean) => { readonly limits?: ReportedLimits }

/** @param isResumed whether the session began elsewhere, so that what its user forbids is not known here */
export function createLimitReporter(fingerprinter: Fingerprinter, isResumed: boolean): LimitReporter {
  /** Whether a text may have set limits to acts: only then a later one can lift them. */
  let mayForbidActs = isResumed
  return (text, isLater) => {
    const { goes, does, forbidsActs, ...lists } = limitsOfTask(text, isLater)
    const found: ReportedLimits = goes ? { goes } : {}
    for (const [name, names] of Object.entries(lists))
      if (names.length > 0) found[name as keyof typeof lists] = fingerprinter.names(names)
    if (mayForbidActs && does.length > 0)
      found.allows = [...(found.allows ?? []), ...fingerprinter.names(does)].slice(0, LIMITS_MAX)
    mayForbidActs ||= forbidsActs
    return Object.keys(found).length > 0 ? { limits: found } : {}
  }
}
