/** Figures as text, and tables of them. */

/** `.985`; a dash where there is none. */
export const figure = (value, places = 3) =>
  typeof value === 'number' && !Number.isNaN(value) ? value.toFixed(places).replace(/^(-?)0\./, '$1.') : '–'

/** `98.5%`. */
export const percent = (value) =>
  typeof value === 'number' && !Number.isNaN(value) ? `${(100 * value).toFixed(1)}%` : '–'

/** `98.5% [97.0, 99.1]`, of `{ rate, low, high }`. */
export const share = (value) =>
  value && typeof value.rate === 'number' && !Number.isNaN(value.rate)
    ? `${percent(value.rate)} [${(100 * value.low).toFixed(1)}, ${(100 * value.high).toFixed(1)}]`
    : '–'

/** `.985 [.970, .991]`, of `{ value, low, high }`. */
export const interval = (of, places = 3) =>
  of && typeof of.value === 'number'
    ? `${figure(of.value, places)} [${figure(of.low, places)}, ${figure(of.high, places)}]`
    : '–'

export const count = (value) => value.toLocaleString('en-US')

/** A table; rows without cells are left out, and so is a table without rows. */
export const table = ([head, ...rows]) =>
  rows.length === 0
    ? ''
    : [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')

/** Paragraphs and tables of a section, one below the other. */
export const joined = (parts) => parts.filter((each) => each !== '' && each !== undefined).join('\n\n')

/** Distinct names, in order. */
export const namesOf = (names) => [...new Set(names)].sort((a, b) => (a < b ? -1 : 1))
