import { isAlias, isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, type Document } from 'yaml'
import { type Path, valueAt } from '../specs/walk.js'

/** One problem of a document. */
export interface Problem {
  /** From the document's root. */
  readonly path: Path
  /** One line: what is wrong, and what to do. */
  readonly message: string
}

/** Most problems that are listed one by one. */
const PROBLEMS_SHOWN_MAX = 20

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** `line 6, column 12: specs.0.tols (spec `no-drop`): …` */
function problemText({ path, message }: Problem, place: Place | undefined, content: unknown): string {
  const where = place ? `line ${place.line}, column ${place.column}: ` : ''
  const id = partAt(path, content)
  const text = `${where}${path.join('.') || 'document'}${id === undefined ? '' : ` (${id})`}: ${message}`
  return text.replaceAll(/\p{Cc}+/gu, ' ')
}

/** The texts of at most `PROBLEMS_SHOWN_MAX` problems, and how many more there are. */
export function problemTexts(problems: readonly Problem[], content: unknown, placeOf: FindPlace): string[] {
  const reported = problems
    .slice(0, PROBLEMS_SHOWN_MAX)
    .map((problem) => problemText(problem, placeOf(problem.path), content))
  const left = problems.length - reported.length
  return left > 0 ? [...reported, `and ${left} more`] : reported
}

const LISTS: Readonly<Record<string, string>> = {
  specs: 'spec',
  declassifiers: 'declassifier',
  stakeholders: 'stakeholder',
  losses: 'loss',
  hazards: 'hazard',
  unsafeControlActions: 'unsafe control action',
  requirements: 'requirement',
  goals: 'goal',
}

/** The part of the document that holds a path, by its id, as in `spec `no-drop``; readers know ids, not indexes. */
export function partAt(path: Path, content: unknown): string | undefined {
  const start = path[0] === 'analysis' ? 1 : 0
  const [list, number] = path.slice(start)
  if (typeof list !== 'string' || typeof number !== 'number') return undefined
  const what = LISTS[list]
  const id = valueAt(content, [...path.slice(0, start + 2), 'id'])
  return what !== undefined && typeof id === 'string' && ID.test(id) ? `${what} \`${id}\`` : undefined
}

/** A place in a text; both numbers count from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** The place of a path in the text of a document, YAML or JSON. For a missing member: the place of its holder. */
export type FindPlace = (path: Path) => Place | undefined

/** Parses `text` on first use. A text of one line has no places. */
export function createPlaces(text: string): FindPlace {
  if (!text.trimEnd().includes('\n')) return () => undefined
  let parsed: { readonly document: Document.Parsed; readonly counter: LineCounter } | undefined
  return (path) => {
    if (!parsed) {
      const counter = new LineCounter()
      parsed = { document: parseDocument(text, { lineCounter: counter }), counter }
    }
    const offset = offsetAt(parsed.document, path)
    if (offset === undefined) return undefined
    const { line, col } = parsed.counter.linePos(offset)
    return { line, column: col }
  }
}

function offsetAt(document: Document.Parsed, path: Path): number | undefined {
  let node: unknown = document.contents
  let offset = startOf(node)
  for (const key of path) {
    const holder: unknown = isAlias(node) ? node.resolve(document) : node
    const found = memberOf(holder, key)
    if (!found) return offset
    offset = found.offset ?? offset
    node = found.value
  }
  return offset
}

interface Member {
  readonly value: unknown
  readonly offset: number | undefined
}

/** The place of a member is that of its name; the place of a list's entry is its beginning. */
function memberOf(holder: unknown, key: PropertyKey): Member | undefined {
  if (isSeq(holder)) {
    const value = holder.items[Number(key)]
    return value === undefined ? undefined : { value, offset: startOf(value) }
  }
  if (!isMap(holder)) return undefined
  const pair = holder.items.find((item) => isPair(item) && nameOf(item.key) === key)
  return pair && { value: pair.value, offset: startOf(pair.key) }
}

const nameOf = (key: unknown): unknown => (isScalar(key) ? String(key.value) : key)

function startOf(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node)) return undefined
  return Array.isArray(node.range) && typeof node.range[0] === 'number' ? node.range[0] : undefined
}
