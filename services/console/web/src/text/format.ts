/** A probability (0…1) as a percentage that never rounds to a certainty. */
export function percent(share: number): string {
  const hundred = share * 100
  if (hundred > 0 && hundred < 0.1) return '<0.1%'
  if (hundred < 100 && hundred > 99.9) return '>99.9%'
  const isFine = (hundred > 0 && hundred < 10) || (hundred >= 99 && hundred < 100)
  return `${hundred.toFixed(isFine ? 1 : 0)}%`
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Milliseconds in their largest unit: `12 s`, `3 min`; 0 s where it is negative. */
export function duration(ms: number): string {
  if (ms < 2 * MINUTE) return `${Math.max(0, Math.round(ms / SECOND))} s`
  if (ms < 2 * HOUR) return `${Math.floor(ms / MINUTE)} min`
  return ms < 2 * DAY ? `${Math.floor(ms / HOUR)} h` : `${Math.floor(ms / DAY)} d`
}

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })
/** The local time of day of milliseconds since 1970. */
export const timeOfDay = (ms: number): string => clock.format(ms)

const moments = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
/** The local date and time of milliseconds since 1970. */
export const momentOf = (ms: number): string => moments.format(ms)

/** A time for `<time datetime>`. */
export const isoTime = (ms: number): string => new Date(ms).toISOString()

const numbers = new Intl.NumberFormat('en')
export const count = (value: number): string => numbers.format(value)

/** `1 step`, `2 steps`. */
export const counted = (value: number, noun: string): string =>
  `${count(value)} ${noun}${value === 1 ? '' : 's'}`
