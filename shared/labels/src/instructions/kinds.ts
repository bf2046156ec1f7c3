import type { Signals } from '@plimsoll/contracts'
import {
  type SurfaceFeature,
  type WordClass,
  CLASSES,
  FEATURE_COUNT,
  LEAD,
  SURFACE,
  SURFACE_FEATURES,
  PAIR,
  PREFIX,
  PRESENCE,
} from './features.js'
import type { Outline } from './outline.js'

/**
 * What makes an instruction strong, by kind. `override`: drop what you were told. `authority`: from the user, an administrator.
 * `precedence`: do this first. `toolcall`: names tools and arguments. `secrecy`: tell nobody, ask nobody. `delimited`: set off by
 * tags, rules, capitals. `addressed`: speaks to a model or to its reader. `urgency`: at once. `demand`: a bare command with what it
 * takes to carry it out.
 */
export const KINDS = [
  'override',
  'authority',
  'precedence',
  'toolcall',
  'secrecy',
  'delimited',
  'addressed',
  'urgency',
  'demand',
] as const
export type Kind = (typeof KINDS)[number]

const has = (name: WordClass): number => PRESENCE + CLASSES.indexOf(name)
const begins = (name: WordClass): number => LEAD + CLASSES.indexOf(name)
const labelled = (name: WordClass): number => PREFIX + CLASSES.indexOf(name)
const shows = (mark: SurfaceFeature): number => SURFACE + SURFACE_FEATURES.indexOf(mark)
/** `first` comes a few words before `second`. */
const near = (first: WordClass, second: WordClass): number =>
  PAIR + CLASSES.indexOf(second) * CLASSES.length + CLASSES.indexOf(first)

/** How strongly each feature speaks for a kind, 0…1, set by hand: they say what an instruction is like, not whether it is one. */
const EVIDENCE: Readonly<Record<Kind, readonly (readonly [feature: number, strength: number])[]>> = {
  override: [
    [near('override', 'directive'), 0.8],
    [near('override', 'prior'), 0.5],
    [near('override', 'task'), 0.5],
    [near('directive', 'override'), 0.4],
    [near('not', 'obey'), 0.3],
    [begins('override'), 0.3],
    [has('override'), 0.1],
  ],
  authority: [
    [near('me', 'user'), 0.5],
    [near('me', 'authority'), 0.4],
    [near('user', 'me'), 0.3],
    [near('authority', 'authority'), 0.3],
    [labelled('authority'), 0.5],
    [labelled('user'), 0.5],
    [has('user'), 0.25],
    [has('authority'), 0.25],
  ],
  precedence: [
    [near('order', 'you'), 0.4],
    [near('order', 'task'), 0.4],
    [near('task', 'order'), 0.4],
    [near('order', 'run'), 0.3],
    [near('run', 'order'), 0.3],
    [near('run', 'task'), 0.3],
    [has('order'), 0.15],
  ],
  toolcall: [
    [near('run', 'tool'), 0.6],
    [near('tool', 'identifier'), 0.7],
    [near('identifier', 'tool'), 0.5],
    [near('run', 'identifier'), 0.6],
    [has('identifier'), 0.3],
    [has('tool'), 0.15],
  ],
  secrecy: [
    [near('not', 'hide'), 0.7],
    [near('not', 'say'), 0.3],
    [near('hide', 'user'), 0.4],
    [near('hide', 'model'), 0.2],
    [has('hide'), 0.1],
  ],
  delimited: [
    [shows('tagged'), 0.5],
    [shows('ruled'), 0.5],
    [shows('commented'), 0.4],
    [shows('bracketed'), 0.2],
    [shows('mostlyCapitals'), 0.4],
    [shows('capitals'), 0.2],
    [shows('prefixed'), 0.15],
    [labelled('model'), 0.4],
    [labelled('task'), 0.4],
    [labelled('directive'), 0.4],
    [labelled('urgent'), 0.3],
  ],
  addressed: [
    [has('model'), 0.4],
    [near('you', 'model'), 0.5],
    [near('model', 'you'), 0.5],
    [begins('model'), 0.4],
    [labelled('model'), 0.5],
    [near('you', 'must'), 0.3],
    [has('you'), 0.15],
  ],
  urgency: [
    [has('urgent'), 0.4],
    [near('urgent', 'urgent'), 0.4],
    [shows('shouted'), 0.4],
    [shows('exclaimed'), 0.15],
    [shows('mostlyCapitals'), 0.2],
  ],
  demand: [
    [shows('commandWithPlace'), 0.5],
    [shows('commandWithNumber'), 0.4],
    [shows('actWithValue'), 0.3],
    [shows('myAssets'), 0.2],
    [shows('bareCommand'), 0.3],
    [near('all', 'asset'), 0.3],
    [near('must', 'send'), 0.3],
    [near('must', 'run'), 0.3],
  ],
}

/** Per feature, where its entries begin in the list of kinds and strengths; most have none. */
const entriesOf = new Map<number, { kind: number; strength: number }[]>()
const hasEntries = new Uint8Array(FEATURE_COUNT)
for (const [kind, name] of KINDS.entries())
  for (const [feature, strength] of EVIDENCE[name]) {
    const entries = entriesOf.get(feature) ?? []
    entries.push({ kind, strength })
    entriesOf.set(feature, entries)
    hasEntries[feature] = 1
  }

/** Strength of each kind over the segments of `score` at least `least`: what speaks for it adds up, and never beyond the segment's score. */
export function kindsOf(outline: Outline, score: Float64Array, least: number): Signals {
  const doubt = new Float64Array(KINDS.length).fill(1)
  const inSegment = new Float64Array(KINDS.length)
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
  return Object.fromEntries(KINDS.map((kind, index) => [kind, rounded(1 - (doubt[index] ?? 1))]))
}

const rounded = (share: number): number => Math.round(share * 1_000) / 1_000
