import {
  type Handover,
  type Inherits,
  type Taint,
  CONFIDENTIALITIES,
  FINGERPRINTS_MAX,
  PlimsollError,
  TAINTS,
  formatIssues,
  handoverSchema,
} from '@plimsoll/contracts'
import type { Relative } from '../session.js'
import { raiseConfidentiality, raiseSignals, raiseTaint } from './raise.js'

/** The highest inherited state, for a session whose past is unknown. */
export const WORST: Inherits = {
  taint: 'instructions',
  confidentiality: 'credentials',
  unseen: true,
  codeWritten: true,
}

/** Throws `schema_invalid` for anything that is not a session's handover. */
export function handoverOf(relative: Relative): Handover {
  if ('handover' in relative) return relative.handover()
  const { data, error } = handoverSchema.safeParse(relative)
  if (data) return data
  throw new PlimsollError('schema_invalid', `\`handover\`: ${formatIssues(error)}`)
}

/**
 * The state to inherit from a handover, for a client whose key of the root session is `key`. Fingerprints under another key match
 * nothing, so they are replaced by what they stand for.
 */
export function inheritedFrom({ inherits, key: itsKey }: Handover, key: string | undefined): Inherits {
  if (itsKey === key) return inherits
  const { confidentiality, unseen, fingerprints = {} } = inherits
  const { untrusted, instructed, sensitive } = fingerprints
  const read: Taint = hasAny(instructed) ? 'instructions' : hasAny(untrusted) ? 'data' : 'none'
  return {
    taint: raiseTaint(inherits.taint, read),
    confidentiality,
    unseen: unseen === true || hasAny(sensitive),
    held: inherits.held === true,
    codeWritten: inherits.codeWritten === true,
  }
}

const hasAny = (list: readonly string[] | undefined): boolean => list !== undefined && list.length > 0

/**
 * Both handovers as one, under the first one's root: the only key that the new session has. Fingerprints of the other under a different
 * key are replaced as in `inheritedFrom`.
 */
export function joinHandovers(
  first: Handover | undefined,
  other: Handover | undefined,
): Handover | undefined {
  if (!first || !other) return first ?? other
  const { inherits } = first
  const also = inheritedFrom(other, first.key)
  const { fingerprints, isCut } = joinFingerprints(inherits.fingerprints, also.fingerprints)
  return {
    ...first,
    inherits: {
      taint: raiseTaint(inherits.taint, also.taint),
      confidentiality: raiseConfidentiality(inherits.confidentiality, also.confidentiality),
      unseen: inherits.unseen === true || also.unseen === true || isCut,
      held: inherits.held === true || also.held === true,
      codeWritten: inherits.codeWritten === true || also.codeWritten === true,
      ...(fingerprints && { fingerprints }),
    },
    signals: raiseSignals(first.signals, other.signals),
  }
}

/** Both inherited states as one, of the same root and key. */
export function joinInherits(a: Inherits | undefined, b: Inherits): Inherits {
  const of = (inherits: Inherits): Handover => ({ root: 'lineage', inherits })
  return joinHandovers(a && of(a), of(b))?.inherits ?? b
}

type Fingerprints = NonNullable<Inherits['fingerprints']>

function joinFingerprints(
  a: Fingerprints | undefined,
  b: Fingerprints | undefined,
): { readonly fingerprints: Fingerprints | undefined; readonly isCut: boolean } {
  if (!a || !b) return { fingerprints: a ?? b, isCut: false }
  const [untrusted, instructed, sensitive] = LISTS.map((name) => {
    const values = createFingerprintList()
    values.add(a[name])
    values.add(b[name])
    return values
  })
  return {
    fingerprints: {
      untrusted: untrusted?.list(),
      instructed: instructed?.list(),
      sensitive: sensitive?.list(),
    },
    isCut: sensitive?.isCut() ?? false,
  }
}

const LISTS = ['untrusted', 'instructed', 'sensitive'] as const

/** Whether `other` holds anything that `known` does not. */
export function addsTo({ inherits: known, key }: Handover, other: Handover): boolean {
  const { taint, confidentiality, unseen, held, codeWritten, fingerprints = {} } = other.inherits
  if (TAINTS.indexOf(taint ?? 'none') > TAINTS.indexOf(known.taint ?? 'none')) return true
  if (levelOf(confidentiality) > levelOf(known.confidentiality)) return true
  if (unseen === true && known.unseen !== true) return true
  if (held === true && known.held !== true) return true
  if (codeWritten === true && known.codeWritten !== true) return true
  return LISTS.some((list) => {
    const theirs = fingerprints[list] ?? []
    if (key !== other.key) return theirs.length > 0 && !isImplied(list, known)
    const mine = new Set(known.fingerprints?.[list])
    return theirs.some((fingerprint) => !mine.has(fingerprint))
  })
}

const levelOf = (confidentiality: Inherits['confidentiality']): number =>
  confidentiality === undefined ? -1 : CONFIDENTIALITIES.indexOf(confidentiality)

/** Whether `known` already covers what fingerprints under another key stand for. */
function isImplied(list: (typeof LISTS)[number], { taint, unseen }: Inherits): boolean {
  if (list === 'sensitive') return unseen === true
  return taint === 'instructions' || (list === 'untrusted' && taint === 'data')
}

/** `inherits` without fingerprints of the user's task: values that the user named count for every session that works for them. */
export function withoutNamed(inherits: Inherits, task: readonly string[]): Inherits {
  const { fingerprints } = inherits
  if (!fingerprints || task.length === 0) return inherits
  const named = new Set(task.map(bitsOf))
  const unnamed = (list: readonly string[] | undefined) => list?.filter((each) => !named.has(bitsOf(each)))
  const { untrusted, instructed, sensitive } = fingerprints
  const isAllNamed = hasAny(sensitive) && !hasAny(unnamed(sensitive))
  return {
    ...inherits,
    fingerprints: {
      untrusted: unnamed(untrusted),
      instructed: unnamed(instructed),
      // An empty list could not show that everything sensitive is known.
      sensitive: isAllNamed ? sensitive : unnamed(sensitive),
    },
  }
}

/** Equal values have equal bits, whatever their kind (the first letter). */
const bitsOf = (fingerprint: string): string => fingerprint.slice(1)

const DISTINCTIVE_KINDS = 'acupin'
/** Places kept for stretches of text and words when there are more distinctive values than fit. */
const OTHERS_MIN = 32

export const isDistinctive = (fingerprint: string): boolean =>
  DISTINCTIVE_KINDS.includes(fingerprint.charAt(0))

/**
 * Fingerprints of one class, as many as a list of an event holds. Keeps the newest, of one list the first (the most distinctive), and
 * distinctive values before stretches of text and words. Called for every result, so each fingerprint is visited once.
 */
export function createFingerprintList() {
  // By their bits, the oldest first.
  const values = new Map<string, string>()
  const others = new Map<string, string>()
  let isCut = false

  function keep(fingerprint: string): void {
    const bits = bitsOf(fingerprint)
    if (values.has(bits)) return
    if (!isDistinctive(fingerprint)) {
      others.set(bits, fingerprint)
      return
    }
    others.delete(bits)
    values.set(bits, fingerprint)
  }

  function makeRoom(): void {
    const surplus = values.size + others.size - FINGERPRINTS_MAX
    if (surplus <= 0) return
    isCut = true
    const fromOthers = Math.min(surplus, Math.max(0, others.size - OTHERS_MIN))
    dropOldest(others, fromOthers)
    dropOldest(values, surplus - fromOthers)
  }

  return {
    add: (fingerprints: readonly string[] = []): void => {
      for (let i = fingerprints.length - 1; i >= 0; i--) keep(fingerprints[i] ?? '')
      makeRoom()
    },
    list: (): string[] => [...[...values.values()].toReversed(), ...[...others.values()].toReversed()],
    /** Whether some did not fit. */
    isCut: () => isCut,
  }
}

function dropOldest(known: Map<string, string>, count: number): void {
  for (const bits of [...known.keys()].slice(0, count)) known.delete(bits)
}
