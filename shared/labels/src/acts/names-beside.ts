import { namesOfPlaces, placesOfDeletion } from './named-places.js'
import { fileName, kindsNamed, wordsOfProduct, wordsOfWay } from './product-words.js'
import { PACKAGE, namesPackage, wordsOfTextEdits } from './text-edits.js'

/** What a task names besides its words, and words of it that name nothing that its orders are about. */
interface NamesBeside {
  readonly special: readonly string[]
  readonly edited: readonly string[]
}

/** @param isOrdering whether the task orders an irreversible act: else its words are no objects of one */
export function namesBeside(task: string, isOrdering: boolean): NamesBeside {
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
