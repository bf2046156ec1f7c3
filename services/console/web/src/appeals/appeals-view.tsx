import { useRef } from 'preact/hooks'
import type { AppealRow, AppealedCount } from '../../../src/api.js'
import { useListKeys } from '../parts/list-keys.js'
import { sessionLink } from '../parts/route.js'
import { ShownText } from '../parts/shown-text.js'
import { VerdictMark } from '../parts/verdict-mark.js'
import { count, isoTime, momentOf } from '../text/format.js'
import { appealWords, reasonParts, suggestionFor } from './appeal-words.js'
import { useAppeals } from './use-appeals.js'

/** What people say was wrong, and by which reasons and tools: what should become a spec. */
export function AppealsView() {
  const appeals = useAppeals()
  if (appeals === undefined) return <p class="empty">Fetching the appeals…</p>
  return (
    <>
      <h1 class="visually-hidden">Appeals</h1>
      <div class="columns">
        <AppealList rows={appeals.appeals} total={appeals.count} />
        <aside aria-label="What is appealed">
          <CountTable title="By reason" noun="reason" rows={appeals.byReason} isReason />
          <CountTable title="By tool" noun="tool" rows={appeals.byTool} />
        </aside>
      </div>
    </>
  )
}

function AppealList({ rows, total }: { readonly rows: readonly AppealRow[]; readonly total: number }) {
  const list = useRef<HTMLOListElement>(null)
  useListKeys(list, 'a')
  return (
    <section class="appeals-list" aria-labelledby="appeals-title">
      <h2 id="appeals-title">
        Decisions that were wrong <span class="muted count">{count(total)}</span>
      </h2>
      {rows.length === 0 && (
        <p class="muted">
          Nobody has appealed a decision yet. You can, in the details of a step of a session.
        </p>
      )}
      <ol ref={list}>
        {rows.map((row) => (
          <AppealItem key={`${row.sessionId} ${row.id}`} row={row} />
        ))}
      </ol>
    </section>
  )
}

function AppealItem({ row }: { readonly row: AppealRow }) {
  const { sessionId, decisionId, agent, tool, verdict, reasons, by, at, reason, counts } = row
  return (
    <li class={counts ? undefined : 'replaced'}>
      <span class="line">
        <VerdictMark verdict={verdict} />
        <a href={sessionLink(sessionId, decisionId)}>
          <code>
            <ShownText text={tool} charsMax={120} />
          </code>{' '}
          of <ShownText text={agent ?? sessionId} charsMax={80} />
        </a>
        <b>{appealWords(row)}</b>
        {!counts && <span class="flag plain">replaced by a later appeal</span>}
      </span>
      {reason !== undefined && (
        <span>
          “<ShownText text={reason} charsMax={600} />”
        </span>
      )}
      <span class="muted">
        <ShownText text={by} charsMax={80} /> at <time dateTime={isoTime(at)}>{momentOf(at)}</time>
        {reasons.map((each) => (
          <span key={each}>
            {' · '}
            <code>
              <ShownText text={each} charsMax={120} />
            </code>
          </span>
        ))}
      </span>
    </li>
  )
}

function CountTable({
  title,
  noun,
  rows,
  isReason = false,
}: {
  readonly title: string
  readonly noun: string
  readonly rows: readonly AppealedCount[]
  readonly isReason?: boolean
}) {
  return (
    <section class="appealed" aria-label={title}>
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p class="muted">No {noun} asked, blocked or was appealed.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{noun}</th>
              <th scope="col" class="number">
                asked
              </th>
              <th scope="col" class="number">
                blocked
              </th>
              <th scope="col" class="number">
                for nothing
              </th>
              <th scope="col" class="number">
                did harm
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <CountRow key={row.name} row={row} isReason={isReason} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function CountRow({ row, isReason }: { readonly row: AppealedCount; readonly isReason: boolean }) {
  const { name, asked, blocked, needless, harmful } = row
  const suggestion = suggestionFor(row)
  const { origin, code } = isReason ? reasonParts(name) : { origin: '', code: name }
  return (
    <tr>
      <th scope="row">
        <code>
          <ShownText text={code} charsMax={120} />
        </code>{' '}
        <span class="muted">{origin}</span>
        {suggestion !== undefined && <p class="suggestion">{suggestion}</p>}
      </th>
      <td class="number">{count(asked)}</td>
      <td class="number">{count(blocked)}</td>
      <td class={needless > 0 ? 'number some' : 'number muted'}>{count(needless)}</td>
      <td class={harmful > 0 ? 'number some' : 'number muted'}>{count(harmful)}</td>
    </tr>
  )
}
