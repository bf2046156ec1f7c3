import {
  type Metrics,
  SECONDS_BUCKETS,
  counter,
  createInstruments as create,
  gauge,
  histogram,
} from '@plimsoll/runtime'

const FOLD_BUCKETS = [1e-6, 2.5e-6, 5e-6, 1e-5, 2.5e-5, 5e-5, 1e-4, 2.5e-4, 5e-4, 1e-3, 1e-2]

/** Every metric of the monitor, without the prefix. */
const SPECS = {
  events: counter('events_total', 'Records read from the events topic, by type.', 'type'),
  unproved: counter(
    'unproved_events_total',
    'Agent events accepted without a proof of identity, while identities are optional.',
    'type',
  ),
  unknownSignals: counter(
    'unknown_signals_total',
    'Signals dropped from accepted events because their names are unknown, by type of event.',
    'type',
  ),
  decisions: counter(
    'decisions_total',
    'Decisions, by verdict, category of the chain, kind, mode and tenant.',
    'verdict',
    'category',
    'kind',
    'mode',
    'tenant',
  ),
  labelsOnly: counter(
    'labels_only_steps_total',
    'Steps judged by labels only: their clients reported no fingerprints and no signals.',
    'category',
  ),
  interventions: counter(
    'interventions_total',
    'Steps with a verdict of warn, confirm or block, by agent.',
    'agent',
    'verdict',
  ),
  sessionsReached: counter(
    'sessions_reached_total',
    'Sessions that entered a risk level for the first time; `safe` when they start.',
    'category',
    'level',
  ),
  sessionsEnded: counter(
    'sessions_ended_total',
    'Sessions that ended, by the highest level reached and how: `ended` by their agent, or `idle`.',
    'category',
    'level',
    'how',
  ),
  approvalsResolved: counter(
    'approvals_resolved_total',
    'Approval requests by outcome: approved, denied or expired.',
    'resolution',
  ),
  approvalsHazard: counter(
    'approvals_hazard_total',
    'Sum of p1 over resolved approval requests: divided by their number, the mean predicted probability of a violation.',
    'resolution',
  ),
  specVerdicts: counter(
    'spec_verdicts_total',
    'Steps that a spec or a line matched, by tier and verdict: a tier of the policy, or `line`, `integrity`, `irreversible`. Allowlist specs count when they lift a reason. `act` and `reach` are those of the effect behind an `irreversible` reason, `none` where it has none.',
    'spec',
    'tier',
    'verdict',
    'act',
    'reach',
  ),
  obligations: counter(
    'obligations_total',
    'Obligations of the mustlist by outcome: opened, paid, late (paid after the deadline), unpaid (at the end of the session).',
    'outcome',
  ),
  declassifications: counter(
    'declassifications_total',
    'Declassifications of data for a flow spec by a human.',
    'spec',
  ),
  fleetReadings: counter(
    'fleet_readings_total',
    'Steps that a fleet limit applied to, by whether there was room.',
    'spec',
    'outcome',
  ),
  withoutVerdict: counter('steps_without_verdict_total', 'Steps that ran without a verdict.', 'category'),
  violations: counter('violations_total', 'Steps that ran although they were blocked.', 'category'),
  transitions: counter(
    'transitions_total',
    'Transitions counted for drift: (surprise − entropy) / transitions is near 0 while sessions follow the fitted chain.',
    'category',
  ),
  transitionNats: counter(
    'transition_nats_total',
    'Of the transitions counted for drift: `surprise`, their negative log probability under the chain, and `entropy`, its expected value.',
    'category',
    'of',
  ),
  bucketSteps: counter(
    'bucket_steps_total',
    'Steps counted for drift by bucket of the session scorer: `observed`, and `fitted`, the expected number for as many steps. For bundles of the space `flow`.',
    'bucket',
    'of',
  ),
  hazard: counter(
    'hazard_total',
    'Sum of p1 over judged steps: the number of violations predicted.',
    'category',
  ),
  countedTransitions: counter(
    'counted_transitions_total',
    'Transitions added to the counts in the session store, by kind.',
    'category',
    'kind',
  ),
  deadLetters: counter('dead_letters_total', 'Events set aside, by error code.', 'code'),
  conflicts: counter('store_conflicts_total', 'Compare-and-sets refused because another owner wrote first.'),
  retries: counter('batch_retries_total', 'Batches retried after an error, by its code.', 'code'),
  deadlines: counter('deadlines_published_total', 'Deadlines published as events, by kind.', 'kind'),
  rebuilds: counter(
    'rebuilds_total',
    'Replays of the log to rebuild the store: it was `flushed`, `behind`, or a session was `missing`.',
    'why',
  ),
  sessionsLost: counter(
    'sessions_lost_total',
    'Sessions refused because their record is missing or unreadable, once a chunk.',
  ),
  controls: counter(
    'controls_total',
    'Control changes, by type and outcome, once a partition.',
    'type',
    'outcome',
  ),
  documentsRefused: counter('documents_refused_total', 'Records of the registry refused.', 'reason'),
  quotaRefusals: counter(
    'quota_refusals_total',
    'Events refused because a session or tenant exceeded its quota.',
    'scope',
  ),
  warmStarts: counter(
    'warm_starts_total',
    'Sessions moved to another policy whose specs keep state, by its source: the log, or the record alone.',
    'from',
  ),
  shadowSteps: counter(
    'shadow_steps_total',
    'Steps that a candidate judged too, by its version (several joined by `+`) and both verdicts; both ignore earlier approvals.',
    'version',
    'active',
    'candidate',
  ),
  shadowDifference: counter(
    'shadow_probability_difference_total',
    'Sum of the absolute difference of P(h) between the candidate and the active bundle.',
    'version',
  ),
  shadowChanges: counter(
    'shadow_changes_total',
    'Steps on which a candidate gives another verdict, by the specs and other sources that cause it. Each cause counts.',
    'version',
    'cause',
    'how',
    'change',
  ),
  shadowErrors: counter(
    'shadow_errors_total',
    'Steps that a candidate could not judge: its rules are unavailable to this monitor, or failed. Verdicts are not affected.',
    'version',
    'reason',
  ),
  shadowSkipped: counter(
    'shadow_skipped_steps_total',
    'Steps that a candidate did not judge because its specs lack the state of the session, which began earlier or on another monitor.',
    'version',
  ),
  shadowDropped: counter(
    'shadow_records_dropped_total',
    'Differences counted but not written to the shadow topic: too many at once, or the write failed.',
  ),
  lag: gauge('lag_events', 'Records after the last committed one, by partition.', 'partition'),
  sessionsLive: gauge('sessions_live', 'Sessions that have not ended, by partition.', 'partition'),
  approvalsWaiting: gauge(
    'approvals_waiting',
    'Sessions with a pending approval request, by partition.',
    'partition',
  ),
  stopped: gauge('stopped', '1 while the stop switch is on for the whole fleet, by partition.', 'partition'),
  active: gauge(
    'active_info',
    '1 for each version active for new sessions in any partition of this monitor.',
    'kind',
    'version',
  ),
  shadow: gauge(
    'shadow_info',
    '1 for each candidate in shadow in any partition of this monitor, by version (several joined by `+`).',
    'version',
  ),
  ready: gauge('ready', '1 while the monitor consumes and its store answers.'),
  decide: histogram(
    'decision_seconds',
    'Time to fold one event: the mean over the events of a session in a chunk.',
    FOLD_BUCKETS,
  ),
  endToEnd: histogram(
    'end_to_end_seconds',
    'Time from the append of an event to that of its decision.',
    SECONDS_BUCKETS,
  ),
  store: histogram('store_seconds', 'Round trips to the session store.', SECONDS_BUCKETS, 'operation'),
} as const

/** Every metric of the monitor itself; its adapters add their own. */
export const MONITOR_METRICS = Object.values(SPECS)

export const createInstruments = (metrics: Metrics) => create(metrics, SPECS)
export type MonitorInstruments = ReturnType<typeof createInstruments>

/** Value of a label beyond its bound. */
const OTHER = 'other'

/** Keeps a label to its first `max` values: each value is a series that stays, and senders choose the values. */
export function createBoundedLabel(max: number): (value: string) => string {
  const known = new Set<string>()
  return (value) => {
    if (!known.has(value) && known.size >= max) return OTHER
    known.add(value)
    return value
  }
}
