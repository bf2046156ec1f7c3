import { isDeepStrictEqual } from 'node:util'
import { tenantOf, type ControlLog } from '@plimsoll/contracts'
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
import { AS_ASKED, type Case } from './case.js'

/** Where the answers differ from what the case expects, one line each; empty where they do not. */
export function runCase({ book, happenings, expect }: Case): string[] {
  const answers: Readonly<Record<string, unknown>>[] = []
  let log: ControlLog = NO_CONTROLS
  let state: SessionState | undefined
  let heardUpTo = -1n
  for (const [i, happening] of happenings.entries()) {
    const offset = BigInt(i)
    if ('control' in happening) {
      const applied = applyControl(log, happening.control, offset)
      if ('fault' in applied) answers.push({ fault: applied.fault.code })
      else log = applied.log
      continue
    }
    const view = createControlView(controlsBefore(log, offset))
    const outcome = hear(state, asAsked(happening, state), book, view, heardUpTo)
    state = outcome.state
    heardUpTo = offset
    if (outcome.decision || outcome.fault) answers.push({ event: happening.event.id, ...answerOf(outcome) })
  }
  const problems = expect.flatMap((expected, i) => differences(expected, answers[i], i))
  if (answers.length === expect.length) return problems
  return [...problems, `expected ${expect.length} answers, got ${answers.length}: ${JSON.stringify(answers)}`]
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
  state: SessionState | undefined,
  input: LoggedEvent,
  book: RuleBook,
  view: ControlView,
  heardUpTo: bigint,
): Outcome {
  const { event } = input
  const agent = state?.agent ?? (event.type === 'session.started' ? event.agent : undefined) ?? ''
  const facts = view.factsFor(tenantOf(event.sessionId), agent)
  const moved = state && repin(state, view.movedTo(state.pins, heardUpTo))
  const active = book.pinned(view.activeOver(book.active.versions)) ?? book.active
  return advance(moved, input, { ...book, active }, facts)
}

/** An outcome in the words of a case: the decision, its reasons as codes, its risk beside them. */
function answerOf({ decision, fault, state }: Outcome): Record<string, unknown> {
  const reasons = decision?.reasons ?? []
  return {
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

function differences(
  expected: Readonly<Record<string, unknown>>,
  answer: Readonly<Record<string, unknown>> = {},
  i: number,
): string[] {
  return Object.entries(expected).flatMap(([member, value]) =>
    isDeepStrictEqual(answer[member], value)
      ? []
      : [`expect.${i}.${member}: expected ${JSON.stringify(value)}, got ${JSON.stringify(answer[member])}`],
  )
}
