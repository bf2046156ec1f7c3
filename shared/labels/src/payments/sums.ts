import type { Amount, MoneyText } from './amounts.js'

/** As much as a text or a step moves, in one currency. */
export interface Sum {
  /** On a logarithmic scale: `LEVELS_PER_TENFOLD` a tenfold. */
  readonly level: number
  readonly currency: string | undefined
}

export const LEVELS_PER_TENFOLD = 32
/** The level of an amount that nothing bounds. */
export const LEVEL_MAX = 1_023
/** A thousandth of a unit has level 0. */
const ZERO_AT = 3
/** Sums of one text: one for each currency. */
const SUMS_MAX = 3

/** The level of an amount of money. */
export const levelOf = (value: number): number =>
  Math.min(LEVEL_MAX, Math.max(0, Math.round(LEVELS_PER_TENFOLD * (Math.log10(value) + ZERO_AT))))

/** A smaller number in a task is a time or a count. */
const POSSIBLE_MIN = 10

/**
 * As much as a text may be understood to name, for each currency: its total, or if none is one the sum of its amounts; as many times as it
 * says where an amount is one of several. Other numbers that may be amounts bound it from below. A currency named without an amount is one into which others may be converted: nothing bounds it.
 *
 * @param isTask whether a user wrote the text: a number in it that may be an amount bounds nothing
 */
export function sumsOf(
  { amounts, currencies, counts, possible, isEach, isPrice }: MoneyText,
  isTask = false,
): Sum[] {
  if (amounts.length === 0)
    return isTask && possible.some((value) => value >= POSSIBLE_MIN)
      ? [{ level: LEVEL_MAX, currency: undefined }]
      : []
  const byCurrency = new Map<string | undefined, MoneyText['amounts'][number][]>()
  // An amount without one is of the only currency that is named.
  const [only] = currencies.size === 1 ? currencies : []
  for (const amount of amounts) {
    const currency = amount.currency ?? only
    byCurrency.set(currency, [...(byCurrency.get(currency) ?? []), amount])
  }
  const sums: Sum[] = []
  for (const [currency, same] of byCurrency) {
    const { value, isTotal } = totalOf(same)
    const times = !isTotal && (isEach || isPrice) ? Math.max(...counts, isEach ? 0 : 1) : 1
    const most = Math.max(value * times, ...possible)
    sums.push({ level: times === 0 ? LEVEL_MAX : levelOf(most), currency })
  }
  for (const currency of currencies) if (!byCurrency.has(currency)) sums.push({ level: LEVEL_MAX, currency })
  return sums.length > SUMS_MAX
    ? [{ level: Math.max(...sums.map(({ level }) => level)), currency: undefined }]
    : sums
}

/** The total: said to be one, or at least half of what the others are together. */
function totalOf(amounts: readonly (Amount & { readonly isTotal: boolean })[]): {
  value: number
  isTotal: boolean
} {
  const values = amounts.map(({ value }) => value)
  const [max, sum] = [Math.max(...values), values.reduce((all, value) => all + value, 0)]
  const totals = amounts.filter(({ isTotal }) => isTotal).map(({ value }) => value)
  if (totals.length > 0) return { value: Math.max(max, ...totals), isTotal: true }
  return amounts.length > 2 && max >= (sum - max) / 2
    ? { value: max, isTotal: true }
    : { value: sum, isTotal: false }
}
