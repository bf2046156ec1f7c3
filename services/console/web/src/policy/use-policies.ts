import { useEffect, useRef, useState } from 'preact/hooks'
import type { Met, Policies } from '../../../src/api.js'
import { useConsole, useLive } from '../api/hub.js'
import { fetchMet, fetchPolicies } from '../api/requests.js'

/** The console counts at most once in two seconds. */
const FETCH_MS = 3_000

/** The policies, kept up to date, with what mattered of `version`; undefined until they are known. */
export const usePolicies = (version: string | undefined): Policies | undefined =>
  useCounted('The policies were not fetched', () => fetchPolicies(version), version ?? '')

/** The steps in which `code` mattered, kept up to date; undefined until they are known, and without a code. */
export const useMet = (code: string | undefined, version: string | undefined): Met | undefined =>
  useCounted(
    'The steps were not fetched',
    async () => (code === undefined ? undefined : fetchMet(code, version)),
    JSON.stringify([code, version]),
  )

/** What `fetch` gives, again for another `key`, for changed controls, and while steps are decided. */
function useCounted<T>(problem: string, fetch: () => Promise<T | undefined>, key: string): T | undefined {
  const { notify } = useConsole()
  const [known, setKnown] = useState<{ readonly key: string; readonly value: T | undefined }>()
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const latest = useRef({ fetch, key })
  latest.current = { fetch, key }
  const load = async () => {
    const asked = latest.current
    try {
      const value = await asked.fetch()
      if (latest.current.key === asked.key) setKnown({ key: asked.key, value })
    } catch (cause) {
      notify({
        kind: 'problem',
        text: `${problem}: ${cause instanceof Error ? cause.message : String(cause)}`,
      })
    }
  }
  const loadSoon = () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void load()
    }, FETCH_MS)
  }
  useEffect(() => void load(), [key])
  useEffect(() => () => clearTimeout(timer.current), [])
  useLive({
    onBatch: ({ steps }) => void (steps.length > 0 && loadSoon()),
    onControls: () => void load(),
    onGap: () => void load(),
  })
  return known?.key === key ? known.value : undefined
}
