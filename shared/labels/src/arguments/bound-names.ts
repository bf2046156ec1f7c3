import type { Token } from './python-tokens.js'
import { readSet } from '../text/data.js'

/** Python's keywords, and built-in functions that only compute, print or read their arguments. */
const KNOWN = readSet('code', 'pythonNames')
const PREFIX = /^(?:[rbu]|f|rf|fr|rb|br)$/i

/**
 * Whether every name in a program is built in or bound by an earlier statement. Any other name was left by an earlier program in the same
 * interpreter and may be anything, such as a network module under another name. Branches are not followed.
 */
export function areNamesBound(tokens: readonly Token[]): boolean {
  const bound = new Set<string>()
  for (const statement of statementsOf(tokens)) {
    for (const name of namesWithin(statement)) bound.add(name)
    const made = new Set(namesAfter(statement))
    if (!areUsesBound(statement, bound, made)) return false
    for (const name of made) bound.add(name)
  }
  return true
}

/** Splits at line ends, semicolons and colons outside brackets. */
function statementsOf(tokens: readonly Token[]): Token[][] {
  const statements: Token[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    if (token.kind === 'sign') depth += depthOf(token.text)
    const isEnd = depth <= 0 && (token.kind === 'line' || token.text === ';' || token.text === ':')
    if (isEnd) statements.push([])
    else if (token.kind !== 'line') statements.at(-1)?.push(token)
  }
  return statements
}

const depthOf = (sign: string): number => ('([{'.includes(sign) ? 1 : ')]}'.includes(sign) ? -1 : 0)

/** Names bound by loops, comprehensions and lambdas; known only within them. */
function namesWithin(statement: readonly Token[]): string[] {
  const names: string[] = []
  let until: string | undefined
  for (const [i, { kind, text }] of statement.entries()) {
    if (kind === 'word' && (text === 'for' || text === 'lambda')) until = text === 'for' ? 'in' : ':'
    else if (text === until) until = undefined
    else if (until !== undefined && kind === 'word' && isMade(statement[i - 1]?.text)) names.push(text)
    if (text === ':' && statement[i + 1]?.text === '=') names.push(statement[i - 1]?.text ?? '')
  }
  return names
}

const isMade = (before = ''): boolean => ['for', 'lambda', ',', '(', '*'].includes(before)

/** Names that a statement binds for later ones: imports, assignments, definitions and their parameters, `as`. */
function namesAfter(statement: readonly Token[]): string[] {
  const first = statement[0]?.text ?? ''
  const words = statement.filter(({ kind }) => kind === 'word')
  if (first === 'import' || first === 'from') return words.map(({ text }) => text)
  const names: string[] = []
  const assigned = lastAssignment(statement)
  const isFunction = statement.slice(0, 2).some(({ text }) => text === 'def')
  // A single word before a colon is a field with its type.
  if (statement.length === 1 && statement[0]?.kind === 'word') names.push(first)
  for (const [i, { kind, text }] of statement.entries()) {
    const [before, next] = [statement[i - 1]?.text ?? '', statement[i + 1]?.text ?? '']
    if (kind !== 'word' || before === '.') continue
    const isAssigned = i < assigned && !'.[('.includes(next || ' ')
    const isParameter = isFunction && ['(', ',', '*'].includes(before)
    if (isAssigned || isParameter || ['as', 'def', 'class'].includes(before)) names.push(text)
  }
  return names
}

/** Index of the last assigning `=`; -1 if there is none. */
function lastAssignment(statement: readonly Token[]): number {
  let depth = 0
  let found = -1
  for (const [i, { kind, text }] of statement.entries()) {
    if (kind !== 'sign') continue
    depth += depthOf(text)
    if (depth > 0 || text !== '=') continue
    const beside = `${statement[i - 1]?.text ?? ''} ${statement[i + 1]?.text ?? ''}`
    if (!/^[=!<>+\-*/%&|^@:~] | =$/.test(beside)) found = i
  }
  return found
}

function areUsesBound(
  statement: readonly Token[],
  bound: ReadonlySet<string>,
  made: ReadonlySet<string>,
): boolean {
  const first = statement[0]?.text
  if (first === 'import' || first === 'from') return true
  const isKnown = (name: string): boolean => KNOWN.has(name) || bound.has(name)
  const seen = new Set<string>()
  return statement.every(({ kind, text }, i) => {
    const [before, next] = [statement[i - 1]?.text ?? '', statement[i + 1]]
    const isFirst = !seen.has(text)
    seen.add(text)
    if (kind === 'string') return !/^\w*f/i.test(before) || !PREFIX.test(before) || isTextBound(text, isKnown)
    if (kind !== 'word' || before === '.' || isKnown(text)) return true
    if (PREFIX.test(text) && next?.kind === 'string') return true
    // Skips keyword arguments and names that the statement itself binds.
    if (next?.text === '=' && statement[i + 2]?.text !== '=' && (before === '(' || before === ','))
      return true
    return made.has(text) && isFirst
  })
}

/** Names in the braces of an f-string. */
function isTextBound(text: string, isKnown: (name: string) => boolean): boolean {
  const shown = text.replaceAll('{{', '').replaceAll('}}', '')
  return [...shown.matchAll(/\{([^{}]*)/g)].every(([, code = '']) =>
    [...code.replace(/[!:][^'"]*$/, '').matchAll(/(?<![\w.'"])[A-Za-z_]\w*(?!['"])/g)].every(([name]) =>
      isKnown(name),
    ),
  )
}
