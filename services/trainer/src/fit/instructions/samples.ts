import { seededRandom } from '@plimsoll/chains'
import { type DocumentKind, DOCUMENTS } from './documents.js'
import type { InstructionSample } from './fit.js'
import { type Field, FORMATS } from './formats.js'
import { createGrammar, readRules } from './grammar.js'

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

type Write = (text: string) => string

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
  const injection = `${OPEN}${write('{injection}')}${CLOSE}`
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

function marked(text: string, instructed: boolean): InstructionSample {
  const start = text.indexOf(OPEN)
  const end = text.indexOf(CLOSE) - 1
  const plain = text.replace(OPEN, '').replace(CLOSE, '')
  return { text: plain, instructed, made: true, passages: start < 0 ? [] : [[start, end]] }
}
