import { longPattern } from '../text/data.js'
import type { PathKind } from './paths.js'
import {
  type Act,
  type ClaimedLabels,
  type EffectAct,
  type ObjectKind,
  type Reach,
  type SignalName,
  type Signals,
  type ToolLabels,
  CAPABILITIES,
  CONFIDENTIALITIES,
  REVERSIBILITIES,
  type Organisation,
  actSignal,
} from '@plimsoll/contracts'

/** Reads a command line into effects of its own. */
export type CommandReader = (command: string, own: Effects) => void

/** A script that a step writes, and what it does irreversibly when it runs. */
export interface WrittenScript {
  readonly name: string
  /** Empty if it does nothing of the kind, as far as its text was read. */
  readonly does: readonly Act[]
  /** What that is done to. */
  readonly objects: readonly Pick<ActedOn, 'names' | 'own'>[]
}

/** What an irreversible act is done to. */
export interface ActedOn {
  readonly act: EffectAct
  readonly kind: ObjectKind | undefined
  readonly reach: Reach | undefined
  /** Texts that name it, as a task may have them. None: no task can name it. */
  readonly names: readonly string[]
  /** Names under which the session may have made it. */
  readonly own: readonly string[]
  /** As the call has it, for people. */
  readonly thing: string | undefined
  /** Whether a task asks for the act by naming this alone: pipelines, hooks, other hosts. */
  readonly byName: boolean
  /** Whether its names are ids of a record: earlier results show what it is called. */
  readonly ofRecord: boolean
  /** The command that does it, as its words say. Absent beside commands. */
  readonly by?: string | undefined
  /** Where a deleted path lies, seen from where the step begins on this machine; absent if that is not known. */
  readonly place?: string | undefined
}

/** What the readers of one step take from the world. */
export interface KnownWorld {
  /** Whether its programs reach no host outside the organisation. */
  readonly isContained: boolean
  readonly isDisposable: boolean
  /** The working folder, with `/` between its parts and none at its end; undefined if it is not declared. */
  readonly folder: string | undefined
  /** In lower case. */
  readonly production: readonly string[]
}

/** Reasons kept per call; duplicates are dropped. */
const REASONS_MAX = 16
/** The maximum number of tags that labels may carry. */
const TAGS_MAX = 16

/**
 * The joined effects of the parts of a call. Joining only raises, so the worst part counts. Numbers are ranks in the label vocabularies;
 * `confidentiality` -1 means nothing confidential.
 */
export interface Effects {
  capability: number
  confidentiality: number
  reversibility: number
  untrusted: boolean
  tags: string[]
  /**
   * Whether everything that the call runs and sends is in its arguments and was understood. Never set again once lost: by data sent by
   * reference (file, standard input, record), values known only at run time, and code that is not understood.
   */
  complete: boolean
  readonly reasons: string[]
  readonly signals: Signals
  /** What irreversible acts are done to, as far as it is known. */
  readonly objects: ActedOn[]
  /** What the call changes, as far as it is known: for each, its names for limits of a task. */
  readonly changes: (readonly string[])[]
  /** Acts of its commands or tool that a task may forbid, as bits, and names of what they are done to; undefined: none. */
  acts: number
  /** How often an object was recorded, also where it is there already. */
  noted: number
  actedOn: string[] | undefined
  /** Folders that the call makes, as seen from where it began. */
  readonly made: string[]
  /** Folders and files that it makes, or that were there before. */
  readonly claimed: string[]
  /** Files that it changes, as seen from where it began. */
  readonly edited: string[]
  /** Files that it deletes and that are the agent's work by their names alone, as seen from where it began. */
  readonly doubtful: string[]
  /** Folders that were not there before, for what deletes them in the same call. */
  readonly fresh: string[]
  /** Scripts that the call writes, and names of those that it runs. */
  readonly scripts: WrittenScript[]
  readonly runs: string[]
  /** For each of those: what a task may call its file; nothing for a target. */
  readonly runFiles: (readonly string[])[]
  /** Paths of scripts whose text the result of the call shows. At most 4. */
  readonly reads: string[]
  /** Files of programs that it runs and that are not understood: the rest of it may be. At most 4. */
  readonly unread: string[]
  /** Arguments that say where on this host a download goes: they do not leave. */
  readonly saved: string[]
  /** Files that a tool takes along, by their paths; undefined if it may take more. */
  files: string[] | undefined
  /** The file that a tool fetches from a public page, by its name. */
  fetched: string | undefined
  /** Whether the call writes a file that is not one of secrets, nor temporary. */
  shows: boolean
  /** The folder that it is in, seen from there; undefined if that is not known. */
  folder: string | undefined
  /** The same as its commands have it, also from a home or where links lead; for what must not be written there. */
  entered: string
  /** Where the programs of the call run, as the host declares it; undefined if that is not known. */
  world: KnownWorld | undefined
  /** Commands that were read. */
  commands: number
  /** Whether commands run elsewhere at this point of the text. */
  isAway: boolean
  /** How many parts of it write or run something. */
  writes: number
  /** Losses besides those that are recorded as disposable: 1 deletions, 2 overwriting. */
  losses: number
  /** Those of them of a command that records nothing that it loses. */
  openLosses: number
}

export const createEffects = (world?: KnownWorld): Effects => ({
  capability: 0,
  confidentiality: -1,
  reversibility: 0,
  untrusted: false,
  tags: [],
  complete: true,
  reasons: [],
  signals: {},
  objects: [],
  changes: [],
  acts: 0,
  noted: 0,
  actedOn: undefined,
  made: [],
  claimed: [],
  edited: [],
  doubtful: [],
  fresh: [],
  scripts: [],
  runs: [],
  runFiles: [],
  reads: [],
  unread: [],
  saved: [],
  files: [],
  fetched: undefined,
  shows: false,
  folder: '',
  entered: '',
  world,
  commands: 0,
  isAway: false,
  writes: 0,
  losses: 0,
  openLosses: 0,
})

const EXECUTE = CAPABILITIES.indexOf('execute')

/**
 * Joins `labels` into `effects`. `reason` is kept if it is new; it must not contain text of the call.
 *
 * @param complete whether everything that this part runs or sends is in the arguments and was understood; ignored if it runs and sends
 *   nothing
 */
export function raise(effects: Effects, labels: ClaimedLabels, reason?: string, complete = false): void {
  const { capability, confidentiality, reversibility, tags } = labels
  if (capability === 'write' || capability === 'execute') effects.writes += 1
  if (!complete && capability && CAPABILITIES.indexOf(capability) >= EXECUTE) effects.complete = false
  if (capability) effects.capability = Math.max(effects.capability, CAPABILITIES.indexOf(capability))
  if (confidentiality && confidentiality !== 'none')
    effects.confidentiality = Math.max(effects.confidentiality, CONFIDENTIALITIES.indexOf(confidentiality))
  if (reversibility)
    effects.reversibility = Math.max(effects.reversibility, REVERSIBILITIES.indexOf(reversibility))
  if (labels.trust === 'untrusted') effects.untrusted = true
  if (tags) for (const tag of tags) addOnce(effects.tags, tag, TAGS_MAX)
  if (reason !== undefined) addOnce(effects.reasons, reason, REASONS_MAX)
}

/** Keeps the highest value of a signal, clamped to 0…1. */
export function signal(effects: Effects, name: SignalName, value: number): void {
  const cut = value > 0 ? Math.min(1, value) : 0
  effects.signals[name] = Math.max(effects.signals[name] ?? 0, cut)
}

/**
 * Records that a part of the call does `act` irreversibly.
 *
 * @param isDisposable whether all that it takes away is recorded with the reach `disposable`
 */
export function does(effects: Effects, act: Act, isDisposable = false): void {
  signal(effects, actSignal('does', act), 1)
  if (!isDisposable && (act === 'delete' || act === 'overwrite')) effects.losses |= LOSSES[act]
}

/** Bits of the acts by which something is lost. */
export const LOSSES = { delete: 1, overwrite: 2 } as const

export function labelsOf(effects: Effects): ToolLabels {
  const confidentiality = CONFIDENTIALITIES[effects.confidentiality]
  return {
    capability: CAPABILITIES[effects.capability] ?? 'network',
    ...(confidentiality && { confidentiality }),
    ...(effects.untrusted && { trust: 'untrusted' as const }),
    reversibility: REVERSIBILITIES[effects.reversibility] ?? 'irreversible',
    ...(effects.tags.length > 0 && { tags: effects.tags }),
  }
}

const UNREAD_MAX = 4

/** Raises by a program in a file, whose text is not in the call. */
export function runsFile(effects: Effects, path: string, labels: ClaimedLabels, reason?: string): void {
  // Elsewhere the path is another one.
  const isNoted = effects.unread.length < UNREAD_MAX && path.length <= 256 && effects.folder === ''
  if (isNoted && !effects.unread.includes(path)) effects.unread.push(path)
  raise(effects, labels, reason, isNoted)
}

export const signalsOf = (effects: Effects): Signals => effects.signals

function addOnce(list: string[], value: string, max: number): void {
  if (list.length < max && !list.includes(value)) list.push(value)
}

/** Labels of unreadable text: it may send or delete anything. */
const WORST: ClaimedLabels = {
  capability: 'network',
  confidentiality: 'internal',
  trust: 'untrusted',
  reversibility: 'irreversible',
}

const DELETION_WORDS = longPattern('effects.DELETION_WORDS')

/** Whether text that is not understood contains a word of irreversible deletion. */
export const mentionsDeletion = (text: string): boolean => DELETION_WORDS.test(text)

/** @param text the text that is not understood; undefined if it was not read at all. Text without a word of deletion is no deletion. */
export function unreadable(effects: Effects, reason: string, text?: string): void {
  raise(effects, WORST, reason)
  effects.complete = false
  signal(effects, 'unreadable', 1)
  if (text === undefined || mentionsDeletion(text)) does(effects, 'delete')
}

/** State shared by the readers of one call's arguments. */
export interface Call {
  readonly effects: Effects
  readonly organisation: Organisation | undefined
  /** The catalogue's labels, the worst case; undefined for an unknown tool. */
  readonly worst: ToolLabels | undefined
  /** Whether the catalogue requests this reading; then text that is not understood counts. A reading by argument name ignores it. */
  readonly asked: boolean
  /** Whether the tool is a database, so that a query is SQL. */
  readonly isOfDatabase: boolean
  /** Whether the tool fetches files to this host. */
  readonly saves: boolean
  /** Whether they are a copy of a repository: any path that it is given is then where the copy goes. */
  readonly clones: boolean
  /** Whether an argument was understood that decides what the call does. Only then can the labels be below the worst case. */
  understood: boolean
  method: string | undefined
  place: Place | undefined
  /** The URLs in the arguments, at most 16. */
  readonly urls: string[]
  /** Whether paths are named and all of them are temporary. */
  temporary: boolean | undefined
  /** Notable paths in the arguments. Only the whole call shows whether they are written. */
  readonly paths: Set<PathKind>
  outside: number
  recipients: number
}

export type Place = (typeof PLACES)[number]

/** Where a request goes, harmless first: this machine, the organisation, anywhere else. */
export const PLACES = ['local', 'inside', 'outside'] as const
