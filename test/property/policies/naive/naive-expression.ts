/** The reported arguments of one call. */
export type Arguments = Readonly<Record<string, unknown>> | undefined

const TEST = /^args\.(\w+) (==|!=|>|<=) (.+)$/
const BEGINS = /^args\.command\.startsWith\("(\w+)"\)$/
const NAME = /^args\.(\w+)$/

/** How a test on a command line reads its commands. */
export type Commands = 'any as it may be spelt' | 'any as written' | 'all that act'

/** `ls` only looks. Other commands of the tests' command lines are unknown, and act. */
function naiveSearch(start: string, line: unknown, commands: Commands): boolean | undefined {
  if (typeof line !== 'string') return undefined
  const all = line.split('; ')
  const acting = all.filter((each) => each !== 'ls')
  const begins = (each: string) => each.startsWith(start)
  if (commands === 'all that act') return (acting.length > 0 ? acting : all).every(begins)
  return all.some(begins)
}

/**
 * `args.name op literal` and `args.command.startsWith(literal)`: true or false; undefined if the argument is not reported or not
 * comparable.
 */
export function naiveTest(expression: string, reported: Arguments, commands: Commands): boolean | undefined {
  const [, start] = BEGINS.exec(expression) ?? []
  if (start !== undefined) return naiveSearch(start, reported?.['command'], commands)
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
