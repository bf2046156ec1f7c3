import type { InstructionSample } from '@plimsoll/labels'
import { readRecordedResults, type RecordedResult } from './recorded.js'

/**
 * Samples from recorded sessions, each text once with its count: `first` results hold an instruction, `free` ones do not, `later` ones
 * are left out, since nobody says which they are.
 *
 * @param keep which results to learn from
 */
export async function recordedSamples(
  files: readonly string[],
  keep: (result: RecordedResult) => boolean,
): Promise<InstructionSample[]> {
  const samples = new Map<string, { text: string; instructed: boolean; count: number }>()
  for (const file of files)
    for await (const result of readRecordedResults(file)) {
      if (result.holds === 'later' || !keep(result)) continue
      const { text } = result
      const known = samples.get(text)
      if (known === undefined) samples.set(text, { text, instructed: result.holds === 'first', count: 1 })
      else known.count++
    }
  return [...samples.values()]
}
