import { PlimsollError } from '@plimsoll/contracts'
import type { Answer } from './session.js'

/** Reasons told in one sentence: the rest is in the decision. */
const REASONS_MAX = 5

/** Why a step must not run, and what would do instead where that is known, in words for the model that proposed it. */
export function explain(answer: Answer): string {
  const { alternative } = answer.decision ?? {}
  const instead = alternative === undefined ? '' : `; instead: ${alternative}`
  return `\`${answer.tool}\` ${statusOf(answer)}${instead}`
}

/** What `run` rejects with where the step may not run. */
export class StepBlocked extends PlimsollError {
  /** Also in `details`. */
  readonly answer: Answer

  constructor(answer: Answer) {
    super('step_blocked', explain(answer), { details: { answer } })
    this.answer = answer
  }
}

function statusOf({ by, verdict, decision }: Answer): string {
  if (by === 'fail_closed')
    return `was not run: ${decision ? 'nobody approved it in time' : 'no verdict came'}`
  const reasons = (decision?.reasons ?? []).filter(
    (reason) => reason.liftedBy === undefined && reason.verdict === verdict,
  )
  const told = [...new Set(reasons.map(({ message }) => message))].slice(0, REASONS_MAX).join('; ')
  const what = verdict === 'confirm' ? 'waits for approval' : 'was blocked'
  return told === '' ? what : `${what}: ${told}`
}
