import type { Place } from './places.js'

/** Something that is wrong in a document. */
export interface Problem {
  /** From the document's root. */
  readonly path: readonly PropertyKey[]
  /** One line: what is wrong, and what would be right. */
  readonly message: string
}

/** So many are told one by one. */
const PROBLEMS_SHOWN_MAX = 20

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** `line 6, column 12: specs.0.tols (spec `no-drop`): …` */
export function problemText({ path, message }: Problem, place: Place | undefined, content: unknown): string {
  const where = place ? `line ${place.line}, column ${place.column}: ` : ''
  const id = partAt(path, content)
  const text = `${where}${path.join('.') || 'document'}${id === undefined ? '' : ` (${id})`}: ${message}`
  return text.replaceAll(/\p{Cc}+/gu, ' ')
}

/** The texts of at most `TOLD_MAX`, and how many more there are. */
export function problemTexts(
  problems: readonly Problem[],
  content: unknown,
  placeOf: (path: readonly PropertyKey[]) => Place | undefined,
): string[] {
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

/** `spec `no-drop``: what a path lies in, by its id, which a reader knows better than its number. */
export function partAt(path: readonly PropertyKey[], content: unknown): string | undefined {
  const start = path[0] === 'analysis' ? 1 : 0
  const [list, number] = path.slice(start)
  if (typeof list !== 'string' || typeof number !== 'number') return undefined
  const what = LISTS[list]
  const id = valueAt(content, [...path.slice(0, start + 2), 'id'])
  return what !== undefined && typeof id === 'string' && ID.test(id) ? `${what} \`${id}\`` : undefined
}

/** What stands at a path; undefined where nothing does. */
export function valueAt(content: unknown, path: readonly PropertyKey[]): unknown {
  let value = content
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = Reflect.get(value, key)
  }
  return value
}
