import { memo } from '../parts/memo.js'
import type { RefObject } from 'preact'
import type { SessionRow } from '../../../src/api.js'
import { useConsole } from '../api/hub.js'
import { useListKeys } from '../parts/list-keys.js'
import { RiskGauge } from '../parts/risk-gauge.js'
import { sessionLink } from '../parts/route.js'
import { SessionFlags } from '../parts/session-flags.js'
import { ShownText } from '../parts/shown-text.js'
import { VerdictMark } from '../parts/verdict-mark.js'
import { useWindow } from '../parts/window.js'
import { count, duration } from '../text/format.js'
import { EXPOSURE_WORDS } from '../text/words.js'

/** Of a row, in CSS pixels: as `.session-row` in fleet.css. */
const ROW_HEIGHT = 46

const COLUMNS = ['Risk', 'Session', 'Category', 'Last step', 'Has read', 'Steps', 'Seen'] as const

export function SessionTable({
  rows,
  thresholds,
  isLoading,
  scroller,
}: {
  readonly rows: readonly SessionRow[]
  readonly thresholds: readonly number[]
  readonly isLoading: boolean
  readonly scroller: RefObject<HTMLDivElement | null>
}) {
  const { from, to } = useWindow(scroller, ROW_HEIGHT, rows.length)
  const { now } = useConsole()
  useListKeys(scroller, 'a.open')
  const at = now()
  return (
    <div ref={scroller} class="scroller" tabIndex={0} role="region" aria-label="Sessions">
      <table class="session-table" aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {COLUMNS.map((name) => (
              <th key={name} scope="col" class={name.toLowerCase().replace(' ', '-')}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Space rows={from} />
          {rows.slice(from, to).map((row, index) => (
            <Row
              key={row.id}
              row={row}
              index={from + index + 2}
              thresholds={thresholds}
              seen={duration(at - row.lastAt)}
            />
          ))}
          <Space rows={rows.length - to} />
        </tbody>
      </table>
      {rows.length === 0 && (
        <p class="empty">{isLoading ? 'Fetching sessions…' : 'No session matches: change the filters.'}</p>
      )}
    </div>
  )
}

/** In place of rows that are not drawn. */
const Space = ({ rows }: { readonly rows: number }) =>
  rows > 0 ? (
    <tr aria-hidden="true" style={{ height: `${rows * ROW_HEIGHT}px` }}>
      <td />
    </tr>
  ) : null

const Row = memo(function Row({
  row,
  index,
  thresholds,
  seen,
}: {
  readonly row: SessionRow
  readonly index: number
  readonly thresholds: readonly number[]
  readonly seen: string
}) {
  const { id, agent, category, tenant, band, probability, lastTool, lastVerdict, exposure } = row
  return (
    <tr class={row.ended ? 'session-row ended' : 'session-row'} aria-rowindex={index}>
      <td class="risk">
        {probability === undefined ? (
          <span class="muted">none yet</span>
        ) : (
          <RiskGauge probability={probability} band={band} thresholds={thresholds} />
        )}
      </td>
      <th scope="row" class="session">
        <span class="name">
          <a class="open" href={sessionLink(id)}>
            <ShownText text={agent ?? id} charsMax={60} />
          </a>
          <SessionFlags row={row} />
        </span>
        {agent !== undefined && (
          <code class="id">
            <ShownText text={id} charsMax={80} />
          </code>
        )}
      </th>
      <td class="category">
        {category !== undefined && <ShownText text={category} charsMax={40} />}
        <span class="under muted">
          <ShownText text={tenant} charsMax={40} />
        </span>
      </td>
      <td class="last-step">
        {lastVerdict !== undefined && <VerdictMark verdict={lastVerdict} />}
        {lastTool !== undefined && (
          <code class="under">
            <ShownText text={lastTool} charsMax={48} />
          </code>
        )}
      </td>
      <td class="has-read">{exposure === undefined ? '' : (EXPOSURE_WORDS[exposure] ?? exposure)}</td>
      <td class="steps number">{count(row.steps)}</td>
      <td class="seen number muted">{row.ended ? 'ended' : seen}</td>
    </tr>
  )
})
