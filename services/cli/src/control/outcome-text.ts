import { ERRORS } from '@plimsoll/contracts'
import { plainText } from '../plain-text.js'
import { controlText } from './control-text.js'
import type { PartitionOutcome, SentControl } from './outcome.js'
import { partitionsText, rangesOf } from './ranges.js'

/** What a command prints of a change that it has sent; each failure is a line for stderr. */
export interface SentText {
  readonly text: string
  readonly failures: readonly string[]
}

export interface SentContext {
  readonly waitSeconds: number
  readonly group: string
}

export function sentText(sent: SentControl, context: SentContext): SentText {
  const { control, outcomes } = sent
  const rows = groupsOf(outcomes).map(
    ({ label, partitions }) => `  ${label.padEnd(9)} ${rangesOf(partitions)}\n`,
  )
  const text = `${controlText(control)}\nchange ${control.id}, in ${outcomes.length} partitions:\n${rows.join('')}`
  return { text, failures: [...refusals(outcomes), ...silence(sent, context)] }
}

function refusals(outcomes: readonly PartitionOutcome[]): string[] {
  return groupsOf(outcomes).flatMap(({ code, message, partitions }) =>
    code === undefined
      ? []
      : [`${partitionsText(partitions)} refused it: ${code}: ${plainText(message)}; ${helpOn(code)}`],
  )
}

function silence(sent: SentControl, { waitSeconds, group }: SentContext): string[] {
  const { outcomes, monitors, foreign = [] } = sent
  const silent = outcomes.flatMap(({ outcome, partition }) =>
    outcome === 'silent' && !foreign.includes(partition) ? [partition] : [],
  )
  const told = foreign.length > 0 ? [foreignText(foreign)] : []
  return silent.length > 0 ? [...told, silenceText(silent, monitors, waitSeconds, group)] : told
}

/** A monitor sets aside what another key signed, and answers nothing. */
const foreignText = (partitions: readonly number[]): string =>
  `${partitionsText(partitions)} told nothing, and signed with another key what was told before: PLIMSOLL_SIGNING_KEY is not that of the monitors, which then refuse the change`

function silenceText(
  silent: readonly number[],
  monitors: number | undefined,
  waitSeconds: number,
  group: string,
): string {
  const why =
    monitors === 0
      ? `no monitor is in group \`${group}\`: start one`
      : `see whether the monitors of group \`${group}\` are ready and how far they are behind`
  const told = `${partitionsText(silent)} told nothing within ${waitSeconds} s`
  return `${told}: the change lies in the log and counts once a monitor reads it; ${why}`
}

interface Group {
  readonly label: string
  readonly code?: string
  readonly message: string
  readonly partitions: number[]
}

/** Partitions that have the same to tell. */
function groupsOf(outcomes: readonly PartitionOutcome[]): readonly Group[] {
  const groups = new Map<string, Group>()
  for (const each of outcomes) {
    const refused = each.outcome === 'refused' ? { code: each.code, message: each.message } : { message: '' }
    const key = JSON.stringify([each.outcome, refused])
    const group = groups.get(key) ?? { label: each.outcome, ...refused, partitions: [] }
    group.partitions.push(each.partition)
    groups.set(key, group)
  }
  return [...groups.values()]
}

function helpOn(code: string): string {
  const known = Object.entries(ERRORS).find(([name]) => name === code)
  return known ? known[1].help : 'see docs/reference/errors.md'
}
