import { isDeepStrictEqual } from 'node:util'
import { decisionSchema, eventSchema } from '@plimsoll/contracts'
import {
  decodeState,
  encodeState,
  escalationOf,
  exposureOf,
  LIMITS,
  type LoggedEvent,
  type Outcome,
  type Rules,
  type SessionState,
  type step,
} from '@plimsoll/engine'

export type Step = typeof step

/** One event, what it met and what came of it. */
export interface Moment {
  readonly before: SessionState | undefined
  readonly input: LoggedEvent
  readonly outcome: Outcome
  readonly rules: Rules
  readonly step: Step
}

type Rule = (moment: Moment) => boolean | undefined

/** What must hold at every event; a rule answers false where it does not. */
export const RULES: Readonly<Record<string, Rule>> = {
  'a session is never forgotten': ({ before, outcome }) => !before || outcome.state !== undefined,
  'a session never gets safer': ({ before, outcome: { state } }) =>
    !before || !state || isNoSafer(before, state),
  'every list is within its cap': ({ outcome: { state } }) => !state || isBounded(state),
  'whoever proposes is answered': ({ input, outcome }) =>
    (outcome.decision !== undefined) === expectsDecision(input, outcome),
  'a fault blocks': ({ outcome: { fault, decision } }) => !fault || !decision || decision.verdict === 'block',
  'a step that may not run does not count as run': (moment) => !isHeldBack(moment) || hasKeptSafety(moment),
  'an event heard twice changes nothing the second time': ({ input, outcome, rules, step }) =>
    !outcome.state || step(outcome.state, input, rules).state === outcome.state,
}

/** The same for what costs more to check. */
export const COSTLY_RULES: Readonly<Record<string, Rule>> = {
  'an event is one that the contract lets through': ({ input }) => eventSchema.safeParse(input.event).success,
  'a decision is one that the contract lets through': ({ outcome: { decision } }) =>
    !decision || decisionSchema.safeParse(JSON.parse(JSON.stringify(decision))).success,
  'the same input gives the same bytes': ({ before, input, outcome, rules, step }) =>
    bytesOf(step(before, input, rules)) === bytesOf(outcome),
  'a record gives back the state': ({ outcome: { state } }) =>
    !state || isDeepStrictEqual(reread(state), state),
  'a state read back decides the same bytes': ({ before, input, outcome, rules, step }) =>
    !before || bytesOf(step(reread(before), input, rules)) === bytesOf(outcome),
  'without the pinned versions nothing changes': ({ before, input, step }) =>
    step(before, input, undefined).state === before,
}

/** The names of the rules that `moment` breaks. */
export function brokenRules(moment: Moment, rules: Readonly<Record<string, Rule>>): string[] {
  return Object.entries(rules).flatMap(([name, holds]) => (holds(moment) === false ? [name] : []))
}

const bytesOf = ({ state, decision, fault }: Outcome): string =>
  JSON.stringify([state && encodeState(state), decision, fault])

function reread(state: SessionState): SessionState | undefined {
  const decoded = decodeState(encodeState(state))
  return decoded.kind === 'state' ? decoded.state : undefined
}

function isNoSafer(before: SessionState, after: SessionState): boolean {
  return (
    exposureOf(after.safety) >= exposureOf(before.safety) &&
    escalationOf(after.safety) >= escalationOf(before.safety) &&
    after.level >= before.level &&
    after.taint >= before.taint &&
    after.steps >= before.steps &&
    after.blocked >= before.blocked &&
    after.violations >= before.violations &&
    after.unjudged >= before.unjudged &&
    after.time >= before.time &&
    (after.ended || !before.ended)
  )
}

function isBounded({ producers, recent, calls }: SessionState): boolean {
  const blocked = calls.filter(({ status }) => status === 'blocked').length
  return (
    producers.length <= LIMITS.producersMax &&
    recent.length <= LIMITS.recentMax &&
    blocked <= LIMITS.blockedCallsMax &&
    calls.length - blocked <= LIMITS.liveCallsMax &&
    new Set(calls.map(({ callId }) => callId)).size === calls.length
  )
}

/** Proposals always; an approval where it was judged. */
function expectsDecision({ event }: LoggedEvent, outcome: Outcome): boolean {
  if (event.type === 'tool.proposed') return true
  return event.type === 'approval.resolved' && outcome.decision?.kind === 'approval'
}

function isHeldBack({ input, outcome: { decision } }: Moment): boolean {
  const isTold = input.event.type === 'tool.proposed' && input.event.unanswered !== undefined
  return !isTold && (decision?.verdict === 'block' || decision?.verdict === 'confirm')
}

function hasKeptSafety({ before, outcome: { state } }: Moment): boolean {
  if (!before || !state) return before === state
  return (['safety', 'level', 'taint', 'band', 'steps', 'unjudged', 'violations'] as const).every(
    (member) => before[member] === state[member],
  )
}
