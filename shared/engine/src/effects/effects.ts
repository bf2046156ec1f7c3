import type { Act, EffectAct, EventOf, ObjectKind, Reach, ReasonEffect, Signals } from '@plimsoll/contracts'
import { type Acts, LOSING, actsDoneIn } from '../labels/safety-state.js'
import { ACTS, ACT_OF_EFFECT } from '../labels/words.js'
import { type Own, isOwn } from '../provenance/own.js'
import { type Records, mayMeanMore, relationOf } from '../provenance/records.js'
import { areNamed } from '../provenance/named.js'
import type { Sources } from '../provenance/sources.js'
import { withoutLesserNamed } from './lesser-named.js'

type Proposal = Pick<EventOf<'step.proposed'>, 'effects' | 'signals'>

/** What a session's record knows. */
interface Known {
  readonly asked: Acts
  readonly own: Own
  readonly records: Records
  readonly sources: Sources
}

/**
 * How the session stands to an object: made it, or its machine is disposable; its task names it or does not; `other`: a list showed it beside
 * what the task names; `unknown`: it is not known, or was not needed.
 */
export const RELATIONS = ['unknown', 'own', 'named', 'unnamed', 'other'] as const
export type Relation = (typeof RELATIONS)[number]

/** One thing that a step does to one object, as the session's record shows it. */
export interface StepEffect {
  readonly act: EffectAct
  /** Undefined if it is not known; so is `reach`. */
  readonly object: ObjectKind | undefined
  readonly reach: Reach | undefined
  readonly relation: Relation
  /** Whether the step may do the same to more than this. */
  readonly incomplete: boolean
  /** Whether a task asks for it by naming the object alone. */
  readonly byName: boolean
  /** Of its first name; empty if it has none. */
  readonly fingerprint: string
}

/**
 * The reported effects of a proposal, in their order. What the task names is only looked up if it asks for an act, or can ask by naming an
 * object. O(fingerprints + sources) where something is looked up, else O(fingerprints × own things).
 */
export function effectsOf(
  { asked, own, records, sources }: Known,
  { effects, signals }: Proposal,
): readonly StepEffect[] | undefined {
  if (effects === undefined) return undefined
  const mayName = asked !== 0 || (signals?.byName ?? 0) > 0
  const objects = effects.map(({ names = [] }) => names)
  const named = mayName ? areNamed(sources, objects) : undefined
  const meant = named && !mayMeanMore(records) ? withoutLesserNamed(named, sources, effects) : named
  return effects.map(({ act, object, reach, names, incomplete, byName, ofRecord }, i): StepEffect => {
    const isMade = names !== undefined && isOwn(own, names)
    const isLostAnyway = isMade || reach === 'disposable'
    return {
      act,
      object,
      reach: isMade ? 'own' : reach === 'own' ? undefined : reach,
      relation: isLostAnyway ? 'own' : relationTo(records, names, ofRecord, meant?.[i]),
      incomplete: incomplete === true,
      byName: byName === true,
      fingerprint: names?.[0] ?? '',
    }
  })
}

/** @param isNamed undefined if nothing was looked up */
function relationTo(
  records: Records,
  names: readonly string[] | undefined,
  ofRecord: true | undefined,
  isNamed: boolean | undefined,
): Relation {
  if (names === undefined) return 'unknown'
  if (isNamed === true) return 'named'
  if (ofRecord) return relationOf(records, names) ?? 'unknown'
  return isNamed === undefined ? 'unknown' : 'unnamed'
}

/** The effect that an act is where nothing more is known. */
export const effectOfAct = (act: Act): EffectAct =>
  act === 'overwrite' || act === 'credential' ? 'change' : act

const BITS = new Map<Act | undefined, Acts>(ACTS.map((act, i) => [act, 1 << i]))

/** Whether the task does not name an object. */
export const isUnnamed = ({ relation }: Pick<StepEffect, 'relation'>): boolean =>
  relation === 'unnamed' || relation === 'other'

/** The bit of the irreversible act behind an effect; 0 if there is none. */
export const actBit = ({ act }: Pick<StepEffect, 'act'>): Acts => BITS.get(ACT_OF_EFFECT[act]) ?? 0

/** The acts of a step without losses of nothing but the session's own. */
export function actsBeyondOwn(
  signals: Signals | undefined,
  effects: readonly StepEffect[] | undefined,
): Acts {
  const does = actsDoneIn(signals)
  if (!effects) return does
  let [own, others] = [0, 0]
  for (const effect of effects)
    if (effect.relation === 'own') own |= actBit(effect)
    else others |= actBit(effect)
  return does & ~(own & ~others & LOSING)
}

/** The effects behind the acts `does`, without those on the session's own things. */
export const effectsBehind = (effects: readonly StepEffect[], does: Acts): readonly StepEffect[] =>
  effects.filter((each) => each.relation !== 'own' && (actBit(each) & does) !== 0)

/**
 * The acts whose every effect is on an object by whose name alone a task asks for it. A task that only looks orders no change of what it
 * names.
 */
export function actsByName(looksOnly: boolean, behind: readonly StepEffect[]): Acts {
  let [byName, others] = [0, 0]
  for (const effect of behind)
    if (!looksOnly && effect.byName && effect.relation === 'named') byName |= actBit(effect)
    else others |= actBit(effect)
  return byName & ~others
}

/** An effect as a reason tells it; `at` is its place among those of the step. */
export const reportedEffect = (
  effect: StepEffect,
  effects: readonly StepEffect[],
  why: ReasonEffect['why'],
): ReasonEffect => ({
  act: effect.act,
  ...(effect.object && { object: effect.object }),
  ...(effect.reach && { reach: effect.reach }),
  certainty: effect.incomplete ? 'incomplete' : 'understood',
  ...(effect.fingerprint !== '' && { fingerprint: effect.fingerprint }),
  at: effects.indexOf(effect),
  why,
})
