/** Longer words are not compared: nobody misspells a name that long into another. */
const LENGTH_MAX = 64

/** The one of `names` that `word` was most likely meant to be: up to a third of its letters differ, case and `-` and `_` aside. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  if (word.length > LENGTH_MAX) return undefined
  const plain = plainOf(word)
  const far = Math.max(1, Math.floor(plain.length / 3))
  let found: { readonly name: string; readonly distance: number } | undefined
  for (const { name, letters } of plainOnes(names)) {
    // At least so many letters have to be put in or taken out.
    if (Math.abs(letters.length - plain.length) > far) continue
    const distance = distanceOf(plain, letters)
    if (distance < (found?.distance ?? Infinity)) found = { name, distance }
  }
  return found && found.distance <= far ? found.name : undefined
}

interface PlainName {
  readonly name: string
  readonly letters: string
}

/** One list is asked for many words: for each that a long document misspells. */
const plainLists = new WeakMap<readonly string[], readonly PlainName[]>()

function plainOnes(names: readonly string[]): readonly PlainName[] {
  const known = plainLists.get(names)
  if (known) return known
  const made = names
    .filter(({ length }) => length <= LENGTH_MAX)
    .map((name) => ({ name, letters: plainOf(name) }))
  plainLists.set(names, made)
  return made
}

const plainOf = (word: string): string => word.replaceAll(/[-_\s]/g, '').toLowerCase()

/** Letters to put in, take out, change, or swap with their neighbour. */
function distanceOf(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(before, j - 2) + 1 : Infinity
      next.push(Math.min(changed, swapped, at(row, j) + 1, at(next, j - 1) + 1))
    }
    before = row
    row = next
  }
  return at(row, b.length)
}

const at = (row: readonly number[], j: number): number => row[j] ?? Infinity
