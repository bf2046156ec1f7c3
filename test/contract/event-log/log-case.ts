import { test } from 'node:test'
import type { EventLog } from '@plimsoll/runtime'
import { logFixture, type LogFixture } from './log-fixture.js'

/** Declares a test with a fixture whose topic has `partitions`. */
export function logCase(
  open: () => EventLog,
  what: string,
  partitions: number,
  run: (fixture: LogFixture) => Promise<void>,
): void {
  test(what, { timeout: 120_000 }, async () => {
    const fixture = await logFixture(open, partitions)
    try {
      await run(fixture)
    } finally {
      await fixture.release()
    }
  })
}
