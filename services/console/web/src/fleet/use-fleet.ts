import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Fleet, SessionRow } from '../../../src/api.js'
import { useConsole, useLive } from '../api/hub.js'
import { type FleetFilter, fetchFleet } from '../api/requests.js'
import { type RowFilter, withBatch } from './rows.js'

/** Totals are counted by the console, and fetched at most so often while events come in. */
const TOTALS_MS = 3_000

type Summary = Omit<Fleet, 'sessions'>

export interface FleetState {
  readonly rows: ReadonlyMap<string, SessionRow>
  /** Undefined until the first answer. */
  readonly summary: Summary | undefined
}

/** The sessions that `filter` lets through, kept up to date. */
export function useFleet(filter: RowFilter): FleetState {
  const { notify } = useConsole()
  const [rows, setRows] = useState<ReadonlyMap<string, SessionRow>>(new Map())
  const [summary, setSummary] = useState<Summary>()
  const { tenant, category, agent, level } = filter
  const asked = useRef<FleetFilter>({})
  const totalsTimer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  const load = useCallback(
    async (limit?: number) => {
      const wanted = asked.current
      try {
        const { sessions, ...rest } = await fetchFleet(wanted, limit)
        if (asked.current !== wanted) return
        setSummary(rest)
        if (limit === undefined)
          setRows((held) => withBatch(held, new Map(sessions.map((row) => [row.id, row]))))
      } catch (cause) {
        if (limit === undefined)
          notify({ kind: 'problem', text: `The fleet was not fetched: ${textOf(cause)}` })
      }
    },
    [notify],
  )

  useEffect(() => {
    asked.current = {
      ...(tenant !== undefined && { tenant }),
      ...(category !== undefined && { category }),
      ...(agent !== undefined && { agent }),
      ...(level !== undefined && { level }),
    }
    void load()
  }, [load, tenant, category, agent, level])
  useEffect(() => () => clearTimeout(totalsTimer.current), [])

  useLive({
    onBatch({ sessions }) {
      if (sessions.size === 0) return
      setRows((held) => withBatch(held, sessions))
      totalsTimer.current ??= setTimeout(() => {
        totalsTimer.current = undefined
        void load(1)
      }, TOTALS_MS)
    },
    onGap() {
      // What is held may be of sessions that ended meanwhile.
      setRows(new Map())
      void load()
    },
  })
  return { rows, summary }
}

const textOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
