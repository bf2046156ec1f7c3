import type { Catalogue, EventOf } from '@plimsoll/contracts'
import { createObserver, keyOfRoot, type Observer, type ObserverPart } from '@plimsoll/labels'
import { raiseClaims, raiseTaint } from './claims.js'
import type { SessionOptions, StepResult } from './session.js'

/** Gives each session what sees its texts; undefined where the client has no key. */
export type Observation = (sessionId: string) => Observer | undefined

export function createObservation(
  catalogue: Catalogue,
  key: string | Uint8Array | undefined,
  without?: readonly ObserverPart[],
): Observation {
  if (key === undefined) return () => undefined
  return (sessionId) => createObserver({ catalogue, key: keyOfRoot(key, sessionId), without })
}

type Started = EventOf<'session.started'>
type Completed = EventOf<'tool.completed'>

/** What the event tells of a session that starts. */
export function startOf(
  { category, agent, task, sendTask = false }: Omit<SessionOptions, 'id'>,
  observer: Observer | undefined,
): Pick<Started, 'category' | 'agent' | 'task' | 'fingerprints' | 'signals'> {
  const seen = observer?.started({ task })
  return {
    category,
    agent,
    task: sendTask ? task : undefined,
    fingerprints: seen?.fingerprints,
    signals: seen?.signals,
  }
}

/** What the event tells of a step that ran: what its caller says of the result, raised by what is seen of it. */
export function completionOf(
  tool: string,
  { outcome = 'ok', result, labels, taint }: StepResult,
  observer: Observer | undefined,
): Pick<Completed, 'outcome' | 'labels' | 'taint' | 'fingerprints' | 'instructed' | 'signals'> {
  const seen = result === undefined ? undefined : observer?.completed({ tool, result, outcome })
  return {
    outcome,
    labels: raiseClaims(seen?.labels, labels),
    taint: raiseTaint(seen?.taint, taint),
    fingerprints: seen?.fingerprints,
    instructed: seen?.instructed,
    signals: seen?.signals,
  }
}
