import type { AnswerRequest, Answered, ApprovalAnswer, Question } from '../../../src/api.js'
import type { Notice } from '../api/hub.js'
import { RequestProblem, answerQuestion } from '../api/requests.js'
import { counted, timeOfDay } from '../text/format.js'
import { lineOf } from '../text/hidden.js'

/** Answers each question, one after the other, and says what became of it. */
export async function sendAnswers(
  questions: readonly Question[],
  answer: AnswerRequest,
  send: (decisionId: string, answer: AnswerRequest) => Promise<Answered> = answerQuestion,
): Promise<Notice> {
  const results: Notice[] = []
  for (const { decisionId } of questions)
    try {
      results.push({ kind: 'done', text: doneText(await send(decisionId, answer)) })
    } catch (cause) {
      results.push({ kind: 'problem', text: problemText(cause) })
    }
  const [first] = results
  if (first === undefined) return { kind: 'problem', text: 'There was no question to answer.' }
  const failed = results.filter(({ kind }) => kind === 'problem')
  if (results.length === 1) return first
  if (failed.length === 0)
    return { kind: 'done', text: `${counted(results.length, 'question')}: ${first.text}` }
  const done = results.length - failed.length
  return { kind: 'problem', text: `${done} of ${results.length} answered. ${failed[0]?.text ?? ''}` }
}

function doneText({ answer, verdict, reasons }: Answered): string {
  if (answer.resolution === 'denied') return 'Denied. The agent gets your reason.'
  if (verdict === undefined) return 'Approved. No monitor has decided yet: the answer counts once one does.'
  if (verdict === 'allow' || verdict === 'warn') return 'Approved. The step may run.'
  const why = reasons?.find(({ liftedBy }) => liftedBy === undefined)?.message
  return `Approved, but the step was judged again: ${verdict}${why === undefined ? '' : `, as ${lineOf(why, 300)}`}`
}

function problemText(cause: unknown): string {
  if (!(cause instanceof RequestProblem)) return cause instanceof Error ? cause.message : String(cause)
  if (cause.status === 409) return firstText(cause.answered)
  if (cause.status === 410) return 'The question has expired: nothing was answered.'
  return `Nothing was answered: ${cause.message}`
}

function firstText(answered: ApprovalAnswer | undefined): string {
  if (answered === undefined) return 'Somebody else answered first: your answer does not count.'
  const { by, resolution, at, reason } = answered
  const why = reason === undefined ? '' : `, “${lineOf(reason, 300)}”`
  return `${lineOf(by, 80)} answered first (${resolution} at ${timeOfDay(at)}${why}): your answer does not count.`
}
