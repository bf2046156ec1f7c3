import type { Applied } from '../read-store.js'
import type { Database, Value } from './database.js'

export interface Touched extends Applied {
  readonly sessions: Set<string>
  readonly steps: Map<string, Set<string>>
  readonly opened: Set<string>
  readonly closed: Set<string>
}

/** Where changes are written, and what they have touched. */
export interface Writer {
  readonly database: Database
  readonly touched: Touched
}

/** Notes that a step has changed. */
export function touchStep({ touched }: Writer, sessionId: string, eventId: string): void {
  const events = touched.steps.get(sessionId) ?? new Set()
  events.add(eventId)
  touched.steps.set(sessionId, events)
}

export const textOf = (text: string | undefined): Value => text ?? null
export const jsonOf = (value: object | undefined): Value =>
  value === undefined ? null : JSON.stringify(value)
