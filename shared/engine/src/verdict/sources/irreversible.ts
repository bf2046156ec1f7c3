import type { Reason, ReasonEffect, Verdict } from '@plimsoll/contracts'
import {
  type StepEffect,
  actsBeyondOwn,
  actsByName,
  effectOfAct,
  effectsBehind,
  isUnnamed,
  reportedEffect,
} from '../../effects/effects.js'
import { effectSentence } from '../../effects/sentence.js'
import { type Acts, TASK, firstActIn, isGiving, isLasting, isProgram } from '../../labels/safety-state.js'
import { ACTS, ACT_OF_EFFECT, ESCALATIONS, REVERSIBILITIES } from '../../labels/words.js'
import { type Matches, countOf } from '../../provenance/matches.js'
import { type Sources, hasKindIn } from '../../provenance/sources.js'
import type { IntegrityStep } from './integrity.js'

const WRITE = ESCALATIONS.indexOf('file_write')
const NETWORK = ESCALATIONS.indexOf('network')
const DELETE = 1 << ACTS.indexOf('delete')
const PUBLISH = 1 << ACTS.indexOf('publish')
const OVERWRITE = 1 << ACTS.indexOf('overwrite')
const SEND = 1 << ACTS.indexOf('send')
const BY_NAME = (1 << ACTS.indexOf('grant')) | (1 << ACTS.indexOf('publish'))
const IRREVERSIBLE = REVERSIBILITIES.indexOf('irreversible')

/**
 * A step that is irreversible, or that pays, grants or changes a secret, and that the task does not ask for. The task asks for it if it
 * mentions such an act, and names what the act is done to where that is known; for a payment or a grant every recipient must also have been seen before. A program without known irreversible
 * acts is excluded, unless it runs a script of the session that does one: what its text hides is for the line. Source: docs/decisions/20261123-integrity.md. O(1).
 */
export function irreversibleReason(step: IntegrityStep): Reason | undefined {
  const { state, labels, matches, signals, effects, rules } = step
  const { irreversible: verdict } = rules
  if (!verdict || verdict === 'allow' || labels.escalation < WRITE) return undefined
  const does = actsBeyondOwn(signals, effects)
  if (signals?.scripted === 1) return reasonOf(verdict, BY_SCRIPT)
  if ((signals?.scripted ?? 0) > 0) return reasonOf(verdict, BY_SCRIPT_READ)
  if (signals?.exposes === 1 && step.evidence === 'present') return reasonOf(verdict, SECRET_WRITTEN)
  if (signals?.pushes === 1 && state.secretWritten) return reasonOf(verdict, SECRET_PUSHED)
  if (state.looksOnly && state.asked === 0 && (isRequest(effects) || isPrompted(step)))
    return reasonOf(verdict, LOOKS_ONLY)
  const other = otherRecordIn(effects)
  if (effects && other) return reasonOfEffect(verdict, other, effects, 'not_named')
  const isFinal = labels.reversibility >= IRREVERSIBLE
  if (!isFinal && (labels.reversibility === 0 || !isLasting(does))) return undefined
  const isOfOwn = effects?.some(({ relation }) => relation === 'own') === true
  if (does === 0 && (isProgram(signals) || isOfOwn)) return undefined
  const behind = effects && effectsBehind(effects, does)
  const isNamed = behind ? !behind.some(isUnnamed) : (signals?.unnamed ?? 0) === 0
  const isByName = isNamed && (signals?.byName ?? 0) > 0
  const byName = behind ? actsByName(state.looksOnly, behind) : isByName ? BY_NAME : 0
  const asked = askedOf(state.asked, behind) | secondHandOf(step)
  const notAsked = does & ~asked & ~byName
  const isRequested = does !== 0 && notAsked === 0 && isNamed
  const isElsewhere =
    isFinal &&
    (((does & SEND) !== 0 && signals?.toStranger === 1) ||
      (hasUnseenTarget(matches) &&
        (isGiving(does & ~byName) || ((does & SEND) !== 0 && isToOthers(state.sources, matches)))))
  if (isRequested && !isElsewhere) return (does & ~state.asked & ~byName) === SEND ? atSecondHand : undefined
  if (isRequested) return reasonOf(verdict, UNSEEN_TARGET)
  return notAskedReason(verdict, { notAsked, effects, behind, isNamed })
}

/** A record by its id that a tool is asked to change, and beside which a list showed the record that the task names. */
const otherRecordIn = (effects: IntegrityStep['effects']): StepEffect | undefined =>
  effects?.find(({ act, relation }) => act === 'request' && relation === 'other')

const isRequest = (effects: IntegrityStep['effects']): boolean =>
  effects?.some(({ act }) => act === 'request') === true

/**
 * Whether a tool changes records or another system after the session read other people's text, and the task names none of it: a merge
 * that a comment asks for, an address that a ticket gives. Files of the project and clicks on pages are not meant.
 */
const isPrompted = ({ state, labels, matches, signals }: IntegrityStep): boolean =>
  state.taint > 0 &&
  labels.reversibility > 0 &&
  !labels.untrusted &&
  !isProgram(signals) &&
  signals?.writesFile !== 1 &&
  matches !== undefined &&
  countOf(matches, 'tool', 'task') === 0 &&
  (labels.escalation === NETWORK || countOf(matches, 'target', 'untrustedOnly') > 0)

/** What is to go may also be overwritten, and what is to run again has to stop. */
function askedOf(asked: Acts, behind: IntegrityStep['effects']): Acts {
  if ((asked & DELETE) !== 0) return asked | OVERWRITE
  const isStop =
    behind !== undefined &&
    behind.some(({ act }) => act === 'stop') &&
    !behind.some(({ act }) => act === 'delete')
  return isStop && (asked & PUBLISH) !== 0 ? asked | DELETE : asked
}

/**
 * What somebody asks whom the user says to follow: to send, to people whom the user or that message names. Never money, access, secrets or
 * deletion. Source: docs/decisions/20261128-second-hand.md.
 */
const secondHandOf = ({ state, signals }: IntegrityStep): Acts =>
  state.sendsForOther && signals?.toNamed === 1 ? SEND : 0

const reasonOf = (verdict: Verdict, message: string): Reason => ({
  source: 'irreversible',
  code: 'irreversible_not_asked',
  verdict,
  message,
})

interface NotAsked {
  readonly notAsked: Acts
  readonly effects: IntegrityStep['effects']
  /** Those of them behind `does`. */
  readonly behind: IntegrityStep['effects']
  readonly isNamed: boolean
}

/** Says which effect the task lacks: an act that it does not ask for, else an object that it does not name. */
function notAskedReason(
  verdict: Verdict,
  { notAsked, effects = [], behind = [], isNamed }: NotAsked,
): Reason {
  const act = firstActIn(notAsked)
  const why = act ? 'not_asked' : 'not_named'
  const effect =
    behind.find((each) => (act ? ACT_OF_EFFECT[each.act] === act : isUnnamed(each))) ??
    effects.find((each) => act === 'credential' && each.act === 'change' && each.object === 'account')
  if (effect) return reasonOfEffect(verdict, effect, effects, why)
  if (act) return reasonOf(verdict, effectSentence({ act: effectOfAct(act), why }))
  return reasonOf(verdict, isNamed ? NOT_REQUESTED : NOT_NAMED)
}

function reasonOfEffect(
  verdict: Verdict,
  effect: StepEffect,
  effects: readonly StepEffect[],
  why: ReasonEffect['why'],
): Reason {
  const shown = reportedEffect(effect, effects, why)
  // By name: a spread copies an object without its shape.
  return {
    source: 'irreversible',
    code: 'irreversible_not_asked',
    verdict,
    message: effectSentence(shown),
    effect: shown,
  }
}

/** Whether the task gives addresses, and the step goes to none of them. */
const isToOthers = (sources: Sources, matches: Matches | undefined): boolean =>
  matches !== undefined && countOf(matches, 'target', 'task') === 0 && hasKindIn(sources, TASK, 'a')

/** Whether a recipient of the step was seen nowhere before; also true without a report. */
const hasUnseenTarget = (matches: Matches | undefined): boolean =>
  !matches || countOf(matches, 'target', 'nowhere') > 0

const atSecondHand: Reason = {
  source: 'irreversible',
  code: 'asked_at_second_hand',
  verdict: 'warn',
  message: 'this step sends what a message asks that the task says to follow',
}
const NOT_REQUESTED = 'this step cannot be taken back, and the task does not ask for it'
const NOT_NAMED = 'this step cannot be taken back, and the task does not name what it is done to'
const LOOKS_ONLY = 'this step changes something on another system, and the task only asks to look'
const SECRET_WRITTEN = 'a secret that this session has read is written where others may read it'
const SECRET_PUSHED = 'a secret that this session wrote goes to others with this push'
const BY_SCRIPT =
  'a script that this session wrote does what cannot be taken back and the task does not ask for'
const BY_SCRIPT_READ =
  'a script that this session has read does what the task does not ask for, beyond this project and for good'
const UNSEEN_TARGET = 'this step cannot be undone, and one of its recipients was never seen before'
