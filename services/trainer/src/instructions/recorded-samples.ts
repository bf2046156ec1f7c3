import type { InstructionSample } from '@plimsoll/labels'
import { readRecordedResults, type RecordedResult } from './recorded.js'

/**
 * Samples from recorded sessions, each text once with its count: `first` results hold an instruction, `free` ones do not, `later` ones
 * are left out, since nobody says which they are.
 *
 * @param keep which results to learn from
 */
export function sampled(
  results: Iterable<RecordedResult>,
  keep: (result: RecordedResult) => boolean,
): InstructionSample[] {
  const samples = new Map<string, { text: string; instructed: boolean; count: number }>()
  for (const result of results) {
    if (result.holds === 'later' || !keep(result)) continue
    const { text } = result
    const known = samples.get(text)
    if (known === undefined) samples.set(text, { text, instructed: result.holds === 'first', count: 1 })
    else known.count++
  }
  return [...samples.values()]
}

/** All results of the files, in their order; texts that are equal are one string. */
export async function recordedResults(files: readonly string[]): Promise<RecordedResult[]> {
  const texts = new Map<string, string>()
  const results: RecordedResult[] = []
  for (const file of files)
    for await (const result of readRecordedResults(file)) {
      const text = texts.get(result.text) ?? result.text
      texts.set(text, text)
      results.push({ ...result, text })
    }
  return results
}
