import { type CategoryModel, readCategory } from '@plimsoll/labels'
import { groupedBy } from '../evaluation/alarms.js'
import { CATEGORIES } from '../fit/fit.js'
import {
  type About,
  type Recording,
  createSuites,
  isHeldOutAbout,
  readRecordings,
} from '../traces/recording.js'
import { TEST_FOLD } from '../traces/trace.js'
import { type CategorySample, fitCategoryModel } from './fit.js'

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
  // By text: the order in which sessions were recorded is none of the model's business.
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

const FOLDS = 5

/** The tasks that may be learned from, and ways to part them: into folds, kinds of work, sources. */
export async function categoryHoldOuts(files: readonly string[]) {
  const samples = categorySamples(await keptRecordings(files))
  return {
    samples,
    parts: {
      'unseen tasks': blocksOf(samples),
      'unseen suites': ({ origin }: CategorySample) => origin,
      'unseen sources': ({ origin }: CategorySample) => origin.split('/')[0] ?? '',
    },
  }
}

/** Within each kind of work stretches of the tasks in their order: of those that begin alike most are in one. */
function blocksOf(samples: readonly CategorySample[]): (sample: CategorySample, n: number) => string {
  const kinds = groupedBy([...samples.keys()], (n) => `${samples[n]?.origin}\n${samples[n]?.category}`)
  const blocks = new Map<number, string>()
  for (const members of kinds.values())
    for (const [at, n] of members.entries()) blocks.set(n, `${Math.floor((FOLDS * at) / members.length)}`)
  return (_, n) => blocks.get(n) ?? ''
}

/** What models that know nothing of some tasks make of them. */
export interface CategoryFigures {
  readonly held: string
  readonly tasks: number
  /** Tasks of which a category is said. */
  readonly found: number
  /** Of these, those of another category, or of none. */
  readonly wrong: number
}

/**
 * Holds out the tasks of one part after the other, fits to the rest and looks at what is found in them: by origin, the mean over
 * which is what a new kind of work may expect. `partOf` parts the samples: into folds, origins or sources.
 */
export function holdOutCategories(
  samples: readonly CategorySample[],
  partOf: (sample: CategorySample, n: number) => string,
): CategoryFigures[] {
  const parts = samples.map(partOf)
  const figures = new Map<string, { tasks: number; found: number; wrong: number }>()
  for (const part of [...new Set(parts)].sort()) {
    const known = samples.filter((_, n) => parts[n] !== part)
    const model = fitCategoryModel(known, { categories: CATEGORIES, seed: CATEGORY_SEED })
    for (const [n, { task, category, origin }] of samples.entries()) {
      if (parts[n] !== part) continue
      const own = figures.get(origin) ?? { tasks: 0, found: 0, wrong: 0 }
      figures.set(origin, own)
      const { found } = readCategory(task, model)
      own.tasks++
      if (found) own.found++
      if (found && found.category !== category) own.wrong++
    }
  }
  return [...figures].sort(([a], [b]) => (a < b ? -1 : 1)).map(([held, own]) => ({ held, ...own }))
}
