import { useEffect, useMemo, useRef } from 'preact/hooks'
import { useKeys } from '../parts/keys.js'
import { useSteadyOrder } from '../parts/steady-order.js'
import { count } from '../text/format.js'
import { AskingTable } from './asking-table.js'
import { Filters } from './filters.js'
import { type RowFilter, compareRisk, isShown } from './rows.js'
import { SessionTable } from './session-table.js'
import { Totals } from './totals.js'
import { useFleet } from './use-fleet.js'

const NO_THRESHOLDS: readonly number[] = []

export function FleetView({
  filter,
  onFilter,
}: {
  readonly filter: RowFilter
  readonly onFilter: (filter: RowFilter) => void
}) {
  const { rows, summary } = useFleet(filter)
  const fresh = useMemo(
    () => [...rows.values()].filter((row) => isShown(row, filter)).sort(compareRisk),
    [rows, filter],
  )
  const ids = useMemo(() => fresh.map(({ id }) => id), [fresh])
  const list = useRef<HTMLDivElement>(null)
  const { order, moved, sort } = useSteadyOrder(ids, list)
  // A filter is a wish for another list.
  useEffect(sort, [sort, filter, summary === undefined])
  useKeys({ r: sort })
  const shown = order.flatMap((id) => rows.get(id) ?? [])

  return (
    <>
      <h1 class="visually-hidden">Fleet</h1>
      <Totals totals={summary?.totals} lag={summary?.lag ?? 0} />
      <Filters filter={filter} summary={summary} onChange={onFilter} />
      <div class="columns">
        <section class="sessions" aria-labelledby="sessions-title">
          <div class="list-head">
            <h2 id="sessions-title">
              {filter.ended ? 'Sessions by risk, live ones first' : 'Live sessions by risk'}
              <span class="muted count"> {count(shown.length)}</span>
            </h2>
            <button
              type="button"
              class="quiet sort"
              onClick={sort}
              disabled={moved === 0}
              title="Rows keep their place while you are in the list"
            >
              {moved === 0 ? 'Sorted by risk' : `Sort now: ${count(moved)} moved`} <kbd>r</kbd>
            </button>
          </div>
          <SessionTable
            rows={shown}
            thresholds={summary?.thresholds?.forward ?? NO_THRESHOLDS}
            isLoading={summary === undefined}
            scroller={list}
          />
        </section>
        <aside class="asking" aria-label="What asks and blocks">
          <AskingTable title="Tools that ask and block" noun="tool" rows={summary?.totals.byTool ?? []} />
          <AskingTable
            title="Effects that ask and block"
            noun="effect"
            rows={summary?.totals.byEffect ?? []}
          />
        </aside>
      </div>
    </>
  )
}
