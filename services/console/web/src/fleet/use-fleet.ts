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
  /** What came since rows were asked for: newer than the answer. Undefined once that is there. */
  const since = useRef<Map<string, SessionRow> | undefined>(undefined)
  const totalsTimer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  const loadRows = useCallback(
    async (isGap: boolean) => {
      const newer = new Map<string, SessionRow>()
      since.current = newer
      try {
        const { sessions, ...rest } = await fetchFleet(asked.current)
        if (since.current !== newer) return
        since.current = undefined
        setSummary(rest)
        const fetched = new Map(sessions.map((row) => [row.id, row]))
        // What is held beside may be of sessions that ended in a gap.
        setRows((held) => withBatch(isGap ? fetched : withBatch(held, fetched), newer))
      } catch (cause) {
        if (since.current === newer) since.current = undefined
        const text = cause instanceof Error ? cause.message : String(cause)
        notify({ kind: 'problem', text: `The fleet was not fetched: ${text}` })
      }
    },
    [notify],
  )

  const loadTotals = async () => {
    const wanted = asked.current
    const fetched = await fetchFleet(wanted, 1).catch(() => undefined)
    if (fetched === undefined || asked.current !== wanted) return
    const { sessions: _, ...rest } = fetched
    setSummary(rest)
  }

  useEffect(() => {
    asked.current = {
      ...(tenant !== undefined && { tenant }),
      ...(category !== undefined && { category }),
      ...(agent !== undefined && { agent }),
      ...(level !== undefined && { level }),
    }
    void loadRows(false)
  }, [loadRows, tenant, category, agent, level])
  useEffect(() => () => clearTimeout(totalsTimer.current), [])

  useLive({
    onBatch({ sessions }) {
      if (sessions.size === 0) return
      for (const [id, row] of sessions) since.current?.set(id, row)
      setRows((held) => withBatch(held, sessions))
      totalsTimer.current ??= setTimeout(() => {
        totalsTimer.current = undefined
        void loadTotals()
      }, TOTALS_MS)
    },
    onGap: () => void loadRows(true),
  })
  return { rows, summary }
}
