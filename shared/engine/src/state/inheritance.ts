import { interrupted, withoutPrograms } from './programs-approved.js'
import type { Inherits } from '@plimsoll/contracts'
import {
  INSTRUCTED,
  SENSITIVE,
  SENSITIVE_EXPOSURE,
  TASK,
  UNTRUSTED,
  exposureIndex,
  raiseExposure,
  riskLevelOf,
} from '../labels/safety-state.js'
import { TAINTS } from '../labels/words.js'
import {
  type Sources,
  LISTED_MAX,
  LOOKED_UP_MAX,
  addSource,
  blinded,
  lookUpSources,
  mayHaveEvicted,
} from '../provenance/sources.js'
import { type SessionState, changed } from './session.js'

/** What a related session hands over beyond its fingerprints. */
export interface Inheritance {
  /** Index into EXPOSURES. */
  readonly exposure: number
  /** Index into TAINTS. */
  readonly taint: number
}

const DATA = TAINTS.indexOf('data')
const INSTRUCTIONS = TAINTS.indexOf('instructions')

const hasAny = (list: readonly string[] | undefined): boolean => list !== undefined && list.length > 0

export function inheritanceOf({ confidentiality, taint, unseen, fingerprints = {} }: Inherits): Inheritance {
  const { untrusted, instructed, sensitive } = fingerprints
  const isSensitive = unseen === true || hasAny(sensitive)
  const reported = taint ? TAINTS.indexOf(taint) : 0
  const read = hasAny(instructed) ? INSTRUCTIONS : hasAny(untrusted) ? DATA : 0
  return {
    exposure: Math.max(exposureIndex(confidentiality), isSensitive ? SENSITIVE_EXPOSURE : 0),
    taint: Math.max(reported, read),
  }
}

/**
 * Whether scorers can see any of it: fingerprints, or that the relative follows instructions. A client without a key reports neither,
 * and a session must not lose its labels-only status because it has delegated.
 */
export const hasReport = (inherits: Inherits | undefined): boolean =>
  inherits !== undefined &&
  (inherits.fingerprints !== undefined || inheritanceOf(inherits).taint === INSTRUCTIONS)

/** `state` raised to what a related session hands over. None of it counts as the task's or as trusted. */
export function inherit(state: SessionState, inherits: Inherits): SessionState {
  const { exposure, taint } = inheritanceOf(inherits)
  const safety = raiseExposure(state.safety, exposure)
  return changed(state, {
    safety,
    level: Math.max(state.level, riskLevelOf(safety)),
    taint: Math.max(state.taint, taint),
    held: state.held || inherits.held === true,
    codeWritten: state.codeWritten || inherits.codeWritten === true,
    // Both may work on the same files, and what the relative wrote is not reported.
    filesMayHold: state.filesMayHold || exposure >= SENSITIVE_EXPOSURE,
    sources: mergeInherited(state.sources, inherits, exposure),
    approvals: withoutPrograms(state.approvals),
    calls: interrupted(state.calls),
  })
}

/** Instructions first: full sources forget the first part last. */
function mergeInherited(
  sources: Sources,
  { fingerprints = {}, unseen }: Inherits,
  exposure: number,
): Sources {
  const { untrusted = [], instructed = [], sensitive = [] } = fingerprints
  let read = addSource(sources, instructed, UNTRUSTED | INSTRUCTED)
  read = addSource(read, untrusted, UNTRUSTED)
  read = addSource(read, sensitive, SENSITIVE)
  const isWhole = unseen !== true && sensitive.length > 0 && sensitive.length < LISTED_MAX
  return exposure >= SENSITIVE_EXPOSURE && !isWhole ? blinded(read) : read
}

const FOUND = new Uint8Array(LOOKED_UP_MAX)

/**
 * The fingerprints of a task that were not inherited; `sources` are as inherited. An agent wrote the task of a delegated session, so
 * what that agent has read elsewhere was not named by the user. If it followed instructions that are not fully reported, none of the
 * task's values count as the user's.
 */
export function namedByTask(
  sources: Sources,
  inherits: Inherits,
  fingerprints: readonly string[],
): readonly string[] {
  const { instructed = [] } = inherits.fingerprints ?? {}
  const isAllReported = instructed.length > 0 && instructed.length < LISTED_MAX
  if (inheritanceOf(inherits).taint === INSTRUCTIONS && !isAllReported) return []
  return notRead(sources, fingerprints)
}

/**
 * The same for later instructions to a delegated session. Their author hears its results, so it may have read whatever the session has
 * read. If anything read was forgotten, none of these values count as the user's.
 */
export const namedByMessage = (
  { sources, taint }: Pick<SessionState, 'sources' | 'taint'>,
  fingerprints: readonly string[],
): readonly string[] =>
  taint === INSTRUCTIONS || mayHaveEvicted(sources) ? [] : notRead(sources, fingerprints)

/** Those of `fingerprints` that were seen nowhere, or that the task named before. */
function notRead(sources: Sources, fingerprints: readonly string[]): readonly string[] {
  lookUpSources(sources, fingerprints, FOUND)
  return fingerprints.filter((_, i) => i < LOOKED_UP_MAX && ((FOUND[i] ?? 0) & ~TASK) === 0)
}
