import type { Verdict } from '@plimsoll/contracts'
import type { FleetTotals } from '../../../src/api.js'
import { VERDICT_SIGNS } from '../parts/verdict-mark.js'
import { count, percent } from '../text/format.js'
import { LEVELS, VERDICTS } from '../text/words.js'

/** The fleet in figures. */
export function Totals({ totals, lag }: { readonly totals: FleetTotals | undefined; readonly lag: number }) {
  return (
    <section class="totals" aria-label="Totals">
      <Figure
        label="live sessions"
        value={totals && count(totals.live)}
        more={totals && `of ${count(totals.sessions)}`}
      />
      <Figure
        label="open questions"
        value={totals && count(totals.openQuestions)}
        isMarked={totals !== undefined && totals.openQuestions > 0}
      />
      <Figure
        label="questions per 100 sessions"
        value={totals && totals.questionsPer100Sessions.toFixed(1)}
      />
      <div class="figure wide">
        <Shares
          label={`verdicts on ${count(totals?.steps ?? 0)} steps`}
          parts={VERDICTS.map((verdict) => ({
            name: verdict,
            sign: VERDICT_SIGNS[verdict],
            value: totals?.verdicts[verdict] ?? 0,
          }))}
        />
      </div>
      <div class="figure wide">
        <Shares
          label="sessions by their highest risk level"
          parts={LEVELS.map((level) => ({ name: level, value: totals?.byLevel[level] ?? 0 }))}
        />
      </div>
      {lag > 0 && <p class="lag">The console is {count(lag)} records behind the log.</p>}
    </section>
  )
}

function Figure({
  label,
  value,
  more,
  isMarked = false,
}: {
  readonly label: string
  readonly value: string | undefined
  readonly more?: string | undefined
  readonly isMarked?: boolean
}) {
  return (
    <div class={isMarked ? 'figure marked' : 'figure'}>
      <span class="value">
        {value ?? '–'} {more !== undefined && <small>{more}</small>}
      </span>
      <span class="label">{label}</span>
    </div>
  )
}

interface Part {
  readonly name: Verdict | (typeof LEVELS)[number]
  readonly sign?: string
  readonly value: number
}

/** Parts of a whole as a bar, and each by name and share: the bar says nothing that the names do not. */
function Shares({ label, parts }: { readonly label: string; readonly parts: readonly Part[] }) {
  const whole = parts.reduce((sum, { value }) => sum + value, 0)
  const shareOf = (value: number) => (whole === 0 ? 0 : value / whole)
  return (
    <>
      <span class="bar" aria-hidden="true">
        {parts.map(({ name, value }) => (
          <span key={name} class={`part ${name}`} style={{ flexGrow: shareOf(value) }} />
        ))}
      </span>
      <ul class="shares" aria-label={label}>
        {parts.map(({ name, sign, value }) => (
          <li key={name} class={`${name}${value === 0 ? ' none' : ''}`}>
            <span class="swatch" aria-hidden="true">
              {sign}
            </span>
            {name} <b>{percent(shareOf(value))}</b>
          </li>
        ))}
      </ul>
      <span class="label">{label}</span>
    </>
  )
}
