import { readFileSync } from 'node:fs'

/** Alternatives by name. In them `{name}` stands for one of another rule (`{Name}` with a capital to begin with), and
 * `[a|b|]` for one of what is listed. */
export type Rules = Readonly<Record<string, readonly string[]>>

/** Rules may not go deeper than this; a grammar that does goes round in a circle. */
const DEPTH_MAX = 12

/**
 * Writes texts by `rules`, drawing on `chance` (0…1) alone: the same draws give the same text.
 *
 * @throws RangeError for a rule that is not there or goes round in a circle
 */
export function createGrammar(rules: Rules, chance: () => number): (text: string) => string {
  const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(chance() * all.length)]
  const write = (text: string, depth: number): string => {
    if (depth > DEPTH_MAX) throw new RangeError(`a rule goes round in a circle: \`${text.slice(0, 60)}\``)
    const chosen = text.replaceAll(
      /\[([^[\]|]*(?:\|[^[\]|]*)+)\]/g,
      (_, list: string) => pick(list.split('|')) ?? '',
    )
    return chosen.replaceAll(/\{([A-Za-z]+)\}/g, (_, name: string) => {
      const alternatives = rules[name]
      if (alternatives !== undefined) return write(pick(alternatives) ?? '', depth + 1)
      const small = rules[name.charAt(0).toLowerCase() + name.slice(1)]
      if (small === undefined) throw new RangeError(`no rule is named \`${name}\``)
      const text = write(pick(small) ?? '', depth + 1)
      return text.charAt(0).toUpperCase() + text.slice(1)
    })
  }
  return (text) => write(text, 0)
}

const FILES = ['values', 'goals', 'frames', 'foreign', 'ordinary', 'mail']

/** The rules in `grammar/`: all files are one grammar. */
export const readRules = (): Rules =>
  Object.assign({}, ...FILES.map((name) => parseRules(readFileSync(fileOf(name), 'utf8')))) as Rules

const fileOf = (name: string): URL => new URL(`../../../grammar/${name}.txt`, import.meta.url)

/**
 * Rules from their file: `@name`, then one alternative a line, `\n` for a line's end inside it and a lone `~` for none at all. Blank
 * lines and those that begin with `;` say nothing. An alternative that stands there twice is drawn twice as often.
 */
export function parseRules(text: string): Rules {
  const rules: Record<string, string[]> = {}
  let alternatives: string[] = []
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith(';')) continue
    if (/^@[A-Za-z]+$/.test(line)) rules[line.slice(1)] = alternatives = []
    else alternatives.push(line === '~' ? '' : line.replaceAll(String.raw`\n`, '\n'))
  }
  return rules
}
