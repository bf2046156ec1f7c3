import type { Appeals, Step } from '../../../src/api.js'
import { useLive } from '../api/hub.js'
import { fetchAppeals } from '../api/requests.js'
import { useFetched } from '../api/use-fetched.js'

/** The console counts at most once in two seconds. */
const SOON_MS = 2_000

const isCounted = ({ appeal, verdict, firstVerdict = verdict }: Step): boolean =>
  appeal !== undefined || firstVerdict === 'confirm' || firstVerdict === 'block'

/** What people say of decisions, kept up to date; undefined until it is known. */
export function useAppeals(): Appeals | undefined {
  const { value, load, loadSoon } = useFetched({
    what: 'The appeals were',
    fetch: fetchAppeals,
    soonMs: SOON_MS,
  })
  useLive({
    onBatch: ({ steps }) => void (steps.some(({ step }) => isCounted(step)) && loadSoon()),
    onGap: load,
  })
  return value
}
