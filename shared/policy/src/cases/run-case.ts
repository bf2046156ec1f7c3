import { isDeepStrictEqual } from 'node:util'
import { type ControlLog, logged, tenantOf } from '@plimsoll/contracts'
import {
  type ControlView,
  type LoggedEvent,
  type Outcome,
  type RulesCache,
  type SessionState,
  NO_CONTROLS,
  advance,
  applyControl,
  controlsBefore,
  createControlView,
  pendingOf,
  repin,
} from '@plimsoll/engine'
import { nearest } from '../document/issues.js'
import { type CaseEvent, AS_ASKED } from './case-events.js'
import type { Case } from './case.js'

/** An outcome in the form of a case: the decision, its reasons as codes, and its risk. */
type Answer = Readonly<Record<string, unknown>>

export function answerOf({ decision, fault, state }: Outcome, event: LoggedEvent['event']): Answer {
  const reasons = decision?.reasons ?? []
  return {
    event: event.id,
    ...decision?.risk,
    ...decision,
    reasons: reasons.filter(({ liftedBy }) => liftedBy === undefined).map(({ code }) => code),
    lifted: reasons.filter(({ liftedBy }) => liftedBy !== undefined).map(({ code }) => code),
    fault: fault?.code,
    stepsAfter: state?.steps,
    violationsAfter: state?.violations,
    waitsAfter: state?.calls.filter(({ status }) => status === 'pending').length,
  }
}

/** The differences between answers and expectations, a line each; only the members of `expect` are compared. */
export function problemsOf(expect: readonly Answer[], answers: readonly Answer[]): string[] {
  const problems = expect.flatMap((expected, i) => {
    const answer = answers[i]
    return answer ? differences(expected, answer, `expect.${i}`) : []
  })
  if (answers.length === expect.length) return problems
  const [first, ...others] = answers.slice(expect.length)
  const surplus = first
    ? `; the first not expected: ${formatAnswer(first)}${others.length > 0 ? ', …' : ''}`
    : ''
  return [...problems, `expected ${expect.length} answers, got ${answers.length}${surplus}`]
}

function differences(expected: Answer, answer: Answer, where: string): string[] {
  return Object.entries(expected).flatMap(([member, value]) => {
    if (isDeepStrictEqual(answer[member], value)) return []
    if (!(member in answer) && !SOMETIMES.has(member))
      return [`${where}.${member}: ${unknownMember(member, answer)}`]
    const got = JSON.stringify(answer[member])
    return [`${where}.${member}: expected ${JSON.stringify(value)}, got ${got} of ${formatAnswer(answer)}`]
  })
}

/** Members that not every answer has. */
const SOMETIMES: ReadonlySet<string> = new Set([
  'verdict',
  'waitFor',
  'alternative',
  'expiresAt',
  'fault',
  'decisionId',
])

function unknownMember(member: string, answer: Answer): string {
  const meant = nearest(member, [...Object.keys(answer), ...SOMETIMES])
  return `no answer has that${meant === undefined ? '' : `: did you mean \`${meant}\`?`}`
}

/** `e3 send_email: block [no-mail]` */
function formatAnswer({ event, tool, verdict, reasons, fault }: Answer): string {
  const codes = Array.isArray(reasons) && reasons.length > 0 ? ` [${reasons.join(', ')}]` : ''
  return [event, tool, `${String(verdict ?? fault)}${codes}`]
    .filter((part) => part !== undefined)
    .map(String)
    .join(' ')
}

/** A session so far. */
interface SessionProgress {
  readonly state: SessionState | undefined
  readonly upTo: bigint
}
const NOTHING: SessionProgress = { state: undefined, upTo: -1n }

/** The differences between the answers and those that the case expects, a line each; empty where it passes. */
export function runCase({ pinnedRules, events, expect }: Case): string[] {
  const answers: Answer[] = []
  const sessions = new Map<string, SessionProgress>()
  let log: ControlLog = NO_CONTROLS
  for (const [i, record] of events.entries()) {
    const offset = BigInt(i)
    if ('control' in record) {
      const applied = applyControl(log, record.control, offset)
      if ('fault' in applied) answers.push({ fault: applied.fault.code })
      else log = applied.log
      continue
    }
    const { sessionId } = record.event
    const received = sessions.get(sessionId) ?? NOTHING
    const outcome = advanceSession(
      received,
      record,
      pinnedRules,
      createControlView(controlsBefore(log, offset)),
    )
    sessions.set(sessionId, { state: outcome.state, upTo: offset })
    if (outcome.decision || outcome.fault) answers.push(answerOf(outcome, record.event))
  }
  return problemsOf(expect, answers)
}

/** An approval without an expiry answers the request that is pending. */
function asAsked(input: LoggedEvent, state: SessionState | undefined): LoggedEvent {
  const { event } = input
  if (event.type !== 'approval.resolved' || event.expiresAt !== AS_ASKED) return input
  const { expiresAt = AS_ASKED } = (state && pendingOf(state, event.decisionId)) ?? {}
  return { ...input, event: { ...event, expiresAt } }
}

/** Takes one event, with the controls that apply to its session. */
function advanceSession(
  { state, upTo }: SessionProgress,
  record: Exclude<CaseEvent, { control: unknown }>,
  pinnedRules: RulesCache,
  view: ControlView,
): Outcome {
  const { readings, ...given } = record
  const { event, timeMs } = asAsked(given, state)
  const agent = state?.agent ?? (event.type === 'session.started' ? event.agent : undefined) ?? ''
  const facts = { ...view.factsFor(tenantOf(event.sessionId), agent), ...(readings && { readings }) }
  const moved = state && repin(state, view.upgradedVersions(state.pins, upTo))
  const active = pinnedRules.pinned(view.activeOver(pinnedRules.active.versions)) ?? pinnedRules.active
  return advance(moved, logged(event, timeMs), { ...pinnedRules, active }, facts)
}
