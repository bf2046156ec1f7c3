import { PlimsollError, type Policy, type Spec } from '@plimsoll/contracts'
import { CELLS_MAX, OBLIGATION_CELLS, WINDOW_CELLS } from '@plimsoll/engine'

/** Of one spec, the first cell of each thing that it remembers. */
export interface SpecCells {
  readonly after: number
  readonly before: number
  readonly between: number
  readonly atMost: number
  readonly sum: number
  readonly distinct: number
  readonly fleet: number
  readonly flow: number
  readonly requires: number
  readonly followedBy: number
}

type Member = keyof SpecCells

/** The first cell is the memory's own: it says whether the others are whole. */
const FIRST = 1

/** Gives what each spec remembers its cells, in the order of the document. Throws `document_invalid` where a session's record would grow too large. */
export function layOut({ specs }: Policy): { readonly cells: number; readonly of: readonly SpecCells[] } {
  let next = FIRST
  const of = specs.map((spec) => {
    const cells: Record<Member, number> = { ...NOWHERE }
    for (const member of MEMBERS) {
      cells[member] = next
      next += cellsOf(spec, member)
    }
    return cells
  })
  if (next > CELLS_MAX)
    throw new PlimsollError(
      'document_invalid',
      `policy remembers ${next} numbers of each session; at most ${CELLS_MAX} can be: use fewer conditions on time, counts and flows, or smaller \`distinct\``,
    )
  return { cells: next === FIRST ? 0 : next, of }
}

const NOWHERE: SpecCells = {
  after: 0,
  before: 0,
  between: 0,
  atMost: 0,
  sum: 0,
  distinct: 0,
  fleet: 0,
  flow: 0,
  requires: 0,
  followedBy: 0,
}
const MEMBERS = Object.keys(NOWHERE) as readonly Member[]

/** Cells that one spec takes. */
export const cellsNeeded = (spec: Spec): number =>
  MEMBERS.reduce((sum, member) => sum + cellsOf(spec, member), 0)

function cellsOf(spec: Spec, member: Member): number {
  const condition = (
    spec as Partial<Record<Member, { per?: unknown; max?: number; from?: { within?: unknown } }>>
  )[member]
  if (condition === undefined) return 0
  const isWindowed = condition.per !== undefined && condition.per !== 'session'
  if (member === 'followedBy') return OBLIGATION_CELLS
  if (member === 'flow') return condition.from?.within === undefined ? 1 : 2
  if (member === 'distinct') return (condition.max ?? 0) * (isWindowed ? 2 : 1)
  if (member === 'atMost' || member === 'sum') return isWindowed ? WINDOW_CELLS : 1
  return 1
}
