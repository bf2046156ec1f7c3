import { createHash } from 'node:crypto'
import {
  EVENT_SCHEMA,
  sign,
  TENANT_HEADER,
  type Decision,
  type EventOf,
  type Refinement,
} from '@plimsoll/contracts'
import type { OutgoingRecord } from '@plimsoll/runtime'
import { labelsOf, type Answer } from './asking/answer.js'

type Refined = EventOf<'labels.refined'>

export interface RefinementOptions {
  readonly effect: Refinement
  /** Name of the model. */
  readonly by: string
  readonly signingKey: string
}

/** The record that tells a session what its tool was judged to be. The same of the same decision, whenever it is made. */
export function refinementOf(
  { id: decisionId, sessionId, tenant, callId, tool, time }: Decision,
  answer: Answer,
  { effect, by, signingKey }: RefinementOptions,
): OutgoingRecord {
  const event = sign<Refined>(
    {
      schema: EVENT_SCHEMA,
      id: `refined:${createHash('sha256').update(decisionId).digest('hex').slice(0, 32)}`,
      sessionId,
      producer: PRODUCER,
      seq: 0,
      time,
      type: 'labels.refined',
      decisionId,
      callId,
      tool,
      labels: labelsOf(answer),
      effect,
      by,
      ...(answer.reason !== '' && { reason: answer.reason }),
    },
    signingKey,
  )
  return { key: sessionId, value: JSON.stringify(event), headers: { [TENANT_HEADER]: tenant } }
}

const PRODUCER = 'plimsoll-judge'
