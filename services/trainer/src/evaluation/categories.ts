import { seededRandom } from '@plimsoll/chains'
import { foundCategory } from '@plimsoll/engine'
import { findCategory } from '@plimsoll/labels'
import { fitCategories } from '../categories/fit-shipped-categories.js'
import { CATEGORIES } from '../fit/fit.js'
import type { Corpus } from './corpus.js'

/** Under which category each session is scored; what that takes is fitted to the training sessions. */
export type CategoryRule = (training: readonly number[]) => (session: number) => string

/** A rule, as a row of a report calls it. */
export interface NamedRule {
  readonly name: string
  readonly rule: CategoryRule
}

/** What the caller says. */
export const declaredCategories =
  ({ recordings }: Corpus): CategoryRule =>
  () =>
  (n) =>
    recordings[n]?.blind.category ?? ''

/** Nobody says: the aggregate is read. */
export const noCategories: CategoryRule = () => () => ''

/** What is found in the task's text by a model that is fitted to the training sessions' tasks; nothing, where nothing is found. */
export const foundCategories =
  ({ recordings }: Corpus): CategoryRule =>
  (training) => {
    const model = fitCategories(training.flatMap((n) => recordings[n] ?? []))
    return (n) => {
      const found = findCategory(recordings[n]?.blind.task ?? '', model)
      return found ? foundCategory(found.category) : ''
    }
  }

const SEED = 7

/**
 * A share of the sessions, 0…1, goes by the chain and the thresholds of another category, each of the others as often; the rest as
 * declared. What is wrong in a small share is wrong in a larger one, too.
 */
export function wrongCategories(corpus: Corpus, share: number, seed = SEED): CategoryRule {
  const random = seededRandom(seed)
  const assigned = corpus.recordings.map(({ blind: { category } }) => {
    const isWrong = random() < share
    const others = CATEGORIES.filter((other) => other !== category)
    const other = others[Math.floor(random() * others.length)]
    return isWrong && other !== undefined ? other : category
  })
  return () => (n) => assigned[n] ?? ''
}

/** What a wrong category costs: rows from every session taken for what it is to none taken for anything. */
export const categoryRows = (corpus: Corpus, wrong: readonly number[]): readonly NamedRule[] => [
  { name: 'flow: declared', rule: declaredCategories(corpus) },
  ...wrong.map((share) => ({
    name: `flow: ${Number((100 * share).toFixed(1))}% wrong`,
    rule: wrongCategories(corpus, share),
  })),
  { name: 'flow: found', rule: foundCategories(corpus) },
  { name: 'flow: aggregate', rule: noCategories },
]
