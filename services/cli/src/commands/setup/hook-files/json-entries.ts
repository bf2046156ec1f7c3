import { isDeepStrictEqual } from 'node:util'
import { type JSONPath, parse, stripComments } from 'jsonc-parser'
import { PARSE_OPTIONS, invalidFile, isObject, parseObject, withValue } from '../json-text.js'

/** Hooks in a client's JSON: `{ "hooks": { EVENT: [ENTRY] } }`. An entry is a handler, or a group of them in its own member `hooks`. */
export interface HookEntries {
  /** Entries by event. */
  readonly entries: Entries
  /** Members beside `hooks` that the client needs, such as its `version`. */
  readonly root: Readonly<Record<string, unknown>>
}

type Entries = Readonly<Record<string, readonly unknown[]>>

/** Whether a command is one of Plimsoll's. */
export type IsOwn = (command: string) => boolean

/** Throws `document_invalid` if the text is not JSON, or has something else where hooks go. */
export function assertHooks(text: string, file: string, events: readonly string[]): void {
  const { hooks = {} } = parseObject(text, file)
  if (!isObject(hooks)) throw invalidFile(file, 'has `hooks`, which is not an object')
  const odd = events.find((event) => hooks[event] !== undefined && !Array.isArray(hooks[event]))
  if (odd !== undefined) throw invalidFile(file, `has \`hooks.${odd}\`, which is not an array`)
}

/** Whether the text has the hooks, and no others of Plimsoll. */
export function hasEntries(text: string, { entries, root }: HookEntries, isOwn: IsOwn): boolean {
  const value = valueOf(text)
  return isDeepStrictEqual(ownIn(value, isOwn), entries) && Object.keys(root).every((name) => name in value)
}

/** The commands of Plimsoll in a text. */
export const hasOwn = (text: string, isOwn: IsOwn): boolean =>
  Object.keys(ownIn(valueOf(text), isOwn)).length > 0

/** The text with the hooks behind those that it has. */
export function withEntries(text: string, { entries, root }: HookEntries): string {
  let after = text
  for (const [name, value] of Object.entries(root))
    if (!(name in valueOf(after))) after = withValue(after, [name], value)
  for (const [event, list] of Object.entries(entries))
    for (const entry of list) after = withLast(after, event, entry)
  return after
}

function withLast(text: string, event: string, entry: unknown): string {
  const path: JSONPath = ['hooks', event]
  return Array.isArray(hooksOf(valueOf(text))[event])
    ? withValue(text, [...path, -1], entry, { isArrayInsertion: true })
    : withValue(text, path, [entry])
}

/** The text without hooks of Plimsoll. What gets empty by that is removed too. */
function withoutEntries(text: string, isOwn: IsOwn): string {
  const path = pathOfOwn(hooksOf(valueOf(text)), isOwn)
  return path ? withoutEntries(withValue(text, path, undefined), isOwn) : text
}

/** The largest part of `hooks` that is Plimsoll's alone. */
function pathOfOwn(hooks: Record<string, unknown>, isOwn: IsOwn): JSONPath | undefined {
  const lists = Object.entries(hooks)
  if (lists.length > 0 && lists.every(([, list]) => isAll(list, isOwn))) return ['hooks']
  for (const [event, list] of lists) {
    if (isAll(list, isOwn)) return ['hooks', event]
    for (const [index, entry] of (Array.isArray(list) ? (list as unknown[]) : []).entries()) {
      const own = ownPart(entry, isOwn)
      if (own === undefined) continue
      const at: JSONPath = ['hooks', event, index]
      const handler = handlersOf(entry).findIndex((each) => ownPart(each, isOwn) !== undefined)
      return isDeepStrictEqual(own, entry) ? at : [...at, 'hooks', handler]
    }
  }
  return undefined
}

const isAll = (list: unknown, isOwn: IsOwn): boolean =>
  Array.isArray(list) &&
  list.length > 0 &&
  list.every((entry) => isDeepStrictEqual(ownPart(entry, isOwn), entry))

interface Original {
  /** The copy of the text before Plimsoll, if there is one. */
  readonly copy: string | undefined
  /** Whether Plimsoll has made the file. */
  readonly isCreated: boolean
}

/**
 * The text as it is without Plimsoll: the copy itself if nothing else was edited since, else the text without the hooks; undefined if
 * Plimsoll has made the file and nothing was added.
 */
export function bareText(
  text: string,
  { root }: HookEntries,
  isOwn: IsOwn,
  { copy, isCreated }: Original,
): string | undefined {
  const own = { entries: ownIn(valueOf(text), isOwn), root }
  if (copy !== undefined && withEntries(copy, own) === text) return copy
  const bare = withoutEntries(text, isOwn)
  if (isCreated) return isEmpty(bare, root) ? undefined : bare
  const added = Object.keys(root).filter((name) => copy !== undefined && !(name in valueOf(copy)))
  return added.reduce((text, name) => withValue(text, [name], undefined), bare)
}

const isEmpty = (text: string, root: HookEntries['root']): boolean =>
  Object.keys(valueOf(text)).every((name) => name in root) && stripComments(text) === text

const valueOf = (text: string): Record<string, unknown> => {
  const value: unknown = parse(text, [], PARSE_OPTIONS)
  return isObject(value) ? value : {}
}

const hooksOf = ({ hooks }: Record<string, unknown>): Record<string, unknown> =>
  isObject(hooks) ? hooks : {}

function ownIn(value: Record<string, unknown>, isOwn: IsOwn): Entries {
  const lists = Object.entries(hooksOf(value)).map(([event, list]) => {
    const entries = Array.isArray(list) ? (list as unknown[]) : []
    return [event, entries.map((entry) => ownPart(entry, isOwn)).filter((own) => own !== undefined)] as const
  })
  return Object.fromEntries(lists.filter(([, own]) => own.length > 0))
}

/** What is Plimsoll's of an entry: all, its own handlers of a group, or undefined. */
function ownPart(entry: unknown, isOwn: IsOwn): unknown {
  if (!isObject(entry)) return undefined
  const handlers = handlersOf(entry)
  if (handlers.length === 0)
    return Object.values(entry).some((value) => typeof value === 'string' && isOwn(value)) ? entry : undefined
  const own = handlers.filter((handler) => ownPart(handler, isOwn) !== undefined)
  return own.length === 0 ? undefined : { ...entry, hooks: own }
}

const handlersOf = (entry: unknown): readonly unknown[] =>
  isObject(entry) && Array.isArray(entry['hooks']) ? (entry['hooks'] as unknown[]) : []
