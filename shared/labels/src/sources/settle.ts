import type { Hint } from './annotations.js'
import { worseBy, type Claim, type LabelName, type LabelValues, type Source } from './claim.js'

/** Two sources that do not agree about a label. */
export interface Contradiction {
  readonly label: LabelName
  readonly kept: { readonly source: Source; readonly value: string }
  readonly other: { readonly source: Source; readonly value: string; readonly reason: string }
  /** Whether what was not kept is the worse: the tool may be more dangerous than it is labelled. */
  readonly isWorse: boolean
}

export interface Settled<K extends LabelName = LabelName> {
  readonly claim: Claim<K>
  readonly contradictions: readonly Contradiction[]
}

/** What is said of one label, by source. */
export interface Said<K extends LabelName> {
  readonly catalogue: Claim<K> | undefined
  readonly meta: Claim<K> | undefined
  readonly hints: readonly Hint<K>[]
  readonly heuristics: Claim<K> | undefined
  /** Whether what the server says of itself is believed against its own names. */
  readonly trustsServer: boolean
}

/** From here on a reading of the name is held against a server that says milder of itself. */
export const CONFIDENT = 0.7

/** Where nothing is known: the worst of what is ordinary. */
const UNKNOWN: LabelValues = {
  capability: 'write',
  confidentiality: 'internal',
  trust: 'untrusted',
  reversibility: 'partial',
}

/**
 * One label out of all that is said of it. The catalogue stands. Below it, the server's own labels go before the name, and hints narrow
 * what the name says; but neither makes a tool milder than its name says with confidence, unless the server is trusted.
 */
export function settle<K extends LabelName>(label: K, said: Said<K>): Settled<K> {
  const claim = said.catalogue ?? uncatalogued(label, said)
  return { claim, contradictions: contradictionsOf(label, claim, said) }
}

function uncatalogued<K extends LabelName>(label: K, said: Said<K>): Claim<K> {
  const { meta, heuristics, hints, trustsServer } = said
  const isHeld = (value: LabelValues[K]): boolean =>
    !trustsServer && isConfident(heuristics) && worseBy(label, heuristics.value, value) > 0
  if (meta) return heuristics && isHeld(meta.value) ? heuristics : meta
  return hints.reduce<Claim<K>>(
    (claim, { value, bound, reason }) => {
      if (isOutweighed({ reason }, heuristics)) return claim
      const by = worseBy(label, value, claim.value)
      const isApplied = bound === 'atLeast' ? by > 0 : by < 0 && !isHeld(value)
      return isApplied ? { value, source: 'annotations', confidence: 0.6, reason } : claim
    },
    heuristics ?? unknown(label),
  )
}

/**
 * A hint that a server gives to all of its tools alike says less than what a tool's own words say: that its world is open, where what comes
 * back is known; that it may destroy, where name and description both say that it looks.
 */
function isOutweighed({ reason }: Pick<Hint, 'reason'>, heuristics: Claim | undefined): boolean {
  if (reason === 'openWorldHint') return isConfident(heuristics)
  return reason === 'destructiveHint' && heuristics?.isAgreed === true
}

const isConfident = (claim: Claim | undefined): claim is Claim =>
  claim !== undefined && claim.confidence >= CONFIDENT

const unknown = <K extends LabelName>(label: K): Claim<K> => ({
  value: UNKNOWN[label],
  source: 'unknown',
  confidence: 0.1,
  reason: 'nothing tells',
})

function contradictionsOf<K extends LabelName>(
  label: K,
  kept: Claim<K>,
  said: Said<K>,
): readonly Contradiction[] {
  const { meta, heuristics, hints } = said
  const others: { value: LabelValues[K]; source: Source; reason: string }[] = []
  if (meta && meta.value !== kept.value) others.push(meta)
  for (const { value, bound, reason } of hints)
    if (reason === 'openWorldHint' && isOutweighed({ reason }, heuristics)) continue
    else if (
      bound === 'atLeast' ? worseBy(label, value, kept.value) > 0 : worseBy(label, value, kept.value) < 0
    )
      others.push({ value, source: 'annotations', reason })
  // A guess that is milder than what is known is no news.
  if (
    isConfident(heuristics) &&
    kept.source !== 'heuristics' &&
    worseBy(label, heuristics.value, kept.value) > 0
  )
    others.push(heuristics)
  return others.map(({ value, source, reason }) => ({
    label,
    kept: { source: kept.source, value: kept.value },
    other: { source, value, reason },
    isWorse: worseBy(label, value, kept.value) > 0,
  }))
}
