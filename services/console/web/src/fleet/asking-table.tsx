import type { AskingRow } from '../../../src/api.js'
import { ShownText } from '../parts/shown-text.js'
import { count } from '../text/format.js'

/** Rows that are shown: the rest hardly asks. */
const ROWS_MAX = 8

const stopsOf = ({ asked, blocked }: AskingRow): number => asked + blocked

export function AskingTable({
  title,
  noun,
  rows,
}: {
  readonly title: string
  readonly noun: string
  readonly rows: readonly AskingRow[]
}) {
  const shown = rows
    .filter((row) => stopsOf(row) > 0)
    .sort((a, b) => stopsOf(b) - stopsOf(a))
    .slice(0, ROWS_MAX)
  const most = Math.max(1, ...shown.map(stopsOf))
  return (
    <table class="asking-table">
      <caption>{title}</caption>
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
            steps
          </th>
        </tr>
      </thead>
      <tbody>
        {shown.map(({ name, steps, asked, blocked }) => (
          <tr key={name}>
            <th scope="row">
              <code>
                <ShownText text={name} charsMax={40} />
              </code>
              <span class="mini-bar" aria-hidden="true">
                <span class="part confirm" style={{ width: `${(100 * asked) / most}%` }} />
                <span class="part block" style={{ width: `${(100 * blocked) / most}%` }} />
              </span>
            </th>
            <td class="number">{count(asked)}</td>
            <td class="number">{count(blocked)}</td>
            <td class="number muted">{count(steps)}</td>
          </tr>
        ))}
        {shown.length === 0 && (
          <tr>
            <td colSpan={4} class="muted">
              No {noun} asked or was blocked.
            </td>
          </tr>
        )}
      </tbody>
    </table>
  )
}
