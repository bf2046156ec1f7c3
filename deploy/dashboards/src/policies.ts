import { countBy, orZero, rateBy } from './promql.js'
import type { RowSpec } from './layout.js'

/** What the specs of policies do. */
export const policies: RowSpec = {
  title: 'Policies',
  panels: [
    {
      title: 'Verdicts by spec',
      about:
        'Steps in the time shown, by the spec that matched; the first two hundred have names. A spec that matches many steps may be too wide.',
      kind: 'bars',
      unit: 'short',
      width: 12,
      queries: [
        {
          expr: `topk(20, ${countBy('spec, verdict', 'plimsoll_spec_verdicts_total')})`,
          legend: '{{spec}} {{verdict}}',
        },
      ],
    },
    {
      title: 'By tier',
      about: 'Steps a second that a spec or a line matched; allowlist specs count when they lift a reason.',
      kind: 'stacked',
      unit: 'ops',
      width: 12,
      queries: [{ expr: rateBy('tier', 'plimsoll_spec_verdicts_total'), legend: '{{tier}}' }],
    },
    {
      title: 'Irreversible, by act and reach',
      about:
        'Steps in the time shown that the task does not ask for, by what they do and whom that affects: `live` is what people use now, `none` is not known. Many of one kind that are approved: say in the task or the policy that it is wanted.',
      kind: 'bars',
      unit: 'short',
      width: 24,
      queries: [
        {
          expr: orZero(
            `topk(20, ${countBy('act, reach, verdict', 'plimsoll_spec_verdicts_total', 'tier="irreversible"')})`,
          ),
          legend: '{{act}} {{reach}} {{verdict}}',
        },
      ],
    },
    {
      title: 'Obligations',
      about:
        'Within the time shown: opened, paid, paid late, and unpaid when the session ended (PlimsollObligationsUnpaid).',
      kind: 'time series',
      unit: 'ops',
      width: 8,
      queries: [{ expr: orZero(rateBy('outcome', 'plimsoll_obligations_total')), legend: '{{outcome}}' }],
    },
    {
      title: 'Limits of the fleet',
      about:
        'Steps that counted against a fleet limit; above the limit they were blocked or needed approval (PlimsollFleetLimitReached).',
      kind: 'time series',
      unit: 'ops',
      width: 8,
      queries: [
        {
          expr: orZero(rateBy('spec, outcome', 'plimsoll_fleet_readings_total')),
          legend: '{{spec}} {{outcome}}',
        },
      ],
    },
    {
      title: 'Declassified by hand',
      about: 'Within the time shown. If it is frequent, add a declassifier to the flow.',
      kind: 'bars',
      unit: 'short',
      width: 8,
      queries: [{ expr: orZero(countBy('spec', 'plimsoll_declassifications_total')), legend: '{{spec}}' }],
    },
  ],
}
