import type { ReportedScript } from '@plimsoll/contracts'
import { ACTS } from '../labels/words.js'
import { type Own, NOTHING_OWN, isOwn, withoutOwn } from './own.js'
import { type Sources, namesEach } from './sources.js'

/** What a session's record knows. */
interface Known {
  readonly asked: number
  readonly sources: Sources
  readonly own: Own
}

/** Names of those scripts, of a step that writes them, that do something irreversible which the task does not ask for. */
export const harmfulScripts = (known: Known, scripts: readonly ReportedScript[] | undefined): Own =>
  scripts === undefined
    ? NOTHING_OWN
    : scripts
        .filter((each) => isHarmful(known, each))
        .map(({ name }) => name)
        .join('')

/** `own` without the scripts that a step writes again and that no longer do anything irreversible. */
export const withoutScripts = (own: Own, scripts: readonly ReportedScript[] | undefined): Own =>
  (scripts ?? []).reduce((left, { name, does }) => (does.length === 0 ? withoutOwn(left, name) : left), own)

/** Whether a step runs such a script of the session, or of its own. */
export const runsHarmful = (
  known: Known,
  runs: readonly string[],
  scripts?: readonly ReportedScript[],
): boolean => isOwn(known.own, runs) || isOwn(harmfulScripts(known, scripts), runs)

/** As for a step that does the same: every act is asked for, and what it is done to is named or the session's own. */
function isHarmful({ asked, sources, own }: Known, { does, objects = [] }: ReportedScript): boolean {
  if (does.length === 0) return false
  const others = objects.filter((names) => !isOwn(own, names))
  if (objects.length > 0 && others.length === 0) return false
  return does.some((act) => (asked & (1 << ACTS.indexOf(act))) === 0) || !namesEach(sources, others)
}
