import { countBy, metric, orZero, rateBy } from './promql.js'
import type { RowSpec } from './layout.js'

export const shadow: RowSpec = {
  title: 'A candidate in shadow',
  panels: [
    {
      title: 'Agrees with what is active',
      about:
        'Share of the steps of the last hour on which both say the same, ignoring earlier approvals. It affects no verdict.',
      kind: 'time series',
      unit: 'percentunit',
      width: 8,
      queries: [{ expr: metric('plimsoll:shadow_agreement:ratio_rate1h'), legend: '{{version}}' }],
    },
    {
      title: 'How far apart',
      about: 'Mean distance between the two P(h) over an hour, either way.',
      kind: 'time series',
      unit: 'percentunit',
      width: 8,
      queries: [{ expr: metric('plimsoll:shadow_difference:mean_rate1h'), legend: '{{version}}' }],
    },
    {
      title: 'Not judged by it, and not written',
      about:
        'Steps that the candidate could not judge (PlimsollShadowFails), those of sessions that it has not seen from their start, and differences that were counted and not written.',
      kind: 'time series',
      unit: 'ops',
      width: 8,
      queries: [
        { expr: orZero(rateBy('reason', 'plimsoll_shadow_errors_total')), legend: '{{reason}}' },
        {
          expr: orZero(rateBy('version', 'plimsoll_shadow_skipped_steps_total')),
          legend: 'not followed',
        },
        { expr: `sum(${rateBy('job', 'plimsoll_shadow_records_dropped_total')})`, legend: 'not written' },
      ],
    },
    {
      title: 'Verdicts of both',
      about: 'Steps within the time shown, by the verdicts of the active rules and of the candidate.',
      kind: 'table',
      unit: 'short',
      width: 12,
      queries: [{ expr: countBy('version, active, candidate', 'plimsoll_shadow_steps_total'), legend: '' }],
    },
    {
      title: 'What makes the difference',
      about:
        'Steps in the time shown that the candidate would judge more severely or more mildly, by the spec or other source that makes the difference.',
      kind: 'table',
      unit: 'short',
      width: 12,
      queries: [
        { expr: countBy('version, change, cause, how', 'plimsoll_shadow_changes_total'), legend: '' },
      ],
    },
    {
      title: 'In shadow',
      about: 'The candidate: a bundle, a policy or a catalogue; several joined by +.',
      kind: 'table',
      unit: 'short',
      width: 12,
      queries: [{ expr: `max by (version) (${metric('plimsoll_shadow_info')}) == 1`, legend: '' }],
    },
  ],
}
