import { byPartition, countBy, metric, orZero, rateBy } from './promql.js'
import type { DashboardSpec, RowSpec } from './layout.js'
import { policies } from './policies.js'
import { shadow } from './shadow.js'
import { modelQuality } from './model-quality.js'

const STEPS = 'kind="step"'

const now: RowSpec = {
  title: 'Now',
  panels: [
    {
      title: 'Sessions',
      about: 'Running sessions, by the records of the store.',
      kind: 'number',
      unit: 'short',
      width: 4,
      queries: [{ expr: `sum(${byPartition('plimsoll_sessions_live')})`, legend: 'sessions' }],
    },
    {
      title: 'Steps a second',
      about: 'Proposals answered for the first time.',
      kind: 'number',
      unit: 'ops',
      width: 4,
      queries: [{ expr: `sum(${rateBy('verdict', 'plimsoll_decisions_total', STEPS)})`, legend: 'steps' }],
    },
    {
      title: 'Not allowed',
      about: 'Share of the steps of the last ten minutes with a verdict of warn, confirm or block.',
      kind: 'number',
      unit: 'percentunit',
      width: 4,
      queries: [
        {
          expr: `1 - sum(rate(${metric('plimsoll_decisions_total', `${STEPS}, verdict="allow"`)}[10m])) / sum(rate(${metric('plimsoll_decisions_total', STEPS)}[10m]))`,
          legend: 'share',
        },
      ],
    },
    {
      title: 'Pending approval requests',
      about: 'Approval requests that wait for an answer.',
      kind: 'number',
      unit: 'short',
      width: 4,
      queries: [{ expr: `sum(${byPartition('plimsoll_approvals_waiting')})`, legend: 'requests' }],
    },
    {
      title: 'Ran without a verdict',
      about: 'Steps within the time shown that ran because no verdict came and the fail mode was open.',
      kind: 'number',
      unit: 'short',
      width: 4,
      queries: [
        {
          expr: orZero(`sum(${countBy('category', 'plimsoll_steps_without_verdict_total')})`),
          legend: 'steps',
        },
      ],
    },
    {
      title: 'Stop switch',
      about:
        'ON where the fleet is stopped: every proposal is blocked. The stop of one tenant does not show here.',
      kind: 'switch',
      unit: 'short',
      width: 4,
      queries: [{ expr: `max(${metric('plimsoll_stopped')})`, legend: 'stop' }],
    },
  ],
}

const risk: RowSpec = {
  title: 'Risk',
  panels: [
    {
      title: 'Sessions that reach a level',
      about: 'Each session counts once at each level it enters; all start as safe.',
      kind: 'stacked',
      unit: 'ops',
      width: 12,
      queries: [{ expr: rateBy('level', 'plimsoll_sessions_reached_total'), legend: '{{level}}' }],
    },
    {
      title: 'Highest level of sessions that ended',
      about: 'How sessions ended: by their agent, or because no event came for too long.',
      kind: 'stacked',
      unit: 'ops',
      width: 12,
      queries: [{ expr: rateBy('level', 'plimsoll_sessions_ended_total'), legend: '{{level}}' }],
    },
    {
      title: 'Sessions by category and level',
      about: 'How many sessions of each category entered each level within the time shown.',
      kind: 'table',
      unit: 'short',
      width: 12,
      queries: [{ expr: countBy('category, level', 'plimsoll_sessions_reached_total'), legend: '' }],
    },
    {
      title: 'Sessions started, by category',
      about: 'The categories are those that agents declare; the model has a chain for each it knows.',
      kind: 'stacked',
      unit: 'ops',
      width: 12,
      queries: [
        {
          expr: rateBy('category', 'plimsoll_sessions_reached_total', 'level="safe"'),
          legend: '{{category}}',
        },
      ],
    },
  ],
}

const verdicts: RowSpec = {
  title: 'Verdicts',
  panels: [
    {
      title: 'Verdicts',
      about: 'First answers to proposals.',
      kind: 'stacked',
      unit: 'ops',
      width: 12,
      queries: [{ expr: rateBy('verdict', 'plimsoll_decisions_total', STEPS), legend: '{{verdict}}' }],
    },
    {
      title: 'Not allowed, by category',
      about: 'Share of steps over ten minutes; PlimsollInterventionSpike compares it with the last day.',
      kind: 'time series',
      unit: 'percentunit',
      width: 12,
      queries: [{ expr: metric('plimsoll:interventions:ratio_rate10m'), legend: '{{category}}' }],
    },
    {
      title: 'Most affected agents',
      about:
        'Warnings, questions and blocks within the time shown. The first fifty agents have names, the rest are `other`.',
      kind: 'bars',
      unit: 'short',
      width: 12,
      queries: [
        { expr: `topk(10, ${countBy('agent', 'plimsoll_interventions_total')})`, legend: '{{agent}}' },
      ],
    },
    {
      title: 'Blocks of an agent within ten minutes',
      about: 'PlimsollAgentBlocked fires above five.',
      kind: 'time series',
      unit: 'short',
      width: 12,
      queries: [{ expr: `topk(10, ${metric('plimsoll:blocks:increase10m')})`, legend: '{{agent}}' }],
    },
  ],
}

const humans: RowSpec = {
  title: 'Approvals',
  panels: [
    {
      title: 'Pending approval requests',
      about: 'By partition.',
      kind: 'stacked',
      unit: 'short',
      width: 8,
      queries: [{ expr: byPartition('plimsoll_approvals_waiting'), legend: 'partition {{partition}}' }],
    },
    {
      title: 'Approval requests',
      about: 'By category.',
      kind: 'stacked',
      unit: 'ops',
      width: 8,
      queries: [
        {
          expr: rateBy('category', 'plimsoll_decisions_total', `${STEPS}, verdict="confirm", mode="enforce"`),
          legend: '{{category}}',
        },
      ],
    },
    {
      title: 'Resolved approval requests',
      about: 'Expired requests count as denied.',
      kind: 'stacked',
      unit: 'ops',
      width: 8,
      queries: [
        { expr: rateBy('resolution', 'plimsoll_approvals_resolved_total'), legend: '{{resolution}}' },
      ],
    },
  ],
}

const control: RowSpec = {
  title: 'Tenants and control',
  panels: [
    {
      title: 'Steps by tenant',
      about: 'The first hundred tenants have names, the rest are `other`.',
      kind: 'stacked',
      unit: 'ops',
      width: 8,
      queries: [{ expr: rateBy('tenant', 'plimsoll_decisions_total', STEPS), legend: '{{tenant}}' }],
    },
    {
      title: 'Steps by mode',
      about: 'In observe mode verdicts are made, and every step runs.',
      kind: 'stacked',
      unit: 'ops',
      width: 8,
      queries: [{ expr: rateBy('mode', 'plimsoll_decisions_total', STEPS), legend: '{{mode}}' }],
    },
    {
      title: 'Over a quota',
      about: 'Events refused because a session, or a tenant in a partition, sent more than it may.',
      kind: 'time series',
      unit: 'ops',
      width: 8,
      queries: [{ expr: orZero(rateBy('scope', 'plimsoll_quota_refusals_total')), legend: '{{scope}}' }],
    },
    {
      title: 'Active for new sessions',
      about: 'Two versions of one kind for long: PlimsollVersionsDiffer.',
      kind: 'table',
      unit: 'short',
      width: 12,
      queries: [{ expr: `count by (kind, version) (${metric('plimsoll_active_info')})`, legend: '' }],
    },
    {
      title: 'Control changes',
      about: 'Each change counts once a partition.',
      kind: 'time series',
      unit: 'short',
      width: 12,
      queries: [
        {
          expr: orZero(countBy('type, outcome', 'plimsoll_controls_total')),
          legend: '{{type}} {{outcome}}',
        },
      ],
    },
    {
      title: 'Sessions moved to another policy',
      about:
        'Sessions moved to a policy whose specs keep state: rebuilt from the log, or seeded from the record alone.',
      kind: 'time series',
      unit: 'short',
      width: 12,
      queries: [{ expr: orZero(countBy('from', 'plimsoll_warm_starts_total')), legend: 'from the {{from}}' }],
    },
  ],
}

/** The fleet dashboard, for owners of agents. */
export const FLEET: DashboardSpec = {
  uid: 'plimsoll-fleet',
  title: 'Plimsoll: fleet',
  about: 'Sessions, risk, verdicts, policies, approvals and model quality.',
  rows: [now, risk, verdicts, policies, humans, control, shadow, modelQuality],
}
