import type { Answer } from '@plimsoll/client'
import { inputRequired, type InputRequiredResult } from '@modelcontextprotocol/server'

/** What travels to the client and back between a question and its answer, signed. */
export interface AskedState {
  readonly session: string
  readonly call: string
  /** Of the tool and its arguments: an answer is for no others. */
  readonly digest: string
}

/** The name of the question in `inputRequests`. */
export const QUESTION = 'approval'

/** Of the arguments, so much is shown. */
const SHOWN_CHARS_MAX = 1_500
const REASONS_MAX = 5

/** Asks the client's user whether a call may run. */
export function questionOf(
  name: string,
  args: Readonly<Record<string, unknown>>,
  answer: Answer,
  requestState: string,
): InputRequiredResult {
  return inputRequired({
    inputRequests: {
      [QUESTION]: inputRequired.elicit({
        message: messageOf(name, args, answer),
        requestedSchema: {
          type: 'object',
          properties: { approve: { type: 'boolean', title: `Let ${name} run, once` } },
          required: ['approve'],
        },
      }),
    },
    requestState,
  })
}

function messageOf(
  name: string,
  args: Readonly<Record<string, unknown>>,
  { decision, verdict }: Answer,
): string {
  const reasons = (decision?.reasons ?? [])
    .filter((reason) => reason.liftedBy === undefined && reason.verdict === verdict)
    .slice(0, REASONS_MAX)
    .map(({ message }) => `- ${message}`)
  // As JSON, so that nothing in the arguments can be taken for a part of the question.
  const text = JSON.stringify(args)
  const shown =
    text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)}… (${text.length} characters)` : text
  return [
    `The agent wants to call ${name}.`,
    'It is asked because:',
    ...reasons,
    'Its arguments:',
    shown,
  ].join('\n')
}
