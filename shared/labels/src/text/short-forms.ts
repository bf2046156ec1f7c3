import { readTable, wordsIn } from './data.js'

const SHORT_FORMS = new Map(
  Object.entries(readTable<Readonly<Record<string, string>>>('acts', 'shortForms')).map(
    ([short, words]) => [short, wordsIn(words)] as const,
  ),
)

/** Longest short form, in letters. */
export const SHORT_FORM_MAX = 10

/** What short words in names and tasks stand for: `shop-pg13` is of Postgres, the `dev db` a database. */
export const meaningsOf = (word: string): readonly string[] => SHORT_FORMS.get(word.toLowerCase()) ?? NONE
const NONE: readonly string[] = []
