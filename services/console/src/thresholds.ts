import type { Thresholds } from './api.js'
import type { FindDocument } from './controls/policies.js'

/** The thresholds of the bundle's chain for a category; undefined where it is neither registered nor the console's own. */
export function thresholdsOf(
  findDocument: FindDocument,
  version: string | undefined,
  category: string | undefined,
): Thresholds | undefined {
  const found = version === undefined ? undefined : findDocument(version)
  if (found?.kind !== 'bundle') return undefined
  const { categories, aggregate } = found.document
  const own = category !== undefined && Object.hasOwn(categories, category) ? categories[category] : undefined
  const { forward, hazard } = (own ?? aggregate).thresholds
  return { forward, hazard }
}
