import { escaped } from './svg.js'

export type Cell = string | number

/** Rows as a table, the first as its head; numbers to the right. */
export function htmlTable([head = [], ...rows]: readonly (readonly Cell[])[]): string {
  const cell = (tag: 'td' | 'th', value: Cell): string =>
    typeof value === 'number'
      ? `<${tag} class="n">${numberText(value)}</${tag}>`
      : `<${tag}>${escaped(value)}</${tag}>`
  const row = (tag: 'td' | 'th', values: readonly Cell[]): string =>
    `<tr>${values.map((value) => cell(tag, value)).join('')}</tr>`
  return `<div class="wide"><table>${row('th', head)}${rows.map((values) => row('td', values)).join('')}</table></div>`
}

/** Shares to three places, larger figures to one, counts as they are. */
function numberText(value: number): string {
  if (Number.isNaN(value)) return '–'
  if (Number.isInteger(value)) return String(value)
  return value.toFixed(Math.abs(value) < 10 ? 3 : 1)
}
