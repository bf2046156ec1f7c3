import { type Fingerprint, FINGERPRINTS_MAX } from '@plimsoll/contracts'
import type { Fingerprinter } from '../provenance/fingerprinter.js'
import type { Tokens } from '../text/tokens.js'
import { namesOfPlaces, placesOfDeletion } from './named-places.js'
import { fileName, kindsNamed, wordsOfProduct, wordsOfWay } from './product-words.js'
import { PACKAGE, namesPackage, wordsOfTextEdits } from './text-edits.js'

/** What a task names besides its words, and words of it that name nothing that its orders are about. */
interface NamesBeside {
  readonly special: readonly string[]
  readonly edited: readonly string[]
}

/** @param isOrdering whether the task orders an irreversible act: else its words are no objects of one */
function namesBeside(task: string, isOrdering: boolean): NamesBeside {
  const places = isOrdering ? placesOfDeletion(task) : []
  const ofProduct = isOrdering ? wordsOfProduct(task) : []
  return {
    special: [
      ...(namesPackage(task) ? [PACKAGE] : []),
      ...kindsNamed(task),
      ...ofProduct.map(fileName),
      ...namesOfPlaces(task, places),
    ],
    // An act that the task orders beside such edits is on something else.
    edited: isOrdering ? [...wordsOfTextEdits(task), ...places, ...ofProduct, ...wordsOfWay(task)] : [],
  }
}

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
