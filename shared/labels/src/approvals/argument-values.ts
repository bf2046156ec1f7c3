import { IMPORTANCE, importanceOfName, importanceOfValue, type Importance } from './importance.js'

/** Values that are looked at; an argument that has more, or holds itself, ends there. */
const VALUES_MAX = 50_000

/** Where a value stands; its path is written out for those alone that are shown. */
export interface Place {
  readonly parent: Place | undefined
  /** The name of a member, or the index in a list. */
  readonly key: string | number
  readonly importance: Importance | undefined
}

export interface ArgumentValue {
  readonly place: Place
  /** As JSON has it: no list and no object, but for those that are empty. */
  readonly value: unknown
}

export interface ArgumentValues {
  /** Each in the order in which the arguments have them. */
  readonly byImportance: Readonly<Record<Importance, readonly ArgumentValue[]>>
  /** Whether there are more than are looked at. */
  readonly isCut: boolean
}

/**
 * The plain values of a step's arguments by what a human has to look at first. A value is as important as the nearest name above it
 * says, or as it says itself, whichever is more: a recipient may stand in an argument of any name. A text that is meant to be read may hold what it likes.
 * Walks with a stack of its own: arguments may be nested without end.
 */
export function argumentValues(args: Readonly<Record<string, unknown>>): ArgumentValues {
  const byImportance: Record<Importance, ArgumentValue[]> = {
    recipient: [],
    amount: [],
    place: [],
    command: [],
    other: [],
  }
  const open: ArgumentValue[] = []
  let left = VALUES_MAX
  let isCut = false
  const push = (parent: Place | undefined, container: object) => {
    const members = membersOf(parent, container, left)
    isCut ||= members.isCut
    left -= members.values.length
    // The last that is pushed is the first that is taken.
    for (const member of members.values.toReversed()) open.push(member)
  }
  push(undefined, args)
  for (let next = open.pop(); next; next = open.pop()) {
    const { place, value } = next
    if (hasMembers(value)) push(place, value)
    else byImportance[importanceOf(next)].push(next)
  }
  return { byImportance, isCut }
}

function hasMembers(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  return Array.isArray(value) ? value.length > 0 : Object.keys(value).length > 0
}

/** The first `most` members of a list or an object. */
function membersOf(
  parent: Place | undefined,
  container: object,
  most: number,
): { readonly values: ArgumentValue[]; readonly isCut: boolean } {
  const inherited = parent?.importance
  const all = Array.isArray(container)
    ? container.slice(0, most).map((member: unknown, key) => memberOf(parent, key, member, inherited))
    : Object.entries(container)
        .slice(0, most)
        .filter(([, member]) => member !== undefined)
        .map(([key, member]: [string, unknown]) =>
          memberOf(parent, key, member, importanceOfName(key) ?? inherited),
        )
  const count = Array.isArray(container) ? container.length : Object.keys(container).length
  return { values: all, isCut: count > most }
}

const memberOf = (
  parent: Place | undefined,
  key: string | number,
  value: unknown,
  importance: Importance | undefined,
): ArgumentValue => ({ place: { parent, key, importance }, value })

function importanceOf({ place: { importance: named }, value }: ArgumentValue): Importance {
  // A body may begin with a path and be a text all the same; an address counts wherever it stands.
  if (named === 'other' && importanceOfValue(value) !== 'recipient') return 'other'
  const found = importanceOfValue(value)
  const ranks = [named, found].flatMap((each) => (each === undefined ? [] : [IMPORTANCE.indexOf(each)]))
  return IMPORTANCE[Math.min(...ranks, IMPORTANCE.length - 1)] ?? 'other'
}
