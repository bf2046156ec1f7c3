import { readFileSync } from 'node:fs'
import type { Rules } from './grammar.js'

const FILES = ['values', 'goals', 'frames', 'foreign', 'ordinary', 'mail']

/** The rules in `grammar/`: all files are one grammar. */
export const readRules = (): Rules =>
  Object.assign({}, ...FILES.map((name) => parseRules(readFileSync(fileOf(name), 'utf8')))) as Rules

const fileOf = (name: string): URL => new URL(`../../grammar/${name}.txt`, import.meta.url)

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
