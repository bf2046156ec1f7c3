import { VERDICTS } from '@plimsoll/contracts'
import type { Counts } from './tally.js'
import { textTable } from './text-table.js'

/** The counts of each name and of all together, as a table. */
export function countsTable(
  heading: string,
  byName: Readonly<Record<string, Counts>>,
  total: Counts,
): string {
  const row = (name: string, { sessions, steps, verdicts }: Counts) => [
    name,
    sessions,
    steps,
    ...VERDICTS.map((verdict) => verdicts[verdict]),
  ]
  return textTable([
    [heading, 'sessions', 'steps', ...VERDICTS],
    ...Object.entries(byName).map(([name, counts]) => row(name, counts)),
    row('all', total),
  ])
}
