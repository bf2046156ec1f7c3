import * as bargauge from '@grafana/grafana-foundation-sdk/bargauge'
import {
  BarGaugeDisplayMode,
  ReduceDataOptionsBuilder,
  ScaleDistribution,
  ScaleDistributionConfigBuilder,
  StackingConfigBuilder,
  StackingMode,
  VizOrientation,
} from '@grafana/grafana-foundation-sdk/common'
import type { Builder } from '@grafana/grafana-foundation-sdk/cog'
import { MappingType, type Panel } from '@grafana/grafana-foundation-sdk/dashboard'
import * as heatmap from '@grafana/grafana-foundation-sdk/heatmap'
import { DataqueryBuilder, PromQueryFormat } from '@grafana/grafana-foundation-sdk/prometheus'
import * as stat from '@grafana/grafana-foundation-sdk/stat'
import * as table from '@grafana/grafana-foundation-sdk/table'
import * as timeseries from '@grafana/grafana-foundation-sdk/timeseries'
import { DATASOURCE } from './datasource.js'
import type { PanelKind, PanelSpec, Query } from './layout.js'

/** Rows of Grafana's grid. */
const HEIGHT = 8
const HEIGHT_OF_NUMBERS = 4

type PanelBuilder = { [K in PanelKind]: ReturnType<(typeof startOf)[K]> }[PanelKind]

/** Grafana's panel of `spec`, with its queries; `id` is its own in the dashboard. */
export function buildPanel(spec: PanelSpec, id: number): Builder<Panel> {
  const { kind, title, about, unit, width, queries } = spec
  const panel: PanelBuilder = startOf[kind]()
  panel
    .id(id)
    .title(title)
    .description(about)
    .datasource(DATASOURCE)
    .unit(unit)
    .span(width)
    .height(isNumber(kind) ? HEIGHT_OF_NUMBERS : HEIGHT)
  for (const [i, query] of queries.entries()) panel.withTarget(buildQuery(query, kind, i))
  return panel
}

/** What is special about each kind. */
const startOf = {
  'time series': () => new timeseries.PanelBuilder().fillOpacity(8).min(0),
  stacked: () =>
    new timeseries.PanelBuilder()
      .fillOpacity(40)
      .min(0)
      .stacking(new StackingConfigBuilder().mode(StackingMode.Normal)),
  number: () => new stat.PanelBuilder().reduceOptions(last()),
  switch: () =>
    new stat.PanelBuilder().reduceOptions(last()).mappings([
      {
        type: MappingType.ValueToText,
        options: { '0': { text: 'off', color: 'green' }, '1': { text: 'ON', color: 'red' } },
      },
    ]),
  bars: () =>
    new bargauge.PanelBuilder()
      .reduceOptions(last())
      .orientation(VizOrientation.Horizontal)
      .displayMode(BarGaugeDisplayMode.Gradient)
      .min(0),
  heatmap: () =>
    new heatmap.PanelBuilder()
      .calculate(false)
      .yAxis(new heatmap.YAxisConfigBuilder().unit('s'))
      .scaleDistribution(new ScaleDistributionConfigBuilder().type(ScaleDistribution.Log).log(2)),
  table: () => new table.PanelBuilder(),
} satisfies Record<PanelKind, () => unknown>

const last = () => new ReduceDataOptionsBuilder().calcs(['lastNotNull'])

const isNumber = (kind: PanelKind): boolean => kind === 'number' || kind === 'switch'
const isOfNow = (kind: PanelKind): boolean => isNumber(kind) || kind === 'bars' || kind === 'table'

function buildQuery({ expr, legend }: Query, kind: PanelKind, index: number): DataqueryBuilder {
  const query = new DataqueryBuilder()
    .refId(String.fromCharCode('A'.charCodeAt(0) + index))
    .datasource(DATASOURCE)
    .expr(expr)
    .legendFormat(legend)
  if (kind === 'heatmap') query.format(PromQueryFormat.Heatmap)
  if (kind === 'table') query.format(PromQueryFormat.Table)
  return isOfNow(kind) ? query.instant() : query.range()
}
