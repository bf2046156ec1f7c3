import type { PathKind } from './paths.js'
import {
  type Act,
  type ClaimedLabels,
  type Signals,
  type ToolLabels,
  CAPABILITIES,
  CONFIDENTIALITIES,
  REVERSIBILITIES,
  type Organisation,
} from '@plimsoll/contracts'
import { nameOf } from '../acts/lexicon.js'

/** Reasons kept of one call; the first ones, each once. */
const REASONS_MAX = 16
/** As many tags as labels may carry. */
const TAGS_MAX = 16

/**
 * What the parts of a call do, taken together. Parts are only ever joined, so the worst of them counts and a further part cannot lower
 * what is there. Ranks are places in the vocabularies; `confidentiality` -1: nothing of note.
 */
export interface Effects {
  capability: number
  confidentiality: number
  reversibility: number
  untrusted: boolean
  tags: string[]
  /**
   * Whether all that the call runs and sends stands in its arguments and was understood. Only ever lost: what is sent by reference (a file,
   * standard input, a record), what only the run decides, and code that is not understood all lose it.
   */
  complete: boolean
  readonly reasons: string[]
  readonly signals: Record<string, number>
}

export const createEffects = (): Effects => ({
  capability: 0,
  confidentiality: -1,
  reversibility: 0,
  untrusted: false,
  tags: [],
  complete: true,
  reasons: [],
  signals: {},
})

const EXECUTE = CAPABILITIES.indexOf('execute')

/**
 * Joins `labels` into `effects`; `reason` is kept where it says something new. It must not hold text of the call.
 *
 * @param complete whether all that this part runs or sends stands in the arguments and was understood; of a part that runs or sends nothing
 *   it makes no difference
 */
export function raise(effects: Effects, labels: ClaimedLabels, reason?: string, complete = false): void {
  const { capability, confidentiality, reversibility, tags } = labels
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

/** Keeps the highest `value` (cut to 0…1) seen of a signal. */
export function signal(effects: Effects, name: string, value: number): void {
  const cut = value > 0 ? Math.min(1, value) : 0
  effects.signals[name] = Math.max(effects.signals[name] ?? 0, cut)
}

/** Notes that a part of the call does `act`, for good. */
export const does = (effects: Effects, act: Act): void => signal(effects, nameOf('does', act), 1)

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

export const signalsOf = (effects: Effects): Signals => effects.signals

function addOnce(list: string[], value: string, max: number): void {
  if (list.length < max && !list.includes(value)) list.push(value)
}

/** What a text that cannot be read counts as: it may send anything anywhere, and take away whatever there is. */
const WORST: ClaimedLabels = {
  capability: 'network',
  confidentiality: 'internal',
  trust: 'untrusted',
  reversibility: 'irreversible',
}

const TAKES_AWAY =
  /\b(?:rm|rmdir|unlink\w*|shred|dd|mkfs|wipe\w*|del|erase\w*|delete\w*|drop\w*|truncate\w*|purge\w*|destroy\w*|terminate\w*|kill\w*|shutdown|reboot|flush\w*|(?<!-)prune|remove\w*|grant|eval|push|publish|passwd|base64)\b/i

/** Whether a text that is not understood has a word of something that is taken away for good. */
export const takesAway = (text: string): boolean => TAKES_AWAY.test(text)

/** @param text what is not understood as a whole; undefined where it is not looked at at all. Without a word that takes something away it is no deletion. */
export function unreadable(effects: Effects, reason: string, text?: string): void {
  raise(effects, WORST, reason)
  effects.complete = false
  signal(effects, 'unreadable', 1)
  if (text === undefined || takesAway(text)) does(effects, 'delete')
}

/** What the readings of one call's arguments gather. */
export interface Call {
  readonly effects: Effects
  readonly organisation: Organisation | undefined
  /** What the catalogue says is the worst; undefined for a tool that it does not know. */
  readonly worst: ToolLabels | undefined
  /** Whether the catalogue asked for the reading: then what is not understood counts, too. By a mere name it says nothing. */
  readonly asked: boolean
  /** Whether its tool is a database's, so that what it is asked is SQL. */
  readonly isOfDatabase: boolean
  /** Whether something was read that tells what the call does, so that it may be less than the worst. */
  understood: boolean
  method: string | undefined
  place: Place | undefined
  /** Paths are named, and they are temporary ones and nothing else. */
  temporary: boolean | undefined
  /** Notable paths that are named; whether they are written to only the whole call says. */
  readonly paths: Set<PathKind>
  outside: number
  recipients: number
}

export type Place = (typeof PLACES)[number]

/** Where a request goes, from harmless to not: this machine, the organisation, anywhere else. */
export const PLACES = ['local', 'inside', 'outside'] as const
