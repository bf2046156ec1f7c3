import { fitCategoryModel, type CategoryModel } from '@plimsoll/labels'
import { CATEGORIES } from '../fit/fit.js'
import { TEST_FOLD } from '../traces/held-out.js'
import { isHeldOutAbout, readRecordings, type About, type Recording } from '../traces/recording.js'
import { categorySamples } from './category-samples.js'

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
