import { FINGERPRINTS_MAX } from '@plimsoll/contracts'
import { bitsOf } from '../session.js'

/** Fingerprints of one class that a session has told of: as many as one list of an event holds. */
export interface ReportedValues {
  add(fingerprints: readonly string[] | undefined): void
  list(): string[]
  /** Whether some had no room. */
  isCut(): boolean
}

const DISTINCTIVE_KINDS = 'acupin'
/** Places that stretches of text and words are left with where there are more values than find room. */
const OTHERS_MIN = 32

export const isDistinctive = (fingerprint: string): boolean =>
  DISTINCTIVE_KINDS.includes(fingerprint.charAt(0))

/**
 * The newest stay, and of one list those that stand first, the most telling; values before stretches of text and words, some of which
 * stay as well. Called for every result, so each fingerprint is looked at once.
 */
export function createReportedValues(): ReportedValues {
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
    add: (fingerprints = []) => {
      for (let i = fingerprints.length - 1; i >= 0; i--) keep(fingerprints[i] ?? '')
      makeRoom()
    },
    list: () => [...[...values.values()].toReversed(), ...[...others.values()].toReversed()],
    isCut: () => isCut,
  }
}

function dropOldest(known: Map<string, string>, count: number): void {
  let left = count
  for (const bits of known.keys()) {
    if (left-- <= 0) return
    known.delete(bits)
  }
}
