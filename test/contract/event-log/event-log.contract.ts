import { describe } from 'node:test'
import { consumeCases } from './event-log.consume.js'
import { groupCases } from './event-log.group.js'
import { produceCases } from './event-log.produce.js'
import { readCases } from './event-log.read.js'
import { tailCases } from './event-log.tail.js'
import { topicCases } from './event-log.topics.js'
import type { EventLogUnderTest } from './log-fixture.js'

/** What every adapter of `EventLog` must do. */
export function eventLogContract({ name, skip, open }: EventLogUnderTest): void {
  describe(`event log contract: ${name}`, { skip, concurrency: 4 }, () => {
    topicCases(open)
    produceCases(open)
    consumeCases(open)
    groupCases(open)
    tailCases(open)
    readCases(open)
  })
}
