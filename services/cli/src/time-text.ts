/** Milliseconds since 1970 as an instant in UTC. */
export const timeText = (ms: number): string => new Date(ms).toISOString()

/** How long ago `ms` was at `nowMs`, in its largest unit, such as `12 s` or `3 h`. */
export const ageText = (ms: number, nowMs: number): string => durationText(nowMs - ms)

/** Milliseconds in their largest unit; none where it is negative. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`
}
