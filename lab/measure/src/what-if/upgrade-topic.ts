import type { Topics, Versions } from '@plimsoll/contracts'
import type { Rules } from '@plimsoll/engine'
import type { EventLog } from '@plimsoll/runtime'
import { eventIn, recordsIn, spanOf } from '@plimsoll/fit'
import { createRecordedDecisions } from './recorded-decisions.js'
import { type EngineDiff, type LeftOut, createUpgradeTally } from './upgrade.js'

export interface UpgradeOfTopicOptions {
  readonly log: Pick<EventLog, 'read' | 'describe' | 'offsetAt'>
  readonly topics: Pick<Topics, 'events' | 'decisions'>
  /** Verifies approvals and other signed events; without it they are ignored. */
  readonly signingKey?: string | undefined
  readonly rulesOf: (pins: Versions) => Rules | undefined
  /** Records older than this are left out; milliseconds since 1970. */
  readonly fromMs?: number | undefined
  /** Of each partition at most, the latest. */
  readonly recordsMax: number
  /** Sessions. */
  readonly limit?: number | undefined
  readonly examplesMax: number
  readonly onProgress?: (share: number, sessions: number, steps: number) => void
  readonly signal?: AbortSignal
}

export interface TopicUpgrade {
  /** By the version of the engine that decided, in the order of the log. */
  readonly engines: readonly EngineDiff[]
  readonly leftOut: LeftOut
  /** Events; and records that are none that a monitor would take. */
  readonly records: number
  readonly unread: number
  /** Decisions beyond what is kept in memory. */
  readonly notKept: number
}

/** Append times of two topics come from the clocks of two brokers. */
const SKEW_MS = 60_000
const REPORT_EVERY = 500

/** What today's engine decides otherwise than was recorded, over the log's events and the decisions on them. */
export async function upgradeOfTopic(options: UpgradeOfTopicOptions): Promise<TopicUpgrade> {
  const { log, topics, signingKey, rulesOf, fromMs, recordsMax, limit, examplesMax, signal } = options
  // Events first: what is decided while the decisions are read has no recorded step, and is not compared.
  const events = await spanOf(log, topics.events, { fromMs, recordsMax })
  const decidedFromMs = fromMs === undefined ? undefined : Math.max(0, fromMs - SKEW_MS)
  const decisions = await spanOf(log, topics.decisions, { fromMs: decidedFromMs, recordsMax })
  const recorded = createRecordedDecisions()
  const tally = createUpgradeTally({ recorded, rulesOf, examplesMax, sessionsMax: limit })
  let read = 0
  const report = () => {
    if (++read % REPORT_EVERY === 0)
      options.onProgress?.(read / (decisions.records + events.records), tally.sessions, tally.steps)
  }
  for await (const record of recordsIn(log, topics.decisions, decisions.ranges, signal)) {
    recorded.add(record)
    report()
  }
  let records = 0
  let unread = 0
  for await (const record of recordsIn(log, topics.events, events.ranges, signal)) {
    records++
    report()
    const event = eventIn(record, signingKey)
    if (event) tally.take(event, record.timeMs)
    else unread++
  }
  return { ...tally.figures(), records, unread, notKept: recorded.notKept }
}
