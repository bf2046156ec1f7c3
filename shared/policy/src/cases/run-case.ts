import { logged, tenantOf, type ControlLog } from '@plimsoll/contracts'
import {
  advance,
  applyControl,
  controlsBefore,
  createControlView,
  NO_CONTROLS,
  pendingOf,
  repin,
  type ControlView,
  type LoggedEvent,
  type Outcome,
  type RuleBook,
  type SessionState,
} from '@plimsoll/engine'
import { answerOf, problemsOf, type Answer } from './answers.js'
import type { Case } from './case.js'
import { AS_ASKED, type Happening } from './happenings.js'

/** What was heard of one session so far. */
interface Heard {
  readonly state: SessionState | undefined
  readonly upTo: bigint
}
const NOTHING: Heard = { state: undefined, upTo: -1n }

/** Where the answers differ from what the case expects, one line each; empty where they do not. */
export function runCase({ book, happenings, expect }: Case): string[] {
  const answers: Answer[] = []
  const sessions = new Map<string, Heard>()
  let log: ControlLog = NO_CONTROLS
  for (const [i, happening] of happenings.entries()) {
    const offset = BigInt(i)
    if ('control' in happening) {
      const applied = applyControl(log, happening.control, offset)
      if ('fault' in applied) answers.push({ fault: applied.fault.code })
      else log = applied.log
      continue
    }
    const { sessionId } = happening.event
    const heard = sessions.get(sessionId) ?? NOTHING
    const outcome = hear(heard, happening, book, createControlView(controlsBefore(log, offset)))
    sessions.set(sessionId, { state: outcome.state, upTo: offset })
    if (outcome.decision || outcome.fault) answers.push(answerOf(outcome, happening.event))
  }
  return problemsOf(expect, answers)
}

/** An approval that does not say which question it answers answers the one that waits. */
function asAsked(input: LoggedEvent, state: SessionState | undefined): LoggedEvent {
  const { event } = input
  if (event.type !== 'approval.resolved' || event.expiresAt !== AS_ASKED) return input
  const { expiresAt = AS_ASKED } = (state && pendingOf(state, event.decisionId)) ?? {}
  return { ...input, event: { ...event, expiresAt } }
}

/** One event, under what the controls say of its session. */
function hear(
  { state, upTo }: Heard,
  happening: Exclude<Happening, { control: unknown }>,
  book: RuleBook,
  view: ControlView,
): Outcome {
  const { readings, ...given } = happening
  const { event, timeMs } = asAsked(given, state)
  const agent = state?.agent ?? (event.type === 'session.started' ? event.agent : undefined) ?? ''
  const facts = { ...view.factsFor(tenantOf(event.sessionId), agent), ...(readings && { readings }) }
  const moved = state && repin(state, view.movedTo(state.pins, upTo))
  const active = book.pinned(view.activeOver(book.active.versions)) ?? book.active
  return advance(moved, logged(event, timeMs), { ...book, active }, facts)
}
