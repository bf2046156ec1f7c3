import { readFileSync } from 'node:fs'

/** Words with spaces between them; a long list is split over several lines. */
export type Words = string | readonly string[]

type Tables = Readonly<Record<string, unknown>>

const files = new Map<string, Tables>()

/**
 * A table of `data/FILE.json`. Each file is read once, when the first module that uses it loads.
 *
 * @throws Error where the file has no such table
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller states what its own data file holds
export function readTable<T>(file: string, name: string): T {
  const tables =
    files.get(file) ??
    (JSON.parse(readFileSync(new URL(`../../data/${file}.json`, import.meta.url), 'utf8')) as Tables)
  files.set(file, tables)
  if (!Object.hasOwn(tables, name)) throw new Error(`data/${file}.json has no table \`${name}\``)
  return tables[name] as T
}

export const wordsIn = (words: Words): string[] => [words].flat().join(' ').split(/\s+/)

/** A table that is a list of words. */
export const readSet = (file: string, name: string): ReadonlySet<string> =>
  new Set(wordsIn(readTable<Words>(file, name)))

/** Values by word; the last row that has a word wins. */
export const byWord = <T>(rows: Iterable<readonly [Words, T]>): ReadonlyMap<string, T> =>
  new Map([...rows].flatMap(([words, value]) => wordsIn(words).map((word) => [word, value] as const)))

/** A table of lists of words by value: the value of each word. */
export const readByWord = <T extends string>(file: string, name: string): ReadonlyMap<string, T> =>
  byWord(
    Object.entries(readTable<Readonly<Record<T, Words>>>(file, name)).map(([value, words]) => [
      words as Words,
      value as T,
    ]),
  )

/** A regular expression that a data file has as `/source/flags`. */
export function patternOf(text: string): RegExp {
  const end = text.lastIndexOf('/')
  return new RegExp(text.slice(1, end), text.slice(end + 1))
}
