import type { Answer, Approval } from '@plimsoll/client'

/**
 * Tells what a human said to a `confirm`. Rejects with `approval_unknown` where it waits for no approval any more, and where the answer
 * cannot be told.
 */
export type Approve = (answer: Answer, approval: Approval) => Promise<void>
