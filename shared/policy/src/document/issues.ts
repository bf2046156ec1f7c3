import { type DocumentKind, membersAt } from '@plimsoll/contracts'
import { valueAt } from '../specs/walk.js'
import type { Problem } from './problems.js'

/** Longer words are not compared: nobody misspells a name that long into another. */
const LENGTH_MAX = 64

/** The one of `names` that `word` was most likely meant to be: up to a third of its letters differ, case and `-` and `_` aside. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  if (word.length > LENGTH_MAX) return undefined
  const plain = plainOf(word)
  const far = Math.max(1, Math.floor(plain.length / 3))
  let found: { readonly name: string; readonly distance: number } | undefined
  for (const { name, letters } of plainOnes(names)) {
    // At least so many letters have to be put in or taken out.
    if (Math.abs(letters.length - plain.length) > far) continue
    const distance = distanceOf(plain, letters)
    if (distance < (found?.distance ?? Infinity)) found = { name, distance }
  }
  return found && found.distance <= far ? found.name : undefined
}

interface PlainName {
  readonly name: string
  readonly letters: string
}

/** One list is asked for many words: for each that a long document misspells. */
const plainLists = new WeakMap<readonly string[], readonly PlainName[]>()

function plainOnes(names: readonly string[]): readonly PlainName[] {
  const known = plainLists.get(names)
  if (known) return known
  const made = names
    .filter(({ length }) => length <= LENGTH_MAX)
    .map((name) => ({ name, letters: plainOf(name) }))
  plainLists.set(names, made)
  return made
}

const plainOf = (word: string): string => word.replaceAll(/[-_\s]/g, '').toLowerCase()

/** Letters to put in, take out, change, or swap with their neighbour. */
function distanceOf(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(before, j - 2) + 1 : Infinity
      next.push(Math.min(changed, swapped, at(row, j) + 1, at(next, j - 1) + 1))
    }
    before = row
    row = next
  }
  return at(row, b.length)
}

const at = (row: readonly number[], j: number): number => row[j] ?? Infinity

/** An issue as zod tells it; which members there are depends on its code. */
export interface Issue {
  readonly code?: string | undefined
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly keys?: readonly string[]
  readonly values?: readonly unknown[]
  readonly options?: readonly unknown[]
  readonly errors?: readonly (readonly Issue[])[]
  readonly expected?: string
  readonly origin?: string
  readonly minimum?: number | bigint
  readonly maximum?: number | bigint
}

/** What zod found in a document of a kind, in words that say how to mend it. */
export function problemsOfIssues(issues: readonly Issue[], kind: DocumentKind, content: unknown): Problem[] {
  return issues.flatMap((issue) => problemsOf(issue, kind, content))
}

function problemsOf(issue: Issue, kind: DocumentKind, content: unknown): Problem[] {
  const { path, message } = issue
  const value = valueAt(content, path)
  switch (issue.code ?? 'custom') {
    case 'unrecognized_keys':
      return (issue.keys ?? []).map((key) => ({
        path: [...path, key],
        message: unknownMember(key, path, kind, content),
      }))
    case 'invalid_union':
      return issue.options
        ? [{ path, message: wrongWord(value, issue.options) }]
        : problemsOfUnion(issue, kind, content)
    case 'invalid_value':
      return [{ path, message: wrongWord(value, issue.values ?? []) }]
    case 'invalid_type':
      return [{ path, message: wrongType(issue.expected ?? '', value, membersAt(kind, path, content)) }]
    case 'too_small': {
      const least = amountOf(issue.minimum, issue.origin)
      return [{ path, message: `expected at least ${least}${gotSize(value)}${windowHint(path)}` }]
    }
    case 'too_big':
      return [{ path, message: `expected at most ${amountOf(issue.maximum, issue.origin)}${gotSize(value)}` }]
    default:
      return [{ path, message: value === undefined ? `is missing: ${message}` : message }]
  }
}

function unknownMember(
  key: string,
  path: readonly PropertyKey[],
  kind: DocumentKind,
  content: unknown,
): string {
  const members = membersAt(kind, path, content)
  const held = valueAt(content, path)
  const tier = path[0] === 'specs' && path.length === 2 ? valueAt(held, ['tier']) : undefined
  // One form of several has it, and another was begun.
  if (members.includes(key))
    return `cannot stand here beside ${listed(Object.keys(held ?? {}).filter((other) => other !== key))}`
  const meant = nearest(key, members)
  if (meant !== undefined) return `there is no such member: did you mean \`${meant}\`?`
  const of = typeof tier === 'string' ? ` of a spec of the ${tier}` : ''
  return `there is no such member${of}${members.length > 0 ? `; there are ${listed(members)}` : ''}`
}

function wrongWord(value: unknown, words: readonly unknown[]): string {
  const expected = words.length === 1 ? listed(words) : `one of ${listed(words)}`
  if (value === undefined) return `is missing: expected ${expected}`
  const meant = typeof value === 'string' ? nearest(value, words.map(String)) : undefined
  return `expected ${expected}, got ${shown(value)}${meant === undefined ? '' : `: did you mean \`${meant}\`?`}`
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'members with names',
  record: 'members with names',
}

function wrongType(type: string, value: unknown, members: readonly string[]): string {
  const isNamed = type === 'object' && members.length > 0
  const expected = `expected ${isNamed ? `members named ${listed(members)}` : (TYPES[type] ?? type)}`
  return value === undefined ? `is missing: ${expected}` : `${expected}, got ${shown(value)}`
}

function amountOf(limit: number | bigint | undefined, origin: string | undefined): string {
  if (origin === 'string') return `${limit} characters`
  return origin === 'array' ? `${limit} ${limit === 1 ? 'entry' : 'entries'}` : String(limit)
}

function gotSize(value: unknown): string {
  if (typeof value === 'string' || Array.isArray(value)) return `, got ${value.length}`
  return `, got ${shown(value)}`
}

/** Anyone who writes a deadline that has passed takes a window for a date. */
const windowHint = (path: readonly PropertyKey[]): string =>
  path.at(-1) === 'steps' || path.at(-1) === 'seconds'
    ? ': a window reaches some way, a deadline lies ahead'
    : ''

const MISMATCH: ReadonlySet<string | undefined> = new Set(['invalid_type', 'invalid_value'])

/** The problems of the union member that the value is closest to; if it is close to none, the expected form of each member. */
function problemsOfUnion(issue: Issue, kind: DocumentKind, content: unknown): Problem[] {
  const { path } = issue
  const forms = branchesOf(issue)
  const begun = forms.filter(
    (form) => !form.some(({ path: at, code }) => at.length === 0 && MISMATCH.has(code)),
  )
  const [best] = begun.toSorted((a, b) => costOf(a) - costOf(b))
  if (!best) return [{ path, message: noForm(forms, path, kind, content) }]
  const problems = best
    .map((inner) => ({ ...inner, path: [...path, ...inner.path] }))
    .flatMap((inner) => problemsOf(inner, kind, content))
  const meant = new Set(
    problems.flatMap(({ message }) => /did you mean `(.*)`\?/.exec(message)?.slice(1) ?? []),
  )
  // What is missing is what another was meant to be.
  return problems.filter(
    ({ path: at, message }) => !(message.startsWith('is missing') && meant.has(String(at.at(-1)))),
  )
}

/** Forms of forms are forms. */
function branchesOf({ errors = [] }: Issue): readonly (readonly Issue[])[] {
  return errors.flatMap((form) => {
    const [only] = form
    return form.length === 1 && only?.code === 'invalid_union' && only.path.length === 0 && !only.options
      ? branchesOf(only)
      : [form]
  })
}

const costOf = (form: readonly Issue[]): number =>
  form.reduce(
    (cost, { code, keys }) => cost + (code === 'unrecognized_keys' ? 2 * (keys?.length ?? 1) : 1),
    0,
  )

function noForm(
  forms: readonly (readonly Issue[])[],
  path: readonly PropertyKey[],
  kind: DocumentKind,
  content: unknown,
): string {
  const words = forms.flatMap((form) =>
    form.flatMap(({ path: at, values = [] }) => (at.length === 0 ? values : [])),
  )
  const members = membersAt(kind, path, content)
  const expected = [
    ...words.map((word) => `\`${String(word)}\``),
    ...(members.length > 0 ? [`members named ${listed(members)}`] : []),
  ]
  const value = valueAt(content, path)
  const got = value === undefined ? 'is missing: ' : ''
  const after = value === undefined ? '' : `, got ${shown(value)}`
  return `${got}expected ${expected.join(' or ')}${after}`
}

const listed = (names: readonly unknown[]): string => names.map((name) => `\`${String(name)}\``).join(', ')

const SHOWN_MAX = 40

function shown(value: unknown): string {
  if (typeof value === 'string')
    return `\`${value.length > SHOWN_MAX ? `${value.slice(0, SHOWN_MAX)}…` : value}\``
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' && value !== null ? 'members with names' : String(value)
}
