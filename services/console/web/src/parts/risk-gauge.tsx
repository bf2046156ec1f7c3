import { percent } from '../text/format.js'

/** The bar ends this far beyond the highest threshold, as chances of violations are small: the number says the rest. */
const BEYOND_THRESHOLDS = 1.25

/**
 * A probability (0…1) as a bar with a tick at each threshold of the forward risk, and as a number.
 * @param thresholds ascending
 * @param band 0–3: how many thresholds are crossed
 */
export function RiskGauge({
  probability,
  band,
  thresholds,
}: {
  readonly probability: number
  readonly band: number
  readonly thresholds: readonly number[]
}) {
  const full = Math.min(1, BEYOND_THRESHOLDS * (thresholds.at(-1) ?? 1))
  const place = (value: number) => Math.min(100, (100 * value) / full)
  return (
    <span class={`gauge band-${band}`}>
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" width="100" height="10" />
        <rect class="fill" width={place(probability)} height="10" />
        {thresholds.map((at) => (
          <line key={at} class="tick" x1={place(at)} x2={place(at)} y1="0" y2="10" />
        ))}
      </svg>
      <span class="number">{percent(probability)}</span>
    </span>
  )
}
