import { readJsonFile } from '../text/json-file.js'
import { type WordModel, parseWordModel } from '../text/word-model.js'

/** A fitted model of task categories: its kinds are kinds of work. Several may have one category. */
export type CategoryModel = WordModel

/**
 * Parses a model from JSON.
 *
 * @throws PlimsollError `document_invalid` for content that this version cannot use
 */
export const parseCategoryModel = (content: unknown): CategoryModel =>
  parseWordModel(content, 'category model')

/** Location of the shipped model. */
export const SHIPPED_CATEGORY_MODEL = new URL('../../models/categories.json', import.meta.url)

let shipped: CategoryModel | undefined

/** The shipped model, read once. */
export function shippedCategoryModel(): CategoryModel {
  shipped ??= parseCategoryModel(readJsonFile(SHIPPED_CATEGORY_MODEL))
  return shipped
}
