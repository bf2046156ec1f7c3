import { buildDashboard } from './build.js'
import { FLEET } from './fleet.js'
import { PIPELINE } from './pipeline.js'

export interface DashboardFile {
  /** In deploy/grafana/dashboards. */
  readonly name: string
  readonly text: string
}

/** Every dashboard as the file that Grafana is provisioned with; the same bytes at each call. */
export const dashboardFiles = (): readonly DashboardFile[] =>
  [FLEET, PIPELINE].map((spec) => ({
    name: `${spec.uid}.json`,
    text: `${JSON.stringify(buildDashboard(spec), null, 2)}\n`,
  }))
