/** An amount at which the signal is 1: a thousand million of whatever it is counted in. */
const DIGITS_MAX = 9
/** Characters of an amount's text. */
const TEXT_MAX = 64

/**
 * An amount on a logarithmic scale of 0…1, so that 10, 1,000 and 1,000,000 tell apart; undefined where it is none.
 *
 * @example amountSignal('$1,200.50') // 0.342
 */
export function amountSignal(value: unknown): number | undefined {
  const amount = typeof value === 'string' ? parseAmount(value) : value
  if (typeof amount === 'bigint') return amountSignal(Number(amount))
  if (typeof amount !== 'number' || Number.isNaN(amount)) return undefined
  return Math.min(1, Math.round((Math.log10(1 + Math.abs(amount)) / DIGITS_MAX) * 1000) / 1000)
}

/** Thousands are parted by `,`, `'`, `_` or blanks, decimals by `.`, or by `,` where one or two digits follow the last of them. */
function parseAmount(text: string): number | undefined {
  if (text.length > TEXT_MAX) return undefined
  const bare = text.replaceAll(/[^0-9.,eE+-]/g, '')
  const comma = bare.lastIndexOf(',')
  const decimal = comma > bare.lastIndexOf('.') && bare.length - comma <= 3
  const plain = decimal ? bare.replaceAll('.', '').replace(',', '.') : bare.replaceAll(',', '')
  const amount = Number(plain)
  return plain === '' || Number.isNaN(amount) ? undefined : amount
}
