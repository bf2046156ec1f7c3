import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useConsole } from './hub.js'

export interface FetchedOptions<T> {
  /** How the sentence of a failure begins: `The queue was`. */
  readonly what: string
  readonly fetch: () => Promise<T>
  /** What is fetched: another key fetches again. */
  readonly key?: string
  /** How long `loadSoon` waits for more to come, milliseconds. */
  readonly soonMs?: number
}

export interface Fetched<T> {
  /** Undefined until it is known. */
  readonly value: T | undefined
  /** Changes what is known until it is fetched again. */
  change(by: (value: T) => T): void
  load(): void
  /** Loads once for all calls of a while. */
  loadSoon(): void
}

/** What `fetch` gives, fetched at once and as often as asked. The latest answer counts; a failure is shown and changes nothing. */
export function useFetched<T>({ what, fetch, key = '', soonMs = 0 }: FetchedOptions<T>): Fetched<T> {
  const { notify } = useConsole()
  const [known, setKnown] = useState<{ readonly key: string; readonly value: T }>()
  const latest = useRef({ fetch, key, what, notify, soonMs })
  latest.current = { fetch, key, what, notify, soonMs }
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const actions = useMemo(() => {
    let loads = 0
    const load = async (): Promise<void> => {
      const own = ++loads
      const asked = latest.current
      try {
        const value = await asked.fetch()
        // Answers may overtake each other.
        if (own === loads) setKnown({ key: asked.key, value })
      } catch (cause) {
        const text = cause instanceof Error ? cause.message : String(cause)
        asked.notify({ kind: 'problem', text: `${asked.what} not fetched: ${text}` })
      }
    }
    return {
      load: () => void load(),
      loadSoon: () => {
        timer.current ??= setTimeout(() => {
          timer.current = undefined
          void load()
        }, latest.current.soonMs)
      },
      change: (by: (value: T) => T) => setKnown((before) => before && { ...before, value: by(before.value) }),
    }
  }, [])
  useEffect(() => actions.load(), [actions, key])
  useEffect(() => () => clearTimeout(timer.current), [])
  return { value: known?.key === key ? known.value : undefined, ...actions }
}
