import { gateways } from './gateways.js'
import { byPartition, metric, orZero, quantile, rateBy } from './promql.js'
import type { DashboardSpec, PanelSpec, RowSpec } from './layout.js'

/** The median and two high quantiles of a histogram in seconds. */
const quantiles = (name: string): PanelSpec['queries'] =>
  [0.5, 0.95, 0.99].map((q) => ({ expr: quantile(q, name), legend: `p${q * 100}` }))

const stages: RowSpec = {
  title: 'Stages',
  panels: [
    {
      title: 'Events in',
      about: 'Records taken from the events topic.',
      kind: 'stacked',
      unit: 'ops',
      width: 8,
      queries: [{ expr: rateBy('type', 'plimsoll_events_total'), legend: '{{type}}' }],
    },
    {
      title: 'Decisions out',
      about: 'By kind: first answers, answers after an approval, repeats, refusals, alerts.',
      kind: 'stacked',
      unit: 'ops',
      width: 8,
      queries: [{ expr: rateBy('kind', 'plimsoll_decisions_total'), legend: '{{kind}}' }],
    },
    {
      title: 'Dead letters',
      about: 'Events set aside, by error code.',
      kind: 'stacked',
      unit: 'ops',
      width: 8,
      queries: [{ expr: orZero(rateBy('code', 'plimsoll_dead_letters_total')), legend: '{{code}}' }],
    },
  ],
}

const latency: RowSpec = {
  title: 'From publish to decision',
  panels: [
    {
      title: 'Latency',
      about: "From an event's append to its decision's.",
      kind: 'heatmap',
      unit: 'short',
      width: 12,
      queries: [
        {
          expr: `sum by (le) (increase(${metric('plimsoll_end_to_end_seconds_bucket')}[$__rate_interval]))`,
          legend: '{{le}}',
        },
      ],
    },
    {
      title: 'Quantiles',
      about: 'The objective: 99 % within 250 ms.',
      kind: 'time series',
      unit: 's',
      width: 12,
      queries: quantiles('plimsoll_end_to_end_seconds'),
    },
    {
      title: 'Late decisions',
      about:
        'Share that took more than 250 ms. Above 0.01 the error budget shrinks; the alerts say how fast.',
      kind: 'time series',
      unit: 'percentunit',
      width: 12,
      queries: [
        { expr: metric('plimsoll:slow_decisions:ratio_rate5m'), legend: 'over 5 minutes' },
        { expr: metric('plimsoll:slow_decisions:ratio_rate1h'), legend: 'over an hour' },
      ],
    },
    {
      title: 'Time to fold an event',
      about: 'The engine alone, without Kafka and Redis.',
      kind: 'time series',
      unit: 's',
      width: 12,
      queries: quantiles('plimsoll_decision_seconds'),
    },
  ],
}

const kafka: RowSpec = {
  title: 'Kafka',
  panels: [
    {
      title: 'Lag',
      about: 'Records behind the last one done. A line that neither falls nor moves is a stalled partition.',
      kind: 'time series',
      unit: 'short',
      width: 12,
      queries: [{ expr: byPartition('plimsoll_lag_events'), legend: 'partition {{partition}}' }],
    },
    {
      title: 'Waiting to be written',
      about: "Bytes in the writers' queues, by topic.",
      kind: 'time series',
      unit: 'bytes',
      width: 12,
      queries: [
        { expr: `sum by (topic) (${metric('plimsoll_log_write_queue_bytes')})`, legend: '{{topic}}' },
      ],
    },
    {
      title: 'Writes given up',
      about: 'The batch is tried again, so nothing is lost; verdicts wait.',
      kind: 'time series',
      unit: 'ops',
      width: 8,
      queries: [{ expr: orZero(rateBy('topic', 'plimsoll_log_write_failures_total')), legend: '{{topic}}' }],
    },
    {
      title: 'Group lost and joined again',
      about: 'Some at a rolling restart; many mean that a monitor is too slow for its session timeout.',
      kind: 'time series',
      unit: 'ops',
      width: 8,
      queries: [{ expr: orZero(rateBy('topic', 'plimsoll_log_rejoins_total')), legend: '{{topic}}' }],
    },
    {
      title: 'Batches again',
      about: 'Batches retried after an error, by its code.',
      kind: 'time series',
      unit: 'ops',
      width: 8,
      queries: [{ expr: orZero(rateBy('code', 'plimsoll_batch_retries_total')), legend: '{{code}}' }],
    },
  ],
}

const redis: RowSpec = {
  title: 'Redis',
  panels: [
    {
      title: 'Round trips, p99',
      about: 'By operation: load, store, trim.',
      kind: 'time series',
      unit: 's',
      width: 8,
      queries: [{ expr: quantile(0.99, 'plimsoll_store_seconds', 'operation'), legend: '{{operation}}' }],
    },
    {
      title: 'Round trips a second',
      about: 'By operation.',
      kind: 'stacked',
      unit: 'ops',
      width: 8,
      queries: [{ expr: rateBy('operation', 'plimsoll_store_seconds_count'), legend: '{{operation}}' }],
    },
    {
      title: 'Outages and conflicts',
      about: 'Times Redis could not be reached; writes refused because another monitor owned the partition.',
      kind: 'time series',
      unit: 'ops',
      width: 8,
      queries: [
        { expr: `sum(${rateBy('instance', 'plimsoll_store_outages_total')})`, legend: 'outages' },
        { expr: `sum(${rateBy('instance', 'plimsoll_store_conflicts_total')})`, legend: 'conflicts' },
      ],
    },
    {
      title: 'Sessions by partition',
      about: 'Evenly spread, unless few sessions make most of the load.',
      kind: 'stacked',
      unit: 'short',
      width: 8,
      queries: [{ expr: byPartition('plimsoll_sessions_live'), legend: 'partition {{partition}}' }],
    },
    {
      title: 'Rebuilds',
      about:
        'Partitions read back because the store was flushed or behind, and single sessions whose record was missing.',
      kind: 'time series',
      unit: 'ops',
      width: 8,
      queries: [
        { expr: orZero(rateBy('why', 'plimsoll_rebuilds_total')), legend: '{{why}}' },
        { expr: `sum(${rateBy('instance', 'plimsoll_sessions_lost_total')})`, legend: 'sessions lost' },
      ],
    },
    {
      title: 'Deadlines',
      about:
        'Published by the owners of the partitions: approval requests that expire, sessions that are idle for too long.',
      kind: 'time series',
      unit: 'ops',
      width: 8,
      queries: [{ expr: orZero(rateBy('kind', 'plimsoll_deadlines_published_total')), legend: '{{kind}}' }],
    },
  ],
}

const processes: RowSpec = {
  title: 'Monitors',
  panels: [
    {
      title: 'Ready',
      about: '1 while the monitor consumes and its store answers.',
      kind: 'time series',
      unit: 'short',
      width: 6,
      queries: [{ expr: metric('plimsoll_ready'), legend: '{{instance}}' }],
    },
    {
      title: 'Processor',
      about: 'Cores in use; one monitor uses little more than one.',
      kind: 'time series',
      unit: 'short',
      width: 6,
      queries: [{ expr: rateBy('instance', 'process_cpu_seconds_total'), legend: '{{instance}}' }],
    },
    {
      title: 'Memory',
      about: 'Resident; it holds caches of bounded size and no session.',
      kind: 'time series',
      unit: 'bytes',
      width: 6,
      queries: [{ expr: metric('process_resident_memory_bytes'), legend: '{{instance}}' }],
    },
    {
      title: 'Event loop delay, p99',
      about: 'Above the time between heartbeats the monitor loses its group.',
      kind: 'time series',
      unit: 's',
      width: 6,
      queries: [{ expr: metric('nodejs_eventloop_lag_p99_seconds'), legend: '{{instance}}' }],
    },
    {
      title: 'Documents refused',
      about: 'Records of the registry that are no document, or not the one their key says.',
      kind: 'time series',
      unit: 'ops',
      width: 12,
      queries: [{ expr: orZero(rateBy('reason', 'plimsoll_documents_refused_total')), legend: '{{reason}}' }],
    },
  ],
}

/** The pipeline dashboard, for operators. */
export const PIPELINE: DashboardSpec = {
  uid: 'plimsoll-pipeline',
  title: 'Plimsoll: pipeline',
  about: 'How events become decisions: stages, latency, lag, Kafka, Redis and the monitors themselves.',
  rows: [stages, latency, kafka, redis, gateways, processes],
}
