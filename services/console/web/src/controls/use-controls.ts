import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Controls } from '../../../src/api.js'
import { useConsole, useLive } from '../api/hub.js'
import { fetchControls } from '../api/requests.js'

/** What is in force, kept up to date; undefined until it is known. */
export function useControls(): Controls | undefined {
  const { notify } = useConsole()
  const [controls, setControls] = useState<Controls>()
  const loads = useRef(0)
  const load = useCallback(async () => {
    const own = ++loads.current
    try {
      const fetched = await fetchControls()
      // Answers may overtake each other.
      if (own === loads.current) setControls(fetched)
    } catch (cause) {
      const text = cause instanceof Error ? cause.message : String(cause)
      notify({ kind: 'problem', text: `The controls were not fetched: ${text}` })
    }
  }, [notify])
  useEffect(() => void load(), [load])
  useLive({ onControls: () => void load(), onGap: () => void load() })
  return controls
}
