import type { EventOf, ReportedScript } from '@plimsoll/contracts'
import { ACTS } from '../labels/words.js'
import { type Own, NOTHING_OWN, hasForgotten, isOwn, isRead, withoutOwn } from './own.js'
import { namesEach } from './named.js'
import type { Sources } from './sources.js'

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

/** The signal of a step that runs a harmful script which the session only read. */
export const SCRIPT_READ = 0.5

/**
 * How far a step runs such a script of the session, or of its own: 1 if it was written, `SCRIPT_READ` if it was only read. A task that names
 * a script which was there knows what it does.
 */
export function runsHarmful(known: Known, { runs = [], runFiles = [], scripts }: Running): number {
  if (runs.length === 0) return 0
  const { own, sources } = known
  if (hasForgotten(own) || isOwn(harmfulScripts(known, scripts), runs)) return 1
  if (!isOwn(own, runs)) return 0
  const isWritten = runs.some((name) => isOwn(own, [name]) && !isRead(own, name))
  if (isWritten) return 1
  const isUnknown = (name: string, at: number): boolean =>
    isRead(own, name) && !(runFiles[at] && namesEach(sources, [runFiles[at]]))
  return runs.some(isUnknown) ? SCRIPT_READ : 0
}

/** What a step reports of scripts. */
type Running = Pick<EventOf<'step.proposed'>, 'runs' | 'runFiles' | 'scripts'>

/** As for a step that does the same: every act is asked for, and what it is done to is named or the session's own. */
function isHarmful({ asked, sources, own }: Known, { does, objects = [] }: ReportedScript): boolean {
  if (does.length === 0) return false
  const others = objects.filter((names) => !isOwn(own, names))
  if (objects.length > 0 && others.length === 0) return false
  return does.some((act) => (asked & (1 << ACTS.indexOf(act))) === 0) || !namesEach(sources, others)
}
