import { isDeepStrictEqual } from 'node:util'
import { step, type Outcome, type SessionState } from '@plimsoll/engine'
import type { Case } from './case.js'

/** Where the answers differ from what the case expects, one line each; empty where they do not. */
export function runCase({ rules, events, expect }: Case): string[] {
  const answers: Readonly<Record<string, unknown>>[] = []
  let state: SessionState | undefined
  for (const input of events) {
    const outcome = step(state, input, rules)
    state = outcome.state
    if (outcome.decision || outcome.fault) answers.push({ event: input.event.id, ...answerOf(outcome) })
  }
  const problems = expect.flatMap((expected, i) => differences(expected, answers[i], i))
  if (answers.length === expect.length) return problems
  return [...problems, `expected ${expect.length} answers, got ${answers.length}: ${JSON.stringify(answers)}`]
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
