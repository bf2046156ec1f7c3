import { type ReportedLimits, LIMITS_MAX } from '@plimsoll/contracts'
import { limitsOfTask } from './arguments/limits/limits-of-task.js'
import type { Fingerprinter } from './provenance/fingerprinter.js'

/** The limits that a session's user sets. */
export interface LimitReports {
  /** The limits that a text of the user sets, by fingerprints; empty if it sets and lifts none. */
  of(text: string, isLater: boolean): { readonly limits?: ReportedLimits }
  /** Whether a text may have set limits to acts: only then a later one can lift them, and only then a step says which acts it does. */
  readonly mayForbidActs: boolean
}

/** @param isResumed whether the session began elsewhere, so that what its user forbids is not known here */
export function createLimitReports(fingerprinter: Fingerprinter, isResumed: boolean): LimitReports {
  let mayForbidActs = isResumed
  return {
    of: (text, isLater) => {
      const { goes, does, forbidsActs, ...lists } = limitsOfTask(text, isLater)
      const found: ReportedLimits = goes ? { goes } : {}
      for (const [name, names] of Object.entries(lists))
        if (names.length > 0) found[name as keyof typeof lists] = fingerprinter.names(names)
      if (mayForbidActs && does.length > 0)
        found.allows = [...(found.allows ?? []), ...fingerprinter.names(does)].slice(0, LIMITS_MAX)
      mayForbidActs ||= forbidsActs
      return Object.keys(found).length > 0 ? { limits: found } : {}
    },
    get mayForbidActs() {
      return mayForbidActs
    },
  }
}
