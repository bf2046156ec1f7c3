/** As deploy/grafana/provisioning/datasources names it. */
export const DATASOURCE = { type: 'prometheus', uid: 'plimsoll-prometheus' } as const
