import { VariableRefresh, type Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { DashboardBuilder, QueryVariableBuilder, RowBuilder } from '@grafana/grafana-foundation-sdk/dashboard'
import { buildPanel } from './build-panel.js'
import type { DashboardSpec } from './layout.js'
import { DATASOURCE } from './datasource.js'

/** Grafana's dashboard of `spec`. The same spec gives the same dashboard. */
export function buildDashboard({ uid, title, about, rows }: DashboardSpec): Dashboard {
  const builder = new DashboardBuilder(title)
    .uid(uid)
    .description(about)
    .tags(['plimsoll'])
    .time({ from: 'now-1h', to: 'now' })
    .refresh('10s')
    .timezone('browser')
    .withVariable(deploymentVariable())
  let id = 0
  for (const row of rows) {
    builder.withRow(new RowBuilder(row.title).id(++id))
    for (const panel of row.panels) builder.withPanel(buildPanel(panel, ++id))
  }
  return builder.build()
}

/** Chooses among the deployments that one Prometheus scrapes. */
const deploymentVariable = () =>
  new QueryVariableBuilder('job')
    .label('Deployment')
    .datasource(DATASOURCE)
    .query('label_values({__name__=~"plimsoll(_gateway)?_ready"}, job)')
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .includeAll(true)
    .allValue('.+')
    .multi(true)
    .current({ selected: true, text: 'All', value: '$__all' })
