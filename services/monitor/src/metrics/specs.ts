import {
  type Counter,
  type Gauge,
  type Histogram,
  type HistogramSpec,
  type MetricSpec,
  type Metrics,
  SECONDS_BUCKETS,
} from '@plimsoll/runtime'

const COUNT_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]
const FOLD_BUCKETS = [1e-6, 2.5e-6, 5e-6, 1e-5, 2.5e-5, 5e-5, 1e-4, 2.5e-4, 5e-4, 1e-3, 1e-2]

/** What the monitor counts. Names are without the prefix. */
export const COUNTERS = {
  events: { name: 'events_total', help: 'Records taken from the events topic, by type.', labels: ['type'] },
  unproved: {
    name: 'unproved_events_total',
    help: 'Events of agents that were taken although nothing proves who they are from, for identities are optional; by type.',
    labels: ['type'],
  },
  decisions: {
    name: 'decisions_total',
    help: 'Decisions made, by verdict, category of the chain, kind, mode and tenant.',
    labels: ['verdict', 'category', 'kind', 'mode', 'tenant'],
  },
  labelsOnly: {
    name: 'labels_only_steps_total',
    help: 'Steps judged by labels only: their clients reported no fingerprints and no signals.',
    labels: ['category'],
  },
  interventions: {
    name: 'interventions_total',
    help: 'Steps with a verdict of warn, confirm or block, by agent.',
    labels: ['agent', 'verdict'],
  },
  sessionsStarted: {
    name: 'sessions_started_total',
    help: 'Sessions started.',
    labels: ['category', 'tenant'],
  },
  sessionsReached: {
    name: 'sessions_reached_total',
    help: 'Sessions that entered a risk level for the first time; `safe` at their start.',
    labels: ['category', 'level'],
  },
  sessionsEnded: {
    name: 'sessions_ended_total',
    help: 'Sessions that ended, by the level they had reached and how: of themselves, or idle.',
    labels: ['category', 'level', 'how'],
  },
  approvalsRequested: {
    name: 'approvals_requested_total',
    help: 'Approval requests.',
    labels: ['category'],
  },
  approvalsResolved: {
    name: 'approvals_resolved_total',
    help: 'Approval requests by outcome: approved, denied or expired.',
    labels: ['resolution'],
  },
  lineVerdicts: {
    name: 'line_verdicts_total',
    help: 'Steps that a line judged: `line` (data goes out), `integrity` (others direct the step) or `irreversible` (not asked for), by reason code and verdict.',
    labels: ['source', 'code', 'verdict'],
  },
  sessionsHeld: {
    name: 'sessions_held_total',
    help: 'Sessions with a blocked step that carried sensitive data: from then on each step that may send needs approval.',
  },
  specVerdicts: {
    name: 'spec_verdicts_total',
    help: 'Steps that a spec of the policy spoke on, by its tier and what it said; of the allowlist, what it lifted.',
    labels: ['spec', 'tier', 'verdict'],
  },
  obligations: {
    name: 'obligations_total',
    help: 'Obligations of the mustlist, by what became of them: opened, paid, late (paid after its time), unpaid (at the end of the session).',
    labels: ['outcome'],
  },
  declassifications: {
    name: 'declassifications_total',
    help: 'Declassifications of data for a flow spec by a human.',
    labels: ['spec'],
  },
  fleetReadings: {
    name: 'fleet_readings_total',
    help: 'Steps that a limit of the fleet was read for, by whether there was room.',
    labels: ['spec', 'outcome'],
  },
  withoutVerdict: {
    name: 'steps_without_verdict_total',
    help: 'Steps that ran without having been judged.',
    labels: ['category'],
  },
  violations: {
    name: 'violations_total',
    help: 'Steps that ran although they were blocked.',
    labels: ['category'],
  },
  transitions: {
    name: 'transitions_total',
    help: 'Steps counted for drift: (surprise − entropy) / transitions is near 0 while sessions go as the chain was fitted.',
    labels: ['category'],
  },
  surprise: {
    name: 'transition_surprise_nats_total',
    help: 'How surprising the steps were to the chain.',
    labels: ['category'],
  },
  entropy: {
    name: 'transition_entropy_nats_total',
    help: "How surprising the chain's own steps from there are in the mean.",
    labels: ['category'],
  },
  bucketSteps: {
    name: 'bucket_steps_total',
    help: 'Steps counted for drift, by the bucket of the session scorer in which the session stood. In the space `flow` alone.',
    labels: ['bucket'],
  },
  bucketFittedSteps: {
    name: 'bucket_fitted_steps_total',
    help: 'Of as many steps of the same categories, those that would have stood in each bucket as the bundle was fitted.',
    labels: ['bucket'],
  },
  hazard: {
    name: 'hazard_total',
    help: 'Sum of p1 of the steps judged: the number of violations predicted.',
    labels: ['category'],
  },
  approvalsHazard: {
    name: 'approvals_hazard_total',
    help: 'Sum of p1 of the questions resolved: with their number, how likely a violation each answer was about.',
    labels: ['resolution'],
  },
  countedTransitions: {
    name: 'counted_transitions_total',
    help: 'What was counted in the session store of how sessions go over the states of their chain, by kind.',
    labels: ['category', 'kind'],
  },
  deadLetters: { name: 'dead_letters_total', help: 'Events set aside, by error code.', labels: ['code'] },
  skipped: {
    name: 'events_skipped_total',
    help: 'Redelivered events with nothing left to answer.',
    labels: [],
  },
  conflicts: {
    name: 'store_conflicts_total',
    help: 'Compare-and-sets refused because another owner was faster.',
    labels: [],
  },
  retries: {
    name: 'batch_retries_total',
    help: 'Batches taken again after an error, by its code.',
    labels: ['code'],
  },
  deadlines: {
    name: 'deadlines_published_total',
    help: 'Deadlines published as events, by kind.',
    labels: ['kind'],
  },
  rebuilds: {
    name: 'rebuilds_total',
    help: 'Times the store was read back from the log: it had been flushed, was behind, or missed a session.',
    labels: ['why'],
  },
  rebuiltSessions: {
    name: 'rebuilt_sessions_total',
    help: 'Sessions whose record was rebuilt from the log.',
    labels: [],
  },
  sessionsLost: {
    name: 'sessions_lost_total',
    help: 'Sessions refused because their record was not to be had, once a chunk.',
    labels: [],
  },
  controls: {
    name: 'controls_total',
    help: 'Control changes taken, by type and outcome, once a partition.',
    labels: ['type', 'outcome'],
  },
  documentsRefused: {
    name: 'documents_refused_total',
    help: 'Records of the registry that were not taken.',
    labels: ['reason'],
  },
  quotaRefusals: {
    name: 'quota_refusals_total',
    help: 'Events refused because a session or tenant was over its quota.',
    labels: ['scope'],
  },
  warmStarts: {
    name: 'warm_starts_total',
    help: 'Sessions moved to another policy whose specs keep state, by its source: the log, or the record alone.',
    labels: ['from'],
  },
  warmStartRecords: {
    name: 'warm_start_records_total',
    help: 'Records that were read back for sessions that moved to another policy.',
    labels: [],
  },
  shadowSteps: {
    name: 'shadow_steps_total',
    help: "Steps that a candidate judged too, by its version (several are joined by `+`), what the session's own rules say and what the candidate says; both ignore earlier approvals.",
    labels: ['version', 'active', 'candidate'],
  },
  shadowDifference: {
    name: 'shadow_probability_difference_total',
    help: "Sum of how far the candidate's P(h) is from that of the session's own bundle, either way.",
    labels: ['version'],
  },
  shadowCauses: {
    name: 'shadow_changes_total',
    help: 'Steps on which a candidate gives another verdict, by the specs and other sources that make the difference, and how; each of several causes counts.',
    labels: ['version', 'cause', 'how', 'change'],
  },
  shadowErrors: {
    name: 'shadow_errors_total',
    help: 'Steps that a candidate could not judge: its rules are unavailable to this monitor, or it failed. Verdicts are not touched.',
    labels: ['version', 'reason'],
  },
  shadowSkipped: {
    name: 'shadow_skipped_steps_total',
    help: 'Steps that a candidate did not judge because its specs do not know what the session did: it began before the candidate, or elsewhere.',
    labels: ['version'],
  },
  shadowReleased: {
    name: 'shadow_sessions_released_total',
    help: "Sessions that a candidate's specs follow no more, for want of room.",
    labels: [],
  },
  shadowDropped: {
    name: 'shadow_records_dropped_total',
    help: 'Differences that were counted and not written to the topic: too many at once, or it took none.',
    labels: [],
  },
} as const satisfies Readonly<Record<string, MetricSpec<string>>>

/** What the monitor tells as it stands. */
export const GAUGES = {
  lag: {
    name: 'lag_events',
    help: 'Records behind the last one done, by partition.',
    labels: ['partition'],
  },
  sessionsLive: {
    name: 'sessions_live',
    help: 'Sessions that have not ended, by partition.',
    labels: ['partition'],
  },
  approvalsWaiting: {
    name: 'approvals_waiting',
    help: 'Sessions in which a question waits for a human, by partition.',
    labels: ['partition'],
  },
  stopped: {
    name: 'stopped',
    help: '1 while the stop switch stands for the whole fleet, by partition.',
    labels: ['partition'],
  },
  active: {
    name: 'active_info',
    help: '1 for each version that new sessions are pinned to in some partition of this monitor.',
    labels: ['kind', 'version'],
  },
  shadow: {
    name: 'shadow_info',
    help: '1 for each candidate that runs in shadow in some partition of this monitor, by its version; several are joined by `+`.',
    labels: ['version'],
  },
  shadowSessions: {
    name: 'shadow_sessions',
    help: "Sessions for which a candidate's specs keep state in this monitor's memory.",
    labels: [],
  },
  ready: { name: 'ready', help: '1 while the monitor consumes and its store answers.', labels: [] },
} as const satisfies Readonly<Record<string, MetricSpec<string>>>

/** What the monitor measures. */
export const HISTOGRAMS = {
  decide: {
    name: 'decision_seconds',
    help: 'Time to fold one event, mean of those its session has in a chunk.',
    labels: [],
    buckets: FOLD_BUCKETS,
  },
  endToEnd: {
    name: 'end_to_end_seconds',
    help: "From an event's append to its decision's.",
    labels: [],
    buckets: SECONDS_BUCKETS,
  },
  store: {
    name: 'store_seconds',
    help: 'Round trips to the session store.',
    labels: ['operation'],
    buckets: SECONDS_BUCKETS,
  },
  chunk: {
    name: 'chunk_events',
    help: 'Records carried through the delivery order at a time.',
    labels: [],
    buckets: COUNT_BUCKETS,
  },
} as const satisfies Readonly<Record<string, HistogramSpec<string>>>

/** Every metric of the monitor itself; its adapters have some of their own. */
export const MONITOR_METRICS: readonly MetricSpec<string>[] = [
  ...Object.values(COUNTERS),
  ...Object.values(GAUGES),
  ...Object.values(HISTOGRAMS),
]

/** What stands for all values that come when there are too many. */
export const OTHER = 'other'

/** Keeps a label to its first `max` values: each value is a series that stays, and senders choose the values. */
export function createBoundedLabel(max: number): (value: string) => string {
  const known = new Set<string>()
  return (value) => {
    if (known.has(value)) return value
    if (known.size >= max) return OTHER
    known.add(value)
    return value
  }
}

type LabelOf<S> = S extends { readonly labels: readonly (infer L extends string)[] } ? L : never

type Counters = { readonly [K in keyof typeof COUNTERS]: Counter<LabelOf<(typeof COUNTERS)[K]>> }
type Gauges = { readonly [K in keyof typeof GAUGES]: Gauge<LabelOf<(typeof GAUGES)[K]>> }
type Histograms = { readonly [K in keyof typeof HISTOGRAMS]: Histogram<LabelOf<(typeof HISTOGRAMS)[K]>> }

/** The metrics of `specs.ts`, ready to count. */
export type Instruments = Counters & Gauges & Histograms

export function createInstruments(metrics: Metrics): Instruments {
  return {
    ...(made(COUNTERS, metrics.counter) as Counters),
    ...(made(GAUGES, metrics.gauge) as Gauges),
    ...(made(HISTOGRAMS, metrics.histogram) as Histograms),
  }
}

function made<S>(specs: Readonly<Record<string, S>>, make: (spec: S) => unknown): unknown {
  return Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, make(spec)]))
}
