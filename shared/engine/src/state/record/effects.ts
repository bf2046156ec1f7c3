import { type StepEffect, RELATIONS } from '../../effects/effects.js'
import { EFFECT_ACTS, OBJECT_KINDS, REACHES } from '../../labels/words.js'
import { type Row, numberOf, textOf } from './rows.js'

/** Bits beside the place of the relation; `other` is unnamed with a bit of its own, as older records have no more places. */
const INCOMPLETE = 4
const BY_NAME = 8
const OTHER = 16
const UNNAMED = RELATIONS.indexOf('unnamed')

/** Indices into the vocabularies, −1 for what is not known; the relation and whether the effect is incomplete share a number. */
export const encodeEffect = ({
  act,
  object,
  reach,
  relation,
  incomplete,
  byName,
  fingerprint,
}: StepEffect): Row => [
  EFFECT_ACTS.indexOf(act),
  placeIn(OBJECT_KINDS, object),
  placeIn(REACHES, reach),
  (relation === 'other' ? UNNAMED + OTHER : RELATIONS.indexOf(relation)) +
    (incomplete ? INCOMPLETE : 0) +
    (byName ? BY_NAME : 0),
  fingerprint,
]

const placeIn = <T>(words: readonly (T | undefined)[], word: T | undefined): number => words.indexOf(word)

/** Anything else reads as another effect, so that the record no longer equals its text. */
export function decodeEffect(row: Row): StepEffect {
  const [act, object, reach, relation, fingerprint] = row
  return {
    act: EFFECT_ACTS[numberOf(act)] ?? 'delete',
    object: OBJECT_KINDS[numberOf(object)],
    reach: REACHES[numberOf(reach)],
    relation: (numberOf(relation) & OTHER) !== 0 ? 'other' : (RELATIONS[numberOf(relation) & 3] ?? 'unknown'),
    incomplete: (numberOf(relation) & INCOMPLETE) !== 0,
    byName: (numberOf(relation) & BY_NAME) !== 0,
    fingerprint: textOf(fingerprint),
  }
}

/** Whether the engine can produce the fingerprint of an effect. */
export const isSoundEffect = ({ fingerprint }: StepEffect): boolean =>
  /^(?:[acupingwtd][a-z2-7]{7})?$/.test(fingerprint)
