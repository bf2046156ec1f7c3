import { type GuardOptions, createGuard } from '../guard.js'
import { createManualTime, testDocuments } from './two-modes.js'

export async function createTestGuard(options: GuardOptions = {}) {
  const time = createManualTime()
  const documents = await testDocuments()
  const guard = await createGuard({ documents, clock: time.clock, timers: time.timers, ...options })
  return { guard, time }
}
