import { type ReportedLimits, LIMITS_MAX } from '@plimsoll/contracts'
import { limitsOfTask } from './arguments/limits/limits-of-task.js'
import { nameOfObject } from './arguments/limits/names-of-acts.js'
import { wordsOfName } from './arguments/limits/names-of-change.js'
import type { Fingerprinter } from './provenance/fingerprinter.js'

/** Things that are kept whose words are known. */
const KEPT_MAX = 12

/** The limits that a session's user sets. */
export interface LimitReports {
  /** The limits that a text of the user sets, by fingerprints; empty if it sets and lifts none. */
  of(text: string, isLater: boolean): { readonly limits?: ReportedLimits }
  /** Names of limits that a record has which orders except, by the texts that a result shows of it. */
  exceptionOf(texts: readonly string[] | undefined): readonly string[]
  /** Whether the user excepts something. */
  readonly excepts: boolean
  /** Whether a text may have set limits to acts: only then a later one can lift them, and only then a step says which acts it does. */
  readonly mayForbidActs: boolean
}

/** @param isResumed whether the session began elsewhere, so that what its user forbids is not known here */
export function createLimitReports(fingerprinter: Fingerprinter, isResumed: boolean): LimitReports {
  let mayForbidActs = isResumed
  const kept: (readonly string[])[] = []
  return {
    of: (text, isLater) => {
      const { goes, does, forbidsActs, kept: excepted, ...lists } = limitsOfTask(text, isLater)
      const found: ReportedLimits = goes ? { goes } : {}
      for (const [name, names] of Object.entries(lists))
        if (names.length > 0) found[name as keyof typeof lists] = fingerprinter.names(names)
      if (mayForbidActs && does.length > 0)
        found.allows = [...(found.allows ?? []), ...fingerprinter.names(does)].slice(0, LIMITS_MAX)
      mayForbidActs ||= forbidsActs
      kept.push(...excepted.slice(0, KEPT_MAX - kept.length))
      return Object.keys(found).length > 0 ? { limits: found } : {}
    },
    exceptionOf: (texts = []) => {
      const words = new Set(texts.flatMap(wordsOfName))
      const found = kept.find((each) => each.filter((word) => words.has(word)).length * 2 >= each.length)
      return (found ?? []).filter((word) => words.has(word)).map(nameOfObject)
    },
    get excepts() {
      return kept.length > 0
    },
    get mayForbidActs() {
      return mayForbidActs
    },
  }
}
