import { longPattern } from '../text/data.js'

/** Lines of a list that are read, and characters of one. */
const LINES_MAX = 256
const LINE_MAX = 256
/** Members of one thing. */
const MEMBERS_MAX = 24

/** `Subject: Invoice 12`; a list's sign before it is none of its name. */
const MEMBER = longPattern('listed-text.MEMBER')
/** The id of a line: `Poster.pdf id: 1PstR9`, `Dentist (ID: 77123)`; not that of an address, `?id=7`. */
const ID = longPattern('listed-text.ID')
/** The id of the first thing, which stands in the first characters: most texts have none there. */
const FIRST_MAX = 512
const HAS_ID = /(?:\b|[a-z])id:/i
/** What says how many there are: `Found 3 files:`. */
const HEAD = /^[^:]{1,120}:?$/

/**
 * The members of each thing that a text lists, and nothing else: lines with an id and a name, or paragraphs of `Name: value`. Undefined for any
 * other text: what people wrote may look like a thing of a list, so a single line that is none makes it no list. Linear in the text.
 *
 * @example membersInText('Found 2 files:\nPoster.pdf id: 1PstR9\nMenu.pdf id: 1MnuQ2')?.[0] // { id: '1PstR9', name: 'Poster.pdf' }
 */
export function membersInText(text: string): readonly Readonly<Record<string, string>>[] | undefined {
  // A list in JSON begins with its bracket.
  if (/^\s{0,8}[[{]/.test(text) || !HAS_ID.test(text.slice(0, FIRST_MAX))) return undefined
  const lines = text.split('\n', LINES_MAX + 1)
  if (lines.length > LINES_MAX || lines.some((line) => line.length > LINE_MAX)) return undefined
  return ofLines(lines) ?? ofParagraphs(lines)
}

function ofLines(all: readonly string[]): Record<string, string>[] | undefined {
  const lines = all.map((line) => line.trim()).filter((line) => line !== '')
  const rest =
    HEAD.test(lines[0] ?? '') && [...(lines[0] ?? '').matchAll(ID)].length === 0 ? lines.slice(1) : lines
  const things: Record<string, string>[] = []
  for (const line of rest) {
    const ids = [...line.matchAll(ID)]
    const [first] = ids
    if (first === undefined || ids.length > 1) return undefined
    const before = line.slice(0, first.index)
    const name = (/[\p{L}]/u.test(before) ? before : line.slice(first.index + first[0].length)).replaceAll(
      /^[\s\d.()*•,;:|–-]{1,16}|[\s(),;:|–-]{1,16}$/g,
      '',
    )
    if (!/\p{L}/u.test(name)) return undefined
    things.push({ id: first[1] ?? '', name })
  }
  return things.length > 0 ? things : undefined
}

function ofParagraphs(lines: readonly string[]): Record<string, string>[] | undefined {
  const things: Record<string, string>[] = []
  let thing: Record<string, string> = {}
  for (const line of [...lines, '']) {
    if (line.trim() === '') {
      if (Object.keys(thing).length > 0) things.push(thing)
      thing = {}
      continue
    }
    const [, name, value = ''] = MEMBER.exec(line.trim()) ?? []
    if (name === undefined || name in thing || Object.keys(thing).length >= MEMBERS_MAX) return undefined
    thing[name] = value
  }
  return things.length > 0 ? things : undefined
}
