/** A figure to three places without its leading 0; a dash where there is none. */
export function figureOf(value: number, places = 3): string {
  if (Number.isNaN(value)) return '–'
  return value.toFixed(places).replace(/^(-?)0\./, '$1.')
}

/** A share with its interval, in percent; a dash where there is none. */
export function shareText(share: { rate: number; low: number; high: number } | undefined): string {
  if (!share || Number.isNaN(share.rate)) return '–'
  const [rate, low, high] = [share.rate, share.low, share.high].map((part) => (100 * part).toFixed(1))
  return `${rate}% [${low}, ${high}]`
}
