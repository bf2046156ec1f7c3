import { isAlias, isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, type Document } from 'yaml'

/** Where something stands in a text; both count from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** The place of what stands at a path of a document's text, YAML or JSON; of what is not there, that of what should hold it. */
export type FindPlace = (path: readonly PropertyKey[]) => Place | undefined

/** Parses `text` when it is first asked. A text that is one long line has no places worth telling. */
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

function offsetAt(document: Document.Parsed, path: readonly PropertyKey[]): number | undefined {
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

/** A member stands where its name does, an entry of a list where it begins. */
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
