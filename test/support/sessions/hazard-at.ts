import type { Bundle } from '@plimsoll/contracts'

/** `bundle` with its hazard thresholds at `at`, also for sessions without reports: 0 has every step reach them. */
export function withHazardAt(bundle: Bundle, name: string, at: number): Bundle {
  const { labelsOnly, ...rest } = bundle
  return {
    ...rest,
    ...chainsAt(rest, at),
    name,
    ...(labelsOnly && { labelsOnly: { ...labelsOnly, ...chainsAt(labelsOnly, at) } }),
  }
}

function chainsAt({ aggregate, categories }: Pick<Bundle, 'aggregate' | 'categories'>, at: number) {
  const within = (chain: Bundle['aggregate']): Bundle['aggregate'] => ({
    ...chain,
    thresholds: { ...chain.thresholds, hazard: [at, at, at] },
  })
  const own = Object.entries(categories).map(([category, chain]) => [category, within(chain)])
  return { aggregate: within(aggregate), categories: Object.fromEntries(own) }
}
