import type { ClaimedLabels } from '@plimsoll/contracts'
import { type Words, byWord, readTable } from '../../../text/data.js'

/** What a command is whatever its arguments are. `paths`: its arguments are looked at as paths that it reads or writes. */
export interface CommandKind {
  readonly labels: ClaimedLabels
  readonly reason: string
  readonly paths?: 'reads' | 'writes'
  /** It runs nothing but itself and sends nothing, though it changes the system. */
  readonly complete?: true
}

const LOOK: ClaimedLabels = { capability: 'read', confidentiality: 'internal' }
const READ: ClaimedLabels = { ...LOOK, trust: 'untrusted' }
const WRITE: ClaimedLabels = { capability: 'write', reversibility: 'partial' }
const EXECUTE: ClaimedLabels = {
  capability: 'execute',
  confidentiality: 'internal',
  trust: 'untrusted',
  reversibility: 'partial',
}
const DESTROY: ClaimedLabels = { capability: 'execute', reversibility: 'irreversible' }
const ASK: ClaimedLabels = { capability: 'network', confidentiality: 'public', trust: 'untrusted' }
const SEND: ClaimedLabels = { ...ASK, confidentiality: 'internal', reversibility: 'irreversible' }
const INSTALL: ClaimedLabels = { ...ASK, reversibility: 'partial' }

export const COMMAND_LABELS = { LOOK, READ, WRITE, EXECUTE, DESTROY, ASK, SEND, INSTALL } as const

/** Labels in a data file: the name of a constant, or labels, `like` a constant but for what they say themselves. */
export type LabelsData =
  keyof typeof COMMAND_LABELS | (ClaimedLabels & { like?: keyof typeof COMMAND_LABELS })

/** A name gives the constant itself, so that labels can be compared by identity. */
export function labelsFrom(data: LabelsData): ClaimedLabels {
  if (typeof data === 'string') return COMMAND_LABELS[data]
  const { like, ...labels } = data
  return { ...(like && COMMAND_LABELS[like]), ...labels }
}

/** Rows of a data file, each with its names: the labels of each name. */
export type LabelRows = readonly { readonly names: Words; readonly labels: LabelsData }[]

/** Commands by name. A command that is not listed counts as running unknown code. */
export const COMMANDS: ReadonlyMap<string, CommandKind> = byWord(
  readTable<readonly (Omit<CommandKind, 'labels'> & LabelRows[number])[]>('shell', 'commands').map(
    ({ names, labels, ...kind }) => [names, { ...kind, labels: labelsFrom(labels) }],
  ),
)

export const UNKNOWN: CommandKind = { labels: EXECUTE, reason: 'an unknown command', paths: 'reads' }
