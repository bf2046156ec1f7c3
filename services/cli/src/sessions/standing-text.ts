import type { PolicyStanding } from '@plimsoll/operator'
import { leftTable } from '../text-table.js'
import { timeText } from '../time-text.js'

/** What the specs of its policy remember of a session; undefined where its documents are not to be had. */
export function standingText(standing: PolicyStanding | undefined, nowMs: number): string {
  if (!standing)
    return '\nwhat its policy remembers of it is not shown: its documents are neither registered nor those that ship\n'
  const { knows, owed, flows } = standing
  const rows = [
    ...owed.map((each) => ['owed', `${each.spec}, ${dueText(each, nowMs)}`]),
    ...flows.map(({ spec, labels }) => ['has come in', `${labels.join(', ') || 'data'}, for ${spec}`]),
    ...(knows === 'whole' ? [] : [['known', KNOWS[knows]]]),
  ]
  return rows.length === 0 ? '' : `\n${leftTable(rows)}`
}

const KNOWS = {
  seeded: 'it has come from another policy: of what it did before, what its record told',
  cold: 'it has come from another policy and was not heard of since',
} as const

function dueText({ overdueMs, withinSteps }: PolicyStanding['owed'][number], nowMs: number): string {
  if (overdueMs !== undefined)
    return `${overdueMs <= nowMs ? 'overdue since' : 'until'} ${timeText(overdueMs)}`
  return withinSteps === undefined ? 'until the session ends' : `within ${withinSteps} steps`
}
