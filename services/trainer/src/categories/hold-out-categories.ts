import { fitCategoryModel, readCategory, type CategorySample } from '@plimsoll/labels'
import { groupedBy } from '../evaluation/grouped.js'
import { CATEGORIES } from '../fit/fit.js'
import { categorySamples } from './category-samples.js'
import { CATEGORY_SEED, keptRecordings } from './fit-shipped-categories.js'

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
