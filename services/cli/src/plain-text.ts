/**
 * `text` without the power to do anything to a terminal: control characters, among them the escape that begins a terminal's commands,
 * and those that turn the direction of writing are shown as their number. What agents name things reaches the screens of operators.
 */
export function plainText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, shown)
}

/** As `plainText`, of several lines, which stay lines. */
export function plainLines(text: string): string {
  return text.split('\n').map(plainText).join('\n')
}

const shown = (character: string): string =>
  String.raw`\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}}`

/** `value` as one line of JSON, which no terminal obeys either; a bigint as text. */
export function jsonLine(value: unknown): string {
  const text = JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'bigint' ? String(member) : member,
  )
  // Within JSON these stand in strings alone, where an escape means the same.
  return `${text.replaceAll(/[\u007f-\u009f\p{Cf}\u2028\u2029]/gu, inJson)}\n`
}

const inJson = (character: string): string =>
  character
    .split('')
    .map((unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
