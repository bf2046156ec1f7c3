/** A Python token. The `text` of a string includes its quotes; `line` ends a line. */
export interface Token {
  readonly kind: 'word' | 'string' | 'sign' | 'line'
  readonly text: string
}

const WORD = /[A-Za-z_]\w*/y
const NUMBER = /\d[\w.]*/y

/** Splits a program into tokens; undefined if a string is not closed or a character is not Python. */
export function tokensOf(text: string): Token[] | undefined {
  const tokens: Token[] = []
  for (let i = 0; i < text.length;) {
    const letter = text.charAt(i)
    if (letter === ' ' || letter === '\t' || letter === '\r') i += 1
    else if (letter === '#') i = pastLine(text, i)
    else if (letter === '\n') {
      tokens.push({ kind: 'line', text: letter })
      i += 1
    } else if (letter === "'" || letter === '"') {
      const end = pastString(text, i)
      if (end < 0) return undefined
      tokens.push({ kind: 'string', text: text.slice(i, end) })
      i = end
    } else {
      const found = matchAt(WORD, text, i) ?? matchAt(NUMBER, text, i)
      if (found === undefined && /[^\x20-\x7e]|[?$`!]/.test(letter) && text.charAt(i + 1) !== '=')
        return undefined
      tokens.push({ kind: /^[A-Za-z_]/.test(found ?? '') ? 'word' : 'sign', text: found ?? letter })
      i += found?.length ?? 1
    }
  }
  return tokens
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

function pastLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

/** Index after the string that begins at `at`; -1 if it is not closed. */
function pastString(text: string, at: number): number {
  const quote = text.charAt(at)
  const isLong = text.startsWith(quote.repeat(3), at)
  const mark = isLong ? quote.repeat(3) : quote
  for (let i = at + mark.length; i < text.length; i += 1) {
    const letter = text.charAt(i)
    if (letter === '\\') i += 1
    else if (!isLong && letter === '\n') return -1
    else if (letter === quote && text.startsWith(mark, i)) return i + mark.length
  }
  return -1
}
