import { OBSERVER_PARTS, type ObserverPart } from '@plimsoll/labels'

/** What is known of each step, in one row of a table that shows what each part adds. */
export interface AblationRow {
  readonly name: string
  /** What is not used. */
  readonly without: readonly ObserverPart[]
}

/** In the order in which the rows take them in: from what is said of a tool to what is read in a text. */
const ADDED = [
  'arguments',
  'content',
  'provenance',
  'instructions',
] as const satisfies readonly ObserverPart[]

/** Tool names alone, then with one part more in each row; the last has all. */
export const ABLATION: readonly AblationRow[] = [
  { name: 'tool names only', without: OBSERVER_PARTS },
  ...ADDED.map((part, n) => ({ name: `+ ${part}`, without: ADDED.slice(n + 1) })),
]
