import { seededRandom } from '@plimsoll/chains'

const SEED = 11

/** Items in an order that chance has made, the same each time. */
export function inChanceOrder<T>(items: readonly T[]): T[] {
  const random = seededRandom(SEED)
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
