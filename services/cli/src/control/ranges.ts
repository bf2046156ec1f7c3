/** Ascending numbers as one reads them: `0–3, 5, 7–11`. */
export function rangesOf(numbers: readonly number[]): string {
  const runs: { first: number; last: number }[] = []
  for (const number of numbers) {
    const run = runs.at(-1)
    if (run && run.last + 1 === number) run.last = number
    else runs.push({ first: number, last: number })
  }
  return runs.map(({ first, last }) => (first === last ? `${first}` : `${first}–${last}`)).join(', ')
}

/** `partition 3`, or `partitions 0–3, 5`. */
export const partitionsText = (numbers: readonly number[]): string =>
  `${numbers.length === 1 ? 'partition' : 'partitions'} ${rangesOf(numbers)}`
