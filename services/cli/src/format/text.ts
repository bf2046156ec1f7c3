/**
 * `text` that is harmless to a terminal: shows control characters, escapes and characters that change the direction of writing as their
 * number. Names that agents choose reach the screens of operators.
 */
export function plainText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, shown)
}

/** Words that need no quotes in a shell. */
const PLAIN_WORD = /^[\w@%+=:,./-]+$/

/** `word` as a person types it in a shell. */
export const shellWord = (word: string): string =>
  PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

/** Why the system refused something, such as `EACCES: permission denied`, without the call and the path. */
export const failureText = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : String(cause)).replace(/, \w+( '.*)?$/s, '')

/** `plainText` of each line. */
export function plainLines(text: string): string {
  return text.split('\n').map(plainText).join('\n')
}

const shown = (character: string): string =>
  String.raw`\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}}`

/** `value` as one line of JSON, harmless to a terminal; a bigint as text. */
export function jsonLine(value: unknown): string {
  const text = JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'bigint' ? String(member) : member,
  )
  // In JSON these occur only in strings, where an escape means the same.
  return `${text.replaceAll(/[\u007f-\u009f\p{Cf}\u2028\u2029]/gu, inJson)}\n`
}

const inJson = (character: string): string =>
  character
    .split('')
    .map((unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

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

/** Milliseconds since 1970 as an instant in UTC. */
export const timeText = (ms: number): string => new Date(ms).toISOString()

/** How long ago `ms` was at `nowMs`, in its largest unit, such as `12 s` or `3 h`. */
export const ageText = (ms: number, nowMs: number): string => durationText(nowMs - ms)

/** Milliseconds in their largest unit; none where it is negative. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`
}

/** A share (0…1) in percent, such as `12.5%`. */
export const percent = (share: number): string => `${(share * 100).toFixed(1)}%`
