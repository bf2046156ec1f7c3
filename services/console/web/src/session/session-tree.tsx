import type { SessionRow } from '../../../src/api.js'
import { RiskGauge } from '../parts/risk-gauge.js'
import { sessionLink } from '../parts/route.js'
import { SessionFlags } from '../parts/session-flags.js'
import { ShownText } from '../parts/shown-text.js'
import { childrenOf } from './tree.js'

/** The session among those of its tree, if it has any. */
export function SessionTree({
  session,
  relatives,
  thresholds,
}: {
  readonly session: SessionRow
  readonly relatives: readonly SessionRow[]
  readonly thresholds: readonly number[]
}) {
  if (relatives.length === 0) return null
  const { roots, children } = childrenOf([session, ...relatives])
  return (
    <section class="tree">
      <h2>Sub-sessions</h2>
      <Branch rows={roots} children={children} currentId={session.id} thresholds={thresholds} />
    </section>
  )
}

function Branch({
  rows,
  children,
  currentId,
  thresholds,
}: {
  readonly rows: readonly SessionRow[]
  readonly children: ReadonlyMap<string, readonly SessionRow[]>
  readonly currentId: string
  readonly thresholds: readonly number[]
}) {
  return (
    <ul>
      {rows.map((row) => {
        const below = children.get(row.id) ?? []
        const { parent: _, ...flagged } = row
        return (
          <li key={row.id}>
            <div class="node">
              <a href={sessionLink(row.id)} aria-current={row.id === currentId ? 'true' : undefined}>
                <ShownText text={row.agent ?? row.id} charsMax={60} />
              </a>
              {row.probability !== undefined && (
                <RiskGauge probability={row.probability} band={row.band} thresholds={thresholds} />
              )}
              <SessionFlags row={flagged} />
            </div>
            {below.length > 0 && (
              <Branch rows={below} children={children} currentId={currentId} thresholds={thresholds} />
            )}
          </li>
        )
      })}
    </ul>
  )
}
