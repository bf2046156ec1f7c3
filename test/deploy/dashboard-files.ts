import { readText } from './rule-files.js'

export interface PanelFile {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly description?: string
  readonly datasource: { readonly type: string; readonly uid: string }
  readonly targets: readonly { readonly expr: string; readonly instant?: boolean }[]
}

interface DashboardJson {
  readonly title: string
  readonly panels: readonly (PanelFile & { readonly panels?: readonly PanelFile[] })[]
}

export const readDashboard = (file: string): DashboardJson => JSON.parse(readText(file)) as DashboardJson

/** The panels that show something: rows are none. */
export const panelsOf = ({ panels }: DashboardJson): readonly PanelFile[] =>
  panels.flatMap((panel) => [panel, ...(panel.panels ?? [])]).filter(({ type }) => type !== 'row')
