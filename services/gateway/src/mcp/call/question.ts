import type { Answer } from '@plimsoll/client'
import { argumentLines, visibleText } from '@plimsoll/labels'
import { inputRequired, type InputRequiredResult } from '@modelcontextprotocol/server'

/** What travels to the client and back between a question and its answer, signed. */
export interface AskedState {
  readonly session: string
  readonly call: string
  /** Of the tool and its arguments: an answer is for no others. */
  readonly digest: string
}

/** The name of the question in `inputRequests`. */
export const APPROVAL_REQUEST = 'approval'

const REASONS_MAX = 5
/** Of a reason, which may name what the agent has named. */
const REASON_CHARS_MAX = 300

/** Asks the client's user whether a call may run. */
export function approvalRequestOf(
  name: string,
  args: Readonly<Record<string, unknown>>,
  answer: Answer,
  requestState: string,
): InputRequiredResult {
  return inputRequired({
    inputRequests: {
      [APPROVAL_REQUEST]: inputRequired.elicit({
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

/** The step first, for a client may show the beginning alone. */
function messageOf(
  name: string,
  args: Readonly<Record<string, unknown>>,
  { decision, verdict }: Answer,
): string {
  const reasons = (decision?.reasons ?? [])
    .filter((reason) => reason.liftedBy === undefined && reason.verdict === verdict)
    .slice(0, REASONS_MAX)
    .map(({ message }) => `- ${visibleText(message, REASON_CHARS_MAX)}`)
  return [
    `The agent wants to call ${name} with:`,
    ...argumentLines(args).map((line) => `  ${line}`),
    'Plimsoll asks because:',
    ...reasons,
  ].join('\n')
}
