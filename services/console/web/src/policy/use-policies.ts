import type { Met, Policies } from '../../../src/api.js'
import { useLive } from '../api/hub.js'
import { fetchMet, fetchPolicies } from '../api/requests.js'
import { useFetched, type FetchedOptions } from '../api/use-fetched.js'

/** The console counts at most once in two seconds. */
const SOON_MS = 3_000

/** The policies, kept up to date, with what mattered of `version`; undefined until they are known. */
export const usePolicies = (version: string | undefined): Policies | undefined =>
  useCounted({ what: 'The policies were', fetch: () => fetchPolicies(version), key: version ?? '' })

/** The steps in which `code` mattered, kept up to date; undefined until they are known, and without a code. */
export const useMet = (code: string | undefined, version: string | undefined): Met | undefined =>
  useCounted({
    what: 'The steps were',
    fetch: async () => (code === undefined ? undefined : fetchMet(code, version)),
    key: JSON.stringify([code, version]),
  })

/** Fetched again for another key, for changed controls, and while steps are decided. */
function useCounted<T>(options: FetchedOptions<T>): T | undefined {
  const { value, load, loadSoon } = useFetched({ ...options, soonMs: SOON_MS })
  useLive({
    onBatch: ({ steps }) => void (steps.length > 0 && loadSoon()),
    onControls: load,
    onGap: load,
  })
  return value
}
