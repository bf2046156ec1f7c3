import {
  ACTS,
  ACT_OF_EFFECT,
  type Act,
  type Effect,
  type Reach,
  type Reason,
  type ReasonEffect,
} from '@plimsoll/contracts'

/** A session whose agent has made things, and a step that cannot be taken back, wholly or in part. */
export interface NaiveDeed {
  readonly asks: ReadonlySet<Act>
  readonly looksOnly: boolean
  readonly named: ReadonlySet<string>
  readonly made: ReadonlySet<string>
  readonly isFinal: boolean
  /** What its signals say it does. */
  readonly does: ReadonlySet<Act>
  readonly isProgram: boolean
  /** Whether its signals say that naming the object is enough. */
  readonly byName: boolean
  readonly effects: readonly Effect[]
}

/** The `irreversible` reason, as far as it depends on effects: `none`, the message of one without an effect, or its effect. */
export type NaiveUnasked = string | ReasonEffect

const LOOKS = 'this step changes something on another system, and the task only asks to look'
const NOT_ASKED = 'this step cannot be taken back, and the task does not ask for it'
const DONE: Readonly<Record<Act, string>> = {
  delete: 'deletes something',
  overwrite: 'overwrites something',
  pay: 'pays something',
  publish: 'publishes something',
  send: 'sends something',
  grant: 'loosens access or checks',
  credential: 'overwrites something',
}

const LOST: ReadonlySet<Act> = new Set(['delete', 'overwrite'])
const LASTING: ReadonlySet<Act> = new Set(['pay', 'grant', 'credential'])

/** Source: docs/decisions/20261127-effects.md. */
export function naiveUnasked(deed: NaiveDeed): NaiveUnasked {
  const { asks, looksOnly, named, made, isFinal, does, effects } = deed
  if (looksOnly && asks.size === 0 && effects.some(({ act }) => act === 'request')) return LOOKS
  const ofAct = (act: Act) => effects.filter((each) => ACT_OF_EFFECT[each.act] === act)
  const isMade = ({ names = [] }: Effect) => names.some((name) => made.has(name))
  const isOwn = (effect: Effect) => isMade(effect) || effect.reach === 'disposable'
  // The loss of nothing but own things is none.
  const left = ACTS.filter(
    (act) => does.has(act) && !(LOST.has(act) && ofAct(act).length > 0 && ofAct(act).every(isOwn)),
  )
  if (!isFinal && !left.some((act) => LASTING.has(act))) return 'none'
  if (left.length === 0) return deed.isProgram || effects.some(isOwn) ? 'none' : NOT_ASKED
  const others = effects.filter((effect) => !isOwn(effect) && left.some((act) => ofAct(act).includes(effect)))
  // Who asks for nothing, and cannot ask by a name, need not name anything.
  const isCompared = asks.size > 0 || deed.byName
  const isNamed = ({ names = [] }: Effect) => names.some((name) => named.has(name))
  const isUnnamed = (effect: Effect) => isCompared && effect.names !== undefined && !isNamed(effect)
  const isAskedByName = (effect: Effect) =>
    !looksOnly && effect.byName === true && isCompared && effect.names !== undefined && isNamed(effect)
  const isAsked = (act: Act) => {
    const ofIt = others.filter((each) => ofAct(act).includes(each))
    if (asks.has(act) || (ofIt.length > 0 && ofIt.every(isAskedByName))) return true
    if (act === 'overwrite') return asks.has('delete')
    const isStopped = others.some(({ act: done }) => done === 'stop')
    // What is to run again has to stop.
    return (
      act === 'delete' && asks.has('publish') && isStopped && !others.some((each) => each.act === 'delete')
    )
  }
  const lacking = left.find((act) => !isAsked(act))
  const why = lacking ? 'not_asked' : 'not_named'
  const about = others.find((each) => (lacking ? ofAct(lacking).includes(each) : isUnnamed(each)))
  if (!about) return lacking ? `${DONE[lacking]}, which the task does not ask for` : 'none'
  const { act, object, incomplete, names: [fingerprint] = [] } = about
  const reach = reachOf(about)
  return {
    act,
    ...(object && { object }),
    ...(reach && { reach }),
    certainty: incomplete ? 'incomplete' : 'understood',
    ...(fingerprint !== undefined && { fingerprint }),
    at: effects.indexOf(about),
    why,
  }
}

/** Of what is not own: a client cannot say that it is. */
const reachOf = ({ reach }: Effect): Reach | undefined => (reach === 'own' ? undefined : reach)

/** The same of a decision's reasons. */
export function unaskedIn(reasons: readonly Reason[]): string | ReasonEffect {
  const found = reasons.find(({ source }) => source === 'irreversible')
  return found === undefined ? 'none' : (found.effect ?? found.message)
}
