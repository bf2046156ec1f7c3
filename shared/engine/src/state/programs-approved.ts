import type { Call, SessionApproval } from './session.js'

/** What an approval for the session lifts begins so where it is of a program that may send what was read. */
const LINE = 'line:'
const liftsLine = ({ lifts }: SessionApproval): boolean => lifts.some((key) => key.startsWith(LINE))

/** The approvals that still count after another step ran: a program may do something else from then on, or send more. */
export const withoutPrograms = (approvals: readonly SessionApproval[]): readonly SessionApproval[] =>
  approvals.some(liftsLine) ? approvals.filter((approval) => !liftsLine(approval)) : approvals

/** Among the shown reasons of a call that waits: another step ran since the question. No reason has this key. */
const INTERRUPTED = 'interrupted'

/** The calls, with those that wait for a human marked: what he approves may do something else than when he was asked. */
export const interrupted = (calls: readonly Call[]): readonly Call[] =>
  calls.some(isUnmarked)
    ? calls.map((call) =>
        isUnmarked(call) && call.status === 'pending'
          ? { ...call, shown: [...call.shown, INTERRUPTED] }
          : call,
      )
    : calls

const isUnmarked = (call: Call): boolean => call.status === 'pending' && !call.shown.includes(INTERRUPTED)

/** Whether a program may be approved for the session: nothing else ran since the question, or still runs. */
export const isUndisturbed = (shown: readonly string[], calls: readonly Call[]): boolean =>
  !shown.includes(INTERRUPTED) && !calls.some(({ status }) => status === 'open')
