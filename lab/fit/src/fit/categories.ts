import { type CategoryModel, fitting } from '@plimsoll/labels'
import { countsOf, fitWords, fittedText, packModel, rowOf, vocabularyOf } from './word-model.js'
import { CATEGORIES } from './chain/fit.js'
import {
  type About,
  type Recording,
  createSuites,
  isHeldOutAbout,
  readRecordings,
} from '../corpus/recording.js'
import { TEST_FOLD } from '../corpus/trace.js'

const { categoryWords } = fitting

/** A task whose category is known. */
export interface CategorySample {
  readonly task: string
  /** Empty or without a kind: work of none of the categories, which the model separates from theirs. */
  readonly category: string
  /** Where it comes from: tasks of one origin and category are a kind of work. */
  readonly origin: string
}

export interface CategoryFitOptions {
  /** The categories that may be found. */
  readonly categories: readonly string[]
  readonly seed: number
  /** See THRESHOLD; for measuring others. */
  readonly threshold?: number
}

/** A word that fewer tasks have is none: it would tell single tasks apart. */
const TASKS_MIN = 3
/** A kind with fewer tasks is not modelled. */
const KIND_MIN = 20
/** Words kept: those with the largest weights. */
const WORDS_KEPT = 1_000
const STEPS = 127
/** By sessions of origins left out of the fit: below it, what is found in new kinds of work is wrong too often. */
const THRESHOLD = 0.8
const PASSES = 40

/** Fits a model: for each kind a logistic regression of it against all other tasks. The same samples and options give the same model. */
export function fitCategoryModel(
  samples: readonly CategorySample[],
  { categories, seed, threshold = THRESHOLD }: CategoryFitOptions,
): CategoryModel {
  const tasks = distinct(samples).map(({ task, ...rest }) => ({
    ...rest,
    hashes: categoryWords(task).map(({ hash }) => hash),
  }))
  const vocabulary = vocabularyOf(
    tasks.map(({ hashes }) => hashes),
    TASKS_MIN,
  )
  const rows = tasks.map(({ hashes, category, origin }) => ({
    text: fittedText(vocabulary, hashes),
    kind: kindOf(category, origin),
    category,
  }))
  const sizes = countsOf(rows.map(({ kind }) => kind))
  const kinds = [...sizes.keys()]
    .filter((kind) => (sizes.get(kind) ?? 0) >= KIND_MIN && categories.includes(categoryIn(kind)))
    .sort()
  const mean = rows.length / sizes.size
  const fitted = kinds.map((kind) => {
    // Kinds of many tasks count for more, but not in proportion.
    const learned = rows.map(({ text, ...row }) =>
      rowOf(text, row.kind === kind, Math.sqrt(mean / (sizes.get(row.kind) ?? 1))),
    )
    return fitWords(learned, vocabulary, { passes: PASSES, seed })
  })
  return packModel(
    vocabulary,
    fitted.map((each, k) => ({ ...each, category: categoryIn(kinds[k] ?? '') })),
    { kept: WORDS_KEPT, steps: STEPS, threshold },
  )
}

const kindOf = (category: string, origin: string): string => `${category}\n${origin}`
const categoryIn = (kind: string): string => kind.slice(0, kind.indexOf('\n'))

/** Each task once an origin. */
function distinct(samples: readonly CategorySample[]): CategorySample[] {
  const seen = new Map<string, CategorySample>()
  for (const sample of samples) seen.set(`${kindOf(sample.category, sample.origin)}\n${sample.task}`, sample)
  return [...seen.values()]
}

/** The tasks of some recordings, with the categories that they declare; each once an origin and category. */
export function categorySamples(recordings: Iterable<Pick<Recording, 'blind' | 'about'>>): CategorySample[] {
  const all = [...recordings]
  const isOneSuite = createSuites(all.map(({ about }) => about))
  const samples = new Map<string, CategorySample>()
  for (const { blind, about } of all) {
    const origin = isOneSuite(about.source) ? about.source : `${about.source}/${about.suite}`
    const { task, category } = blind
    samples.set(JSON.stringify([origin, category, task]), { task, category, origin })
  }
  // By text: the model must not depend on the order of the recordings.
  return [...samples].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sample]) => sample)
}

export const CATEGORY_SEED = 7

/** Whether a task is kept from the model that ships: by its session, and by the fold of the user's task whatever attack it met. */
export const isHeldOutTask = (about: About): boolean => isHeldOutAbout(about) || about.taskFold === TEST_FOLD

/**
 * The model of categories that ships: fitted to the tasks of the recorded sessions in `files` that no evaluation keeps for itself. The
 * same files give the same model.
 */
export async function fitShippedCategories(files: readonly string[]): Promise<CategoryModel> {
  return fitCategories(await keptRecordings(files))
}

type Tasked = Pick<Recording, 'blind' | 'about'>

/** Those that may be learned from, without their steps. */
export async function keptRecordings(files: readonly string[]): Promise<Tasked[]> {
  const kept: Tasked[] = []
  for await (const { blind, about } of readRecordings(files))
    if (!isHeldOutTask(about)) kept.push({ blind: { ...blind, steps: [] }, about })
  return kept
}

/** As the model that ships is fitted, to the tasks of any recordings. */
export const fitCategories = (recordings: Iterable<Tasked>): CategoryModel =>
  fitCategoryModel(categorySamples(recordings), { categories: CATEGORIES, seed: CATEGORY_SEED })
