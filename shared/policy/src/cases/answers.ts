import { isDeepStrictEqual } from 'node:util'
import type { LoggedEvent, Outcome } from '@plimsoll/engine'
import { nearest } from '../source/nearest.js'

/** An outcome in the words of a case: the decision, its reasons as codes, its risk beside them. */
export type Answer = Readonly<Record<string, unknown>>

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

/** Where answers are others than expected, a line each; what is not written is not compared. */
export function problemsOf(expect: readonly Answer[], answers: readonly Answer[]): string[] {
  const problems = expect.flatMap((expected, i) => {
    const answer = answers[i]
    return answer ? differences(expected, answer, `expect.${i}`) : []
  })
  if (answers.length === expect.length) return problems
  const [first, ...others] = answers.slice(expect.length)
  const surplus = first ? `; the first not expected: ${toldOf(first)}${others.length > 0 ? ', …' : ''}` : ''
  return [...problems, `expected ${expect.length} answers, got ${answers.length}${surplus}`]
}

function differences(expected: Answer, answer: Answer, where: string): string[] {
  return Object.entries(expected).flatMap(([member, value]) => {
    if (isDeepStrictEqual(answer[member], value)) return []
    if (!(member in answer) && !SOMETIMES.has(member))
      return [`${where}.${member}: ${unknownMember(member, answer)}`]
    const got = JSON.stringify(answer[member])
    return [`${where}.${member}: expected ${JSON.stringify(value)}, got ${got} of ${toldOf(answer)}`]
  })
}

/** Members that only some answers have. */
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
function toldOf({ event, tool, verdict, reasons, fault }: Answer): string {
  const codes = Array.isArray(reasons) && reasons.length > 0 ? ` [${reasons.join(', ')}]` : ''
  return [event, tool, `${String(verdict ?? fault)}${codes}`]
    .filter((part) => part !== undefined)
    .map(String)
    .join(' ')
}
