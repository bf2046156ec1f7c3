/** One query of a panel, in PromQL; `$job` and `$__rate_interval` are put in by Grafana. */
export interface Query {
  readonly expr: string
  /** What a series is called: `{{label}}` stands for a label's value. */
  readonly legend: string
}

export type PanelKind = 'time series' | 'stacked' | 'number' | 'switch' | 'bars' | 'heatmap' | 'table'

/** A panel as it is thought of; `build.ts` makes Grafana's of it. */
export interface PanelSpec {
  readonly title: string
  /** What it shows and when to worry, for the tooltip. */
  readonly about: string
  readonly kind: PanelKind
  /** Grafana's name of a unit: `s`, `short`, `percentunit`, `ops`, `bytes`. */
  readonly unit: string
  /** Of Grafana's 24 columns. */
  readonly width: 3 | 4 | 6 | 8 | 12 | 24
  readonly queries: readonly Query[]
}

export interface RowSpec {
  readonly title: string
  readonly panels: readonly PanelSpec[]
}

export interface DashboardSpec {
  /** Stays for ever: links and bookmarks go by it. */
  readonly uid: string
  readonly title: string
  readonly about: string
  readonly rows: readonly RowSpec[]
}
