import type { InstructionSample } from '@plimsoll/labels'
import { readRecordedResults, type RecordedResult } from './recorded.js'

/**
 * Samples from recorded sessions, each text once: `first` results hold an instruction, `free` ones do not, `later` ones are left out,
 * since nobody says which they are.
 *
 * @param keep which results to learn from
 */
export async function recordedSamples(
  files: readonly string[],
  keep: (result: RecordedResult) => boolean,
): Promise<InstructionSample[]> {
  const samples = new Map<string, InstructionSample>()
  for (const file of files)
    for await (const result of readRecordedResults(file)) {
      const { text, holds } = result
      if (holds === 'later' || samples.has(text) || !keep(result)) continue
      samples.set(text, { text, instructed: holds === 'first' })
    }
  return [...samples.values()]
}
