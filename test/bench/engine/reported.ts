import { type Event, digestOf } from '@plimsoll/contracts'
import type { Observer } from '@plimsoll/labels'
import type { TextStep } from './step-text.js'

/** What a client sends of a step whose texts it has read. */
export interface ReportedStep {
  readonly proposed: Event
  readonly completed: Event
}

export const SESSION = { schema: 1, sessionId: 'bench-labels', producer: 'bench', time: 0 } as const

export const STARTED: Event = {
  ...SESSION,
  id: 's',
  seq: 0,
  type: 'session.started',
  category: 'research_comms',
}

/** The events of the `i`-th step of a session, as `observer` reports its texts. */
export function reportedStep(observer: Observer, step: TextStep, i: number): ReportedStep {
  const call = { callId: `c${i}`, tool: step.tool }
  return {
    proposed: {
      ...SESSION,
      ...call,
      id: `p${i}`,
      seq: 1 + 2 * i,
      type: 'step.proposed',
      argumentsDigest: digestOf(step.arguments),
      ...observer.proposed(step),
    },
    completed: {
      ...SESSION,
      ...call,
      id: `c${i}`,
      seq: 2 + 2 * i,
      type: 'step.completed',
      outcome: 'ok',
      ...observer.completed({ tool: step.tool, result: step.result, outcome: 'ok' }),
    },
  }
}
