import type { Answer, Session, StepResult } from '../session.js'

/** Steps that were let run and of which nothing has been heard since, by what the framework knows them by. */
export interface OpenSteps<Key> {
  has(key: Key): boolean
  add(key: Key, session: Session, answer: Answer): void
  /** Notes that a step failed, whatever text its framework makes of that. */
  failed(key: Key): void
  /**
   * Tells what came of a step. Never rejects: what was done is done, and a step that cannot be told of counts as its declared worst.
   */
  complete(key: Key, result: StepResult): Promise<void>
}

interface OpenStep {
  readonly session: Session
  readonly answer: Answer
  outcome: 'ok' | 'error'
}

interface Store<Key> {
  has(key: Key): boolean
  get(key: Key): OpenStep | undefined
  set(key: Key, step: OpenStep): unknown
  delete(key: Key): boolean
}

export function createOpenSteps<Key>(steps: Store<Key>): OpenSteps<Key> {
  return {
    has: (key) => steps.has(key),
    add: (key, session, answer) => void steps.set(key, { session, answer, outcome: 'ok' }),
    failed: (key) => {
      const step = steps.get(key)
      if (step) step.outcome = 'error'
    },
    complete: async (key, result) => {
      const step = steps.get(key)
      if (!step) return
      steps.delete(key)
      await step.session.complete(step.answer, { outcome: step.outcome, ...result }).catch(() => {})
    },
  }
}
