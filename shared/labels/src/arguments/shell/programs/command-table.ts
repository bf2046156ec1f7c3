import { type Words, readTable, wordsIn } from '../../../text/data.js'

/**
 * `data/commands.json`: what is known of each program, an entry for one or for several that are alike. A program may stand in several
 * entries, but has each field once; lists (`acts`, `carries`, `values`) are joined in the order of the file. The fields are those of
 * docs/reference/commands.md, which a test compares with the file.
 */
type Entry = Readonly<Record<string, unknown>> & { readonly names: Words }

const ENTRIES = readTable<readonly Entry[]>('commands', 'commands')

/** Maps each program to its value of a field, given to all who read that field. O(entries), once per field. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller states what its own field holds
export function oneByProgram<T>(field: string): ReadonlyMap<string, T> {
  const found = new Map<string, T>()
  for (const entry of ENTRIES)
    if (entry[field] !== undefined)
      for (const name of wordsIn(entry.names)) found.set(name, entry[field] as T)
  return found
}

/** Maps each program to the rows of a field that is a list, over all of its entries. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller states what its own field holds
export function rowsByProgram<T>(field: string): ReadonlyMap<string, readonly T[]> {
  const found = new Map<string, readonly T[]>()
  for (const entry of ENTRIES)
    for (const name of entry[field] === undefined ? [] : wordsIn(entry.names))
      found.set(name, [...(found.get(name) ?? []), ...(entry[field] as readonly T[])])
  return found
}

/** What a program is, in one word of `is`. */
export type ProgramTrait =
  | 'platform'
  | 'package-manager'
  | 'ends-services'
  | 'prints'
  | 'runs-no-script'
  | 'changes-shell'
  | 'privileged'
  | 'asks-about-itself'

const TRAITS = rowsByProgram<string>('is')

/** Programs that are what a trait says. */
export const programsThat = (trait: ProgramTrait): ReadonlySet<string> =>
  new Set([...TRAITS].flatMap(([name, traits]) => (traits.includes(trait) ? [name] : [])))
