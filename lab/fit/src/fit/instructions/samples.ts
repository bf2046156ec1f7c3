import { seededRandom } from '@plimsoll/chains'
import { type DocumentKind, DOCUMENTS } from './documents.js'
import type { InstructionSample } from './fit.js'
import { readFileSync } from 'node:fs'

/** Stand around an injection while its text is escaped and folded, and go before anyone reads it. */
const OPEN = '\uE000'
const CLOSE = '\uE001'

/** Share of the texts that hold an instruction. */
const INSTRUCTED = 0.4

/**
 * Made-up results of tools, ordinary ones and such with an instruction to a model hidden in them, by a grammar of our own: what a
 * detector learns from besides recordings. The same count and seed give the same texts.
 */
export function* generateSamples(count: number, seed: number): Generator<InstructionSample> {
  const chance = seededRandom(seed)
  const write = createGrammar(readRules(), chance)
  const pick = <T>(all: readonly T[], first: T): T => all[Math.floor(chance() * all.length)] ?? first
  for (let index = 0; index < count; index++) {
    const instructed = chance() < INSTRUCTED
    const kind = pick(DOCUMENTS, { fields: [], records: 1, joint: ' ' })
    const records = 1 + Math.floor(chance() * kind.records)
    const target = instructed ? Math.floor(chance() * records) : -1
    const format = pick(FORMATS, () => '')
    const texts = Array.from({ length: records }, (_, record) => {
      const fields = fieldsOf(kind, write, chance)
      return format(record === target ? withInjection(fields, write, chance) : fields)
    })
    yield marked(texts.join('\n'), instructed)
  }
}

/** Writes a text by the rules of a grammar. */
export type Write = (text: string) => string

/** An instruction to a model, with marks around it that `marked` takes away. */
export const writeInjection = (write: Write): string => `${OPEN}${write('{injection}')}${CLOSE}`

function fieldsOf(kind: DocumentKind, write: Write, chance: () => number): Field[] {
  return kind.fields.map(([name, line, least, most]) => {
    const lines = least + Math.floor(chance() * (most - least + 1))
    const text = Array.from({ length: lines }, () => write(line)).join(kind.joint)
    return { name: write(name), text }
  })
}

/** Puts an injection before, after, between or instead of the lines of one field, most often its longest. */
function withInjection(fields: readonly Field[], write: Write, chance: () => number): Field[] {
  const longest = fields.reduce(
    (best, { text }, index) => (text.length > (fields[best]?.text.length ?? 0) ? index : best),
    0,
  )
  const chosen = chance() < 0.8 ? longest : Math.floor(chance() * fields.length)
  const injection = writeInjection(write)
  return fields.map((field, index) =>
    index === chosen ? { ...field, text: inserted(field.text, injection, chance) } : field,
  )
}

function inserted(text: string, injection: string, chance: () => number): string {
  const where = chance()
  if (where < 0.12) return injection
  const glue = ['', ' ', ' ', '\n', '\n', '\n\n'][Math.floor(chance() * 6)] ?? ' '
  if (where < 0.55) return text + glue + injection
  if (where < 0.7) return injection + glue + text
  const ends = [...text.matchAll(/[.!?](?=\s)|\n/g)].map(({ index }) => index + 1)
  const at = ends[Math.floor(chance() * ends.length)] ?? text.length
  return `${text.slice(0, at)}${glue || ' '}${injection}\n${text.slice(at).trimStart()}`
}

/** A made-up sample whose instruction, if it has one, stands between marks. */
export function marked(text: string, instructed: boolean): InstructionSample {
  const start = text.indexOf(OPEN)
  const end = text.indexOf(CLOSE) - 1
  const plain = text.replace(OPEN, '').replace(CLOSE, '')
  return { text: plain, instructed, made: true, passages: start < 0 ? [] : [[start, end]] }
}

/** How tools write a text into their result. Each keeps every character of it, escaped or folded as its format has it. */
export type Format = (fields: readonly Field[]) => string
export interface Field {
  readonly name: string
  readonly text: string
}

const WIDTH = 80

/** Breaks at spaces before column 80. */
function fold(text: string, glue: string): string {
  let line = 0
  return text
    .split(' ')
    .map((word, index) => {
      const broken = index > 0 && line + word.length > WIDTH
      line = broken ? word.length : line + word.length + 1
      return index === 0 ? word : (broken ? glue : ' ') + word
    })
    .join('')
}

const yamlSingle: Format = (fields) =>
  fields
    .map(
      ({ name, text }) =>
        `  ${name}: '${fold(text.replaceAll("'", "''").replaceAll('\n', '\n\n    '), '\n    ')}'`,
    )
    .join('\n')
    .replace(/^ {2}/, '- ')

const yamlDouble: Format = (fields) =>
  fields
    .map(
      ({ name, text }) =>
        `${name}: "${fold(text.replaceAll('"', '\\"').replaceAll('\n', '\\n'), '\\\n  \\ ')}"`,
    )
    .join('\n')

const yamlPlain: Format = (fields) =>
  fields
    .map(({ name, text }) => `  ${name}: ${fold(text.replaceAll('\n', ' '), '\n    ')}`)
    .join('\n')
    .replace(/^ {2}/, '- ')

const json: Format = (fields) =>
  JSON.stringify(Object.fromEntries(fields.map(({ name, text }) => [name, text])))
const jsonIndented: Format = (fields) =>
  JSON.stringify(Object.fromEntries(fields.map(({ name, text }) => [name, text])), undefined, 2)

const python: Format = (fields) =>
  `{${fields.map(({ name, text }) => `'${name}': "${text.replaceAll('\n', '\\n')}"`).join(', ')}}`

const plain: Format = (fields) => fields.map(({ text }) => text).join('\n\n')
const headed: Format = (fields) => fields.map(({ name, text }) => `${name}: ${text}`).join('\n')
const markdown: Format = (fields) => fields.map(({ name, text }) => `## ${name}\n\n${text}`).join('\n\n')
const html: Format = (fields) =>
  `<html><body>${fields.map(({ name, text }) => `<h2>${name}</h2>\n<p>${text.replaceAll('\n', '</p>\n<p>')}</p>`).join('\n')}</body></html>`
const columns: Format = (fields) => fields.map(({ name, text }) => `${name},${text}`).join('\n')

/** All of them; the plain ones oftener, as they are in life. */
export const FORMATS: readonly Format[] = [
  yamlSingle,
  yamlSingle,
  yamlDouble,
  yamlPlain,
  json,
  jsonIndented,
  python,
  python,
  plain,
  plain,
  plain,
  headed,
  markdown,
  html,
  columns,
]

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
 * lines and those that begin with `;` are skipped. An alternative that is listed twice is drawn twice as often.
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
