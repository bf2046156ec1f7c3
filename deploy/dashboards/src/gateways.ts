import { metric, orZero, quantile, rateBy } from './promql.js'
import type { RowSpec } from './layout.js'

/** What goes through gateways; without one all of it is empty. */
export const gateways: RowSpec = {
  title: 'Gateways',
  panels: [
    {
      title: 'Gateways ready',
      about: '1 while the gateway serves agents and reads the decisions (PlimsollNoGatewayReady).',
      kind: 'time series',
      unit: 'short',
      width: 6,
      queries: [{ expr: metric('plimsoll_gateway_ready'), legend: '{{instance}}' }],
    },
    {
      title: 'Streams',
      about: 'WebSockets that are open; a gateway holds 2,000.',
      kind: 'stacked',
      unit: 'short',
      width: 6,
      queries: [{ expr: metric('plimsoll_gateway_connections'), legend: '{{instance}}' }],
    },
    {
      title: 'Events over streams',
      about: '`taken`, or the error code for which they were not (PlimsollGatewayRefusals).',
      kind: 'stacked',
      unit: 'ops',
      width: 6,
      queries: [{ expr: orZero(rateBy('outcome', 'plimsoll_gateway_events_total')), legend: '{{outcome}}' }],
    },
    {
      title: 'Decisions over streams',
      about: 'Decisions sent to clients that wait for them.',
      kind: 'time series',
      unit: 'ops',
      width: 6,
      queries: [{ expr: rateBy('instance', 'plimsoll_gateway_decisions_total'), legend: '{{instance}}' }],
    },
    {
      title: 'HTTP checks',
      about: 'By verdict and by who gave it: a decision, or a fail mode (PlimsollGatewayUnanswered).',
      kind: 'stacked',
      unit: 'ops',
      width: 8,
      queries: [
        { expr: orZero(rateBy('verdict, by', 'plimsoll_http_checks_total')), legend: '{{verdict}} {{by}}' },
      ],
    },
    {
      title: 'HTTP requests',
      about: 'By what they ask and the status of the answer.',
      kind: 'stacked',
      unit: 'ops',
      width: 8,
      queries: [
        {
          expr: orZero(rateBy('operation, status', 'plimsoll_http_requests_total')),
          legend: '{{operation}} {{status}}',
        },
      ],
    },
    {
      title: 'Time to a verdict',
      about: 'From an HTTP check to its verdict, without the time that humans take.',
      kind: 'time series',
      unit: 's',
      width: 8,
      queries: [0.5, 0.99].map((q) => ({
        expr: quantile(q, 'plimsoll_http_check_seconds'),
        legend: `p${q * 100}`,
      })),
    },
  ],
}
