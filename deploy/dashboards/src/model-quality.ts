import { countBy, metric, orZero, rateBy } from './promql.js'
import type { RowSpec } from './layout.js'

export const modelQuality: RowSpec = {
  title: 'Model quality',
  panels: [
    {
      title: 'Drift from the model',
      about:
        'Nats a transition above what the chain expects of itself, over six hours; 0 while sessions follow it.',
      kind: 'time series',
      unit: 'short',
      width: 8,
      queries: [{ expr: metric('plimsoll:model_drift:nats6h'), legend: '{{category}}' }],
    },
    {
      title: 'Bucket drift',
      about:
        'Share of the steps of six hours that are made in other buckets of the session scorer than those the model was fitted to.',
      kind: 'time series',
      unit: 'percentunit',
      width: 8,
      queries: [{ expr: metric('plimsoll:bucket_drift:share6h'), legend: 'share' }],
    },
    {
      title: 'Steps by bucket',
      about:
        'Steps by the bucket of the session scorer in which the session stood, within the time shown, beside as many fitted ones.',
      kind: 'table',
      unit: 'short',
      width: 8,
      queries: [{ expr: countBy('bucket, of', 'plimsoll_bucket_steps_total'), legend: '' }],
    },
    {
      title: 'Predicted and found',
      about:
        'Violations a second: predicted by the model, found by the cascade among steps that ran, and denied by humans. If the first is far above the others, the model is too cautious; if it is far below, the model misses violations.',
      kind: 'time series',
      unit: 'ops',
      width: 8,
      queries: [
        { expr: `sum(${rateBy('category', 'plimsoll_hazard_total')})`, legend: 'predicted' },
        {
          expr: orZero(`sum(${rateBy('category', 'plimsoll_counted_transitions_total', 'kind="violated"')})`),
          legend: 'by the cascade',
        },
        {
          expr: orZero(
            `sum(${rateBy('resolution', 'plimsoll_approvals_resolved_total', 'resolution="denied"')})`,
          ),
          legend: 'denied',
        },
      ],
    },
    {
      title: 'Asked and denied',
      about:
        'Of the questions that humans answered within a day: how likely a violation they were by the model, and the share that was denied. Calibrated, and asked for no other reason, the two are alike.',
      kind: 'time series',
      unit: 'percentunit',
      width: 8,
      queries: [
        { expr: metric('plimsoll:answered_hazard:mean1d'), legend: 'predicted' },
        { expr: metric('plimsoll:answered_denied:ratio1d'), legend: 'denied' },
      ],
    },
    {
      title: 'Ran without a verdict',
      about: 'Steps that ran without a verdict, by category.',
      kind: 'time series',
      unit: 'ops',
      width: 8,
      queries: [
        { expr: orZero(rateBy('category', 'plimsoll_steps_without_verdict_total')), legend: '{{category}}' },
      ],
    },
    {
      title: 'Ran although blocked',
      about: 'Violations that did happen: in observe mode, or by a host that does not obey.',
      kind: 'time series',
      unit: 'ops',
      width: 8,
      queries: [{ expr: orZero(rateBy('category', 'plimsoll_violations_total')), legend: '{{category}}' }],
    },
  ],
}
