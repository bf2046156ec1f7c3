import { longPattern } from '../../../text/data.js'

/** One command of a text of PowerShell or cmd. */
export interface Statement {
  readonly words: readonly string[]
  /** Whether output of the command before it is its input. */
  readonly isFed: boolean
  /** The files that its output goes to, and whether each is replaced. */
  readonly targets: readonly { readonly path: string; readonly isWhole: boolean }[]
  /** A value of a variable that it sets: `$env:A = 'b'`. */
  readonly sets: string | undefined
}

/** Statements and words of one text that are read. */
const STATEMENTS_MAX = 128
const WORDS_MAX = 512
/** Files that output goes to: each is held against the whole text. */
const TARGETS_MAX = 16

/** What ends a statement; braces and brackets hold others. */
const ENDS = ';\n|&{}()'

/**
 * Splits a text of PowerShell or cmd into its commands with their words, without quotes. Blocks and brackets are commands of their own. Undefined if
 * it has more than is read. Linear.
 *
 * @example statementsOf("Get-Content a.txt | Out-File 'b c.txt'")?.[1]?.words // ['Out-File', 'b c.txt']
 */
export function statementsOf(text: string, dialect: 'powershell' | 'cmd'): readonly Statement[] | undefined {
  const statements: Statement[] = []
  let words: string[] = []
  let targets: { path: string; isWhole: boolean }[] = []
  let sets: string | undefined
  let redirect: boolean | undefined
  let isFed = false
  let [count, files] = [0, 0]
  const quotes = dialect === 'cmd' ? '"' : '"\''
  const escape = dialect === 'cmd' ? '^' : '`'

  const end = (feeds: boolean): void => {
    if (words.length > 0 || targets.length > 0) statements.push({ words, isFed, targets, sets })
    words = []
    targets = []
    sets = undefined
    redirect = undefined
    isFed = feeds
  }
  const push = (word: string): void => {
    count += 1
    if (redirect !== undefined) {
      if (!/^(?:\$null|nul|&\d|\d)$/i.test(word)) {
        targets.push({ path: word, isWhole: redirect })
        files += 1
      }
      redirect = undefined
    } else if (words.length === 1 && /^\$[\w:{}]{1,80}$/.test(words[0] ?? '') && /^[+]?=$/.test(word)) {
      sets = words[0]
      words = []
    } else words.push(word)
  }

  for (let i = 0; i < text.length;) {
    if (statements.length > STATEMENTS_MAX || count > WORDS_MAX || files > TARGETS_MAX) return undefined
    const letter = text.charAt(i)
    if (letter === ' ' || letter === '\t' || letter === '\r') i += 1
    else if (letter === '#' && dialect === 'powershell') i = pastLine(text, i)
    else if (letter === escape && text.charAt(i + 1) === '\n') i += 2
    else if (letter === '>') {
      const isAppended = text.charAt(i + 1) === '>'
      redirect = !isAppended
      i += isAppended ? 2 : 1
    } else if (/[\d*]/.test(letter) && text.charAt(i + 1) === '>') i += 1
    else if (letter === '&' && dialect === 'powershell' && text.charAt(i + 1) !== '&') {
      // The call operator; at the end of a command it sends it to the background.
      if (words.length > 0) end(false)
      i += 1
    } else if (ENDS.includes(letter)) {
      const isDouble = text.charAt(i + 1) === letter
      // What stands in brackets or a block is fed what the command around it is.
      end(
        letter === '|' && !isDouble
          ? true
          : letter === '{' || letter === '('
            ? isFed || words.length > 0
            : false,
      )
      i += isDouble && (letter === '|' || letter === '&') ? 2 : 1
    } else {
      const { word, next } = wordAt(text, i, quotes, escape)
      if (word !== undefined) push(word)
      i = next
    }
  }
  end(false)
  return statements
}

const pastLine = (text: string, at: number): number => {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

/** The word that begins at `at`, without its quotes, and the index after it. */
function wordAt(
  text: string,
  at: number,
  quotes: string,
  escape: string,
): { word: string | undefined; next: number } {
  let word = ''
  let i = at
  while (i < text.length) {
    const letter = text.charAt(i)
    if (/\s/.test(letter) || ';|&{}()>'.includes(letter)) {
      // A method or a static member takes its arguments in brackets: `[IO.File]::Delete('a')`.
      if (letter !== '(' || !/(?:::|\.)\w{1,64}$/.test(word)) break
      const end = pastBracket(text, i, quotes)
      word += text.slice(i, end)
      i = end
    } else if (letter === escape && i + 1 < text.length) {
      word += text.charAt(i + 1)
      i += 2
    } else if (quotes.includes(letter)) {
      const end = pastQuote(text, i)
      word += text.slice(i + 1, end - 1).replaceAll(letter + letter, letter)
      i = end
    } else {
      word += letter
      i += 1
    }
  }
  return { word: i > at ? word : undefined, next: Math.max(i, at + 1) }
}

/** Index after the quotation that begins at `at`; a doubled mark stands for itself. */
function pastQuote(text: string, at: number): number {
  const mark = text.charAt(at)
  for (let i = at + 1; i < text.length; i += 1) {
    if (text.charAt(i) === '`' && mark === '"') i += 1
    else if (text.charAt(i) === mark) {
      if (text.charAt(i + 1) !== mark) return i + 1
      i += 1
    }
  }
  return text.length + 1
}

function pastBracket(text: string, at: number, quotes: string): number {
  let depth = 0
  for (let i = at; i < text.length; i += 1) {
    const letter = text.charAt(i)
    if (quotes.includes(letter)) i = pastQuote(text, i) - 1
    else if (letter === '(') depth += 1
    else if (letter === ')' && (depth -= 1) === 0) return i + 1
  }
  return text.length
}

/** Whether a text is one of PowerShell, by a command that begins with a verb of it: `Get-ChildItem C:\data | ForEach-Object { … }`. Linear. */
export const isPowershell = (text: string): boolean =>
  text.length <= TEXT_MAX && text.includes('-') && CMDLETS.test(text)
const TEXT_MAX = 16_384
const CMDLETS = longPattern('powershell-words.CMDLETS')
