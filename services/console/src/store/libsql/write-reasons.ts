import type { Decision } from '@plimsoll/contracts'
import type { Database } from './database.js'

/**
 * What mattered in a step's decision: reasons that ask, block or warn, whichever is the most severe; and as `lift` what lifted one, by its
 * own code. A step that was refused first is decided later, once.
 */
export function writeReasons(database: Database, { sessionId, eventId, reasons }: Decision): void {
  for (const { source, code, verdict, liftedBy } of reasons) {
    if (verdict === 'allow') continue
    database.run(
      'insert into reasons (session_id, event_id, source, code, verdict) values (?, ?, ?, ?, ?) on conflict do nothing',
      sessionId,
      eventId,
      liftedBy === undefined ? source : 'allowlist',
      liftedBy ?? code,
      liftedBy === undefined ? verdict : 'lift',
    )
  }
}
