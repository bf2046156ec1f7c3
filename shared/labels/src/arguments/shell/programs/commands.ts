import { longPattern } from '../../../text/data.js'
import type { ClaimedLabels } from '@plimsoll/contracts'
import type { Words } from '../../../text/data.js'
import { oneByProgram } from './command-table.js'

/** What a command does whatever its arguments. `paths`: whether its arguments are paths that it reads or writes. */
export interface CommandKind {
  readonly labels: ClaimedLabels
  readonly reason: string
  readonly paths?: 'reads' | 'writes'
  /** Whether it runs no other program and sends nothing, although it may change the system. */
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

/** Labels in a data file: the name of a constant, or labels that extend one with `like`. */
export type LabelsData =
  keyof typeof COMMAND_LABELS | (ClaimedLabels & { like?: keyof typeof COMMAND_LABELS })

/** A name returns the constant itself, so that labels can be compared by identity. */
export function labelsFrom(data: LabelsData): ClaimedLabels {
  if (typeof data === 'string') return COMMAND_LABELS[data]
  const { like, ...labels } = data
  return { ...(like && COMMAND_LABELS[like]), ...labels }
}

/** A row of `subcommands`: labels of the words that a program takes. */
export interface SubcommandRow {
  readonly words: Words
  readonly labels: LabelsData
}

/** Commands by name. Unlisted commands count as running unknown code. */
export const COMMANDS: ReadonlyMap<string, CommandKind> = new Map(
  [...oneByProgram<Omit<CommandKind, 'labels'> & { readonly labels: LabelsData }>('kind')].map(
    ([name, kind]) => [name, { ...kind, labels: labelsFrom(kind.labels) }],
  ),
)

/**
 * The kind of a command by its name. Cmdlets of PowerShell are written in any case; of a block only a comparison of what it is given is known to run
 * nothing.
 */
export function kindOf({
  name,
  args,
}: {
  readonly name: string
  readonly args: readonly string[]
}): CommandKind | undefined {
  const known = COMMANDS.get(name)
  if (known || !CMDLET.test(name)) return known
  const block = args.findIndex((arg) => arg.includes('{'))
  const isPlain = block < 0 || (args[block] === '{' && /^\$(?:_|PSItem)\./.test(args[block + 1] ?? ''))
  return isPlain && !args.some((arg) => /[()]/.test(arg)) ? COMMANDS.get(name.toLowerCase()) : undefined
}
const CMDLET = longPattern('commands.CMDLET')

export const UNKNOWN: CommandKind = { labels: EXECUTE, reason: 'an unknown command', paths: 'reads' }
