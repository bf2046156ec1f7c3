import type { Bundle } from '@plimsoll/contracts'
import type { Thresholds } from './api.js'

/** Finds a bundle by its version; undefined where it is neither registered nor shipped. */
export type FindBundle = (version: string) => Bundle | undefined

/** The thresholds of the bundle's chain for a category. */
export function thresholdsOf(
  findBundle: FindBundle,
  version: string | undefined,
  category: string | undefined,
): Thresholds | undefined {
  const bundle = version === undefined ? undefined : findBundle(version)
  if (!bundle) return undefined
  const { categories, aggregate } = bundle
  const own = category !== undefined && Object.hasOwn(categories, category) ? categories[category] : undefined
  const { forward, hazard } = (own ?? aggregate).thresholds
  return { forward, hazard }
}
