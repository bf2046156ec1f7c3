/** The reported arguments of one call. */
export type Arguments = Readonly<Record<string, unknown>> | undefined

const TEST = /^args\.(\w+) (==|!=|>|<=) (.+)$/
const NAME = /^args\.(\w+)$/

/** `args.name op literal`: true or false; undefined if the argument is not reported or not comparable. */
export function naiveTest(expression: string, reported: Arguments): boolean | undefined {
  const [, name = '', operator = '', literal = ''] = TEST.exec(expression) ?? []
  const value = reported?.[name]
  const wanted: unknown = JSON.parse(literal)
  if (value === undefined) return undefined
  if (operator === '==') return value === wanted
  if (operator === '!=') return value !== wanted
  if (typeof value !== 'number' || typeof wanted !== 'number') return undefined
  return operator === '>' ? value > wanted : value <= wanted
}

/** `args.name`: its value; undefined where it is not reported. */
export function naiveValue(expression: string, reported: Arguments): unknown {
  const [, name = ''] = NAME.exec(expression) ?? []
  return reported?.[name]
}
