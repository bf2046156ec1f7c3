import { existsSync } from 'node:fs'
import { type SignalName, isSignalName } from '@plimsoll/contracts'
import { readJsonFile } from './json-file.js'

/** Words separated by spaces; a long list has several lines. */
export type Words = string | readonly string[]

type Tables = Readonly<Record<string, unknown>>

const files = new Map<string, Tables>()

/**
 * Returns a table of `data/FILE.json`. Each file is read once.
 *
 * @throws Error if the file has no such table
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller states what its own data file holds
export function readTable<T>(file: string, name: string): T {
  const tables = files.get(file) ?? tablesOf(file)
  files.set(file, tables)
  if (!Object.hasOwn(tables, name)) throw new Error(`data/${file}.json has no table \`${name}\``)
  return tables[name] as T
}

/** A published package has all tables in one zipped file, `tables.json.br`: together they are smaller. */
function tablesOf(file: string): Tables {
  const own = dataFile(file)
  if (existsSync(own)) return readJsonFile(own) as Tables
  packed ??= readJsonFile(dataFile('tables')) as Readonly<Record<string, Tables>>
  return packed[file] ?? {}
}
let packed: Readonly<Record<string, Tables>> | undefined
const dataFile = (name: string): URL => new URL(`../../data/${name}.json`, import.meta.url)

/** The members of a table that are named after signals. Throws for any other name: nobody would read it. */
export function signalsIn(table: object): readonly SignalName[] {
  return Object.keys(table).map((name) => {
    if (!isSignalName(name)) throw new Error(`\`${name}\` in a table of data is no signal`)
    return name
  })
}

export const wordsIn = (words: Words): string[] => [words].flat().join(' ').split(/\s+/)

/** Reads a table that is a list of words. */
export const readSet = (file: string, name: string): ReadonlySet<string> =>
  new Set(wordsIn(readTable<Words>(file, name)))

/** Maps each word to its value; later rows win. */
export const byWord = <T>(rows: Iterable<readonly [Words, T]>): ReadonlyMap<string, T> =>
  new Map([...rows].flatMap(([words, value]) => wordsIn(words).map((word) => [word, value] as const)))

/** Reads a table of word lists by value; maps each word to its value. */
export const readByWord = <T extends string>(file: string, name: string): ReadonlyMap<string, T> =>
  byWord(
    Object.entries(readTable<Readonly<Record<T, Words>>>(file, name)).map(([value, words]) => [
      words as Words,
      value as T,
    ]),
  )

/** The same where a word may stand in several lists: maps each word to all of its values. */
export function readByWords(file: string, name: string): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>()
  for (const [value, words] of Object.entries(readTable<Readonly<Record<string, Words>>>(file, name)))
    for (const word of wordsIn(words)) values.set(word, [...(values.get(word) ?? []), value])
  return values
}

/** Parses a regular expression that a data file holds as `/source/flags`. */
export function patternOf(text: string): RegExp {
  const end = text.lastIndexOf('/')
  return new RegExp(text.slice(1, end), text.slice(end + 1))
}

/** A long pattern of `data/patterns.json`, by the file that uses it and its name there. */
export const longPattern = (name: string): RegExp => patternOf(readTable<string>('patterns', name))
