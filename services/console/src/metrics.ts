import {
  type Metrics,
  SECONDS_BUCKETS,
  counter,
  createInstruments,
  gauge,
  histogram,
} from '@plimsoll/runtime'

/** Names are without the prefix. */
const TABLE = {
  records: counter('console_records_total', 'Records that the read model took in, by topic.', 'topic'),
  failures: counter('console_read_failures_total', 'Failed attempts to take records in; each is repeated.'),
  pruned: counter('console_sessions_pruned_total', 'Sessions deleted from the read model by its retention.'),
  requests: counter('console_requests_total', 'Requests, by route and status.', 'route', 'status'),
  seconds: histogram(
    'console_request_seconds',
    'Time to answer a request, but for live streams.',
    SECONDS_BUCKETS,
  ),
  answers: counter(
    'console_answers_total',
    'Answers to questions: `approved`, `denied`, or the code of the error.',
    'outcome',
  ),
  logins: counter(
    'console_logins_total',
    'Attempts to log in, by outcome: `ok`, `refused` or `limited`.',
    'outcome',
  ),
  readers: gauge('console_live_readers', 'Pages that follow live.'),
  cutOff: counter('console_live_cut_off_total', 'Pages cut off because they read too slowly.'),
  ready: gauge('console_ready', '1 while the console reads the log and its database answers.'),
} as const

export const CONSOLE_METRICS = Object.values(TABLE)

export type ConsoleMetrics = ReturnType<typeof createConsoleMetrics>

export function createConsoleMetrics(metrics: Metrics) {
  const of = createInstruments(metrics, TABLE)
  return {
    taken: (topic: 'events' | 'decisions', records: number): void => of.records.inc({ topic }, records),
    failed: (): void => of.failures.inc({}),
    pruned: (sessions: number): void => of.pruned.inc({}, sessions),
    request: (route: string, status: number, seconds: number): void => {
      of.requests.inc({ route, status: String(status) })
      of.seconds.observe({}, seconds)
    },
    answer: (outcome: string): void => of.answers.inc({ outcome }),
    login: (outcome: 'ok' | 'refused' | 'limited'): void => of.logins.inc({ outcome }),
    readers: (count: number): void => of.readers.set({}, count),
    cutOff: (): void => of.cutOff.inc({}),
    ready: (isReady: boolean): void => of.ready.set({}, isReady ? 1 : 0),
  }
}
