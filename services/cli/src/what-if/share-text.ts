import type { Compared } from '@plimsoll/trainer'

/** A share as `12 of 97 (12.4%, 7.2–20.4%)`, its 95% interval included; `none` where there was nothing to count. */
export function shareText({ n, of, rate, low, high }: Compared['old']): string {
  if (of === 0) return 'none to count'
  return `${n} of ${of} (${percent(rate)}, ${percent(low)}–${percent(high)})`
}

const percent = (share: number): string => `${(share * 100).toFixed(1)}%`
