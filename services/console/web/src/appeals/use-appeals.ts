import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Appeals, Step } from '../../../src/api.js'
import { useConsole, useLive } from '../api/hub.js'
import { fetchAppeals } from '../api/requests.js'

/** The console counts at most once in two seconds. */
const FETCH_MS = 2_000

const isCounted = ({ appeal, verdict, firstVerdict = verdict }: Step): boolean =>
  appeal !== undefined || firstVerdict === 'confirm' || firstVerdict === 'block'

/** What people say of decisions, kept up to date; undefined until it is known. */
export function useAppeals(): Appeals | undefined {
  const { notify } = useConsole()
  const [appeals, setAppeals] = useState<Appeals>()
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const load = useCallback(async () => {
    try {
      setAppeals(await fetchAppeals())
    } catch (cause) {
      const text = cause instanceof Error ? cause.message : String(cause)
      notify({ kind: 'problem', text: `The appeals were not fetched: ${text}` })
    }
  }, [notify])
  useEffect(() => {
    void load()
    return () => clearTimeout(timer.current)
  }, [load])
  useLive({
    onBatch({ steps }) {
      if (!steps.some(({ step }) => isCounted(step))) return
      timer.current ??= setTimeout(() => {
        timer.current = undefined
        void load()
      }, FETCH_MS)
    },
    onGap: () => void load(),
  })
  return appeals
}
