import type { Signals } from '@plimsoll/contracts'
import { readTable, signalsIn } from '../text/data.js'
import {
  CLASSES,
  FEATURE_COUNT,
  LEAD,
  PAIR,
  PREFIX,
  PRESENCE,
  SURFACE,
  SURFACE_FEATURES,
  numberIn,
} from './features.js'
import type { Outline } from './outline-buffers.js'

/**
 * Kinds of evidence for an instruction:
 * - `override`: drop earlier instructions
 * - `authority`: comes from the user or an administrator
 * - `precedence`: do this first
 * - `toolcall`: names tools and arguments
 * - `secrecy`: do not tell or ask the user
 * - `delimited`: set off by tags, rules or capitals
 * - `addressed`: speaks to a model or its reader
 * - `urgency`: at once
 * - `demand`: a bare command with what is needed to carry it out
 */
export const KINDS = signalsIn(readTable<object>('instructions', 'evidence'))

/** Strength of each feature for a kind, 0…1, set by hand. It describes an instruction but does not decide whether there is one. */
const EVIDENCE = readTable<Readonly<Record<string, Readonly<Record<string, number>>>>>(
  'instructions',
  'evidence',
)

const BASES: Readonly<Record<string, number>> = { has: PRESENCE, begins: LEAD, labelled: PREFIX }

/** Parses a feature: `has model`, `shows tagged`; `near you must` means `you` a few words before `must`. */
function featureOf(description: string): number {
  const [how = '', first = '', second = ''] = description.split(' ')
  if (how === 'shows') return SURFACE + numberIn(SURFACE_FEATURES, first)
  if (how === 'near') return PAIR + numberIn(CLASSES, second) * CLASSES.length + numberIn(CLASSES, first)
  return (BASES[how] ?? Number.NaN) + numberIn(CLASSES, first)
}

/** Kinds and strengths by feature; most features have none. */
const entriesOf = new Map<number, { kind: number; strength: number }[]>()
const hasEntries = new Uint8Array(FEATURE_COUNT)
for (const [kind, name] of KINDS.entries())
  for (const [description, strength] of Object.entries(EVIDENCE[name] ?? {})) {
    const feature = featureOf(description)
    const entries = entriesOf.get(feature) ?? []
    entries.push({ kind, strength })
    entriesOf.set(feature, entries)
    hasEntries[feature] = 1
  }

/** Scratch space without meaning between two calls. */
const doubt = new Float64Array(KINDS.length)
const inSegment = new Float64Array(KINDS.length)

/** Strength of each kind over segments with a score of at least `least`. Evidence adds up to at most the segment's score. */
export function kindsOf(outline: Outline, score: Float64Array, least: number): Signals {
  doubt.fill(1)
  for (let s = 0; s < outline.count; s++) {
    const probability = score[s] ?? 0
    if (probability < least) continue
    inSegment.fill(1)
    const to = outline.from[s + 1] ?? 0
    for (let k = outline.from[s] ?? 0; k < to; k++) {
      const feature = outline.features[k] ?? 0
      if (hasEntries[feature] === 0) continue
      for (const { kind, strength } of entriesOf.get(feature) ?? [])
        inSegment[kind] = (inSegment[kind] ?? 1) * (1 - strength)
    }
    for (let kind = 0; kind < KINDS.length; kind++)
      doubt[kind] = (doubt[kind] ?? 1) * (1 - probability * (1 - (inSegment[kind] ?? 1)))
  }
  const signals: Signals = {}
  for (let kind = 0; kind < KINDS.length; kind++) {
    const name = KINDS[kind]
    if (name) signals[name] = rounded(1 - (doubt[kind] ?? 1))
  }
  return signals
}

const rounded = (share: number): number => Math.round(share * 1_000) / 1_000
