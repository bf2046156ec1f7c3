import { plainText } from './plain-text.js'

/** Rows as aligned lines: the first column to the left, the others (figures) to the right. */
export function textTable(rows: readonly (readonly (string | number)[])[]): string {
  const texts = rows.map((row) => row.map(String))
  const widths = (texts[0] ?? []).map((_, column) =>
    Math.max(...texts.map((row) => row[column]?.length ?? 0)),
  )
  const lines = texts.map((row) =>
    row
      .map((text, column) =>
        column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0),
      )
      .join('  '),
  )
  return `${lines.join('\n')}\n`
}

/** Rows as aligned lines, every column to the left, each cell harmless to a terminal. */
export function leftTable(rows: readonly (readonly (string | number)[])[], indent = ''): string {
  const texts = rows.map((row) => row.map((cell) => plainText(String(cell))))
  const widths: number[] = []
  for (const row of texts)
    for (const [column, { length }] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, length)
  const lines = texts.map((row) => row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  '))
  return lines.map((line) => `${indent}${line.trimEnd()}\n`).join('')
}
