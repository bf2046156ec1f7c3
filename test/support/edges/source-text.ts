const literalOrComment =
  /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g

const isComment = (token: string) => token.startsWith('//') || token.startsWith('/*')

/** The text without its comments. Strings stay, so that `'https://…'` is not cut in two. */
export const withoutComments = (text: string): string =>
  text.replace(literalOrComment, (token) => (isComment(token) ? ' ' : token))

/** The text without comments and without what its quoted strings say; templates stay, for they may hold code. */
export const codeOnly = (text: string): string =>
  text.replace(literalOrComment, (token) => {
    if (isComment(token)) return ' '
    return token.startsWith('`') ? token : "''"
  })

const fromClause = /^\s*(?:import|export)\b[\w$\s{},*]*?\bfrom\s*['"]([^'"]+)['"]/gm
const bareImport = /^\s*import\s*['"]([^'"]+)['"]/gm
const importCall = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

/** Every module that a source file names: imports, re-exports, dynamic imports and import types. */
export function specifiersOf(text: string): readonly string[] {
  const code = withoutComments(text)
  const found = [fromClause, bareImport, importCall].flatMap((pattern) =>
    Array.from(code.matchAll(pattern), (match) => match[1] ?? ''),
  )
  return [...new Set(found)].sort()
}
