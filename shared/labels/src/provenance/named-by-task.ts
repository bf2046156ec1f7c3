import { type Fingerprint, FINGERPRINTS_MAX } from '@plimsoll/contracts'
import { namesBeside } from '../acts/names-beside.js'
import type { Tokens } from '../text/tokens.js'
import type { Fingerprinter } from './fingerprinter.js'

/** What is known of a task beside its text. */
interface Task {
  /** Fingerprints of the people of whom it says that they wrote something. */
  readonly people: readonly Fingerprint[]
  /** Whether it orders an irreversible act. */
  readonly isOrdering: boolean
}

/**
 * What a task names, without words that its orders are not about. The people in it first: as the first word of a sentence a name is like any
 * other. At most `FINGERPRINTS_MAX`; linear in the task.
 */
export function namedByTask(
  text: string,
  tokens: Tokens,
  fingerprinter: Fingerprinter,
  { people, isOrdering }: Task,
): Fingerprint[] {
  const all = fingerprinter.task(text, tokens)
  const { special, edited } = namesBeside(text, isOrdering)
  const first = special.length > 0 ? [...fingerprinter.object(special), ...people] : people
  if (first.length === 0 && edited.length === 0) return all
  const lost = new Set(fingerprinter.object(edited).map((each) => each.slice(1)))
  const kept = [...new Set([...first, ...all.filter((each) => !lost.has(each.slice(1)))])]
  return kept.slice(0, FINGERPRINTS_MAX)
}
