import type { InstructionModel } from '@plimsoll/labels'
import { readTraces } from '../../corpus/read-traces.js'
import { type Trace, isKeptBack } from '../../corpus/trace.js'
import { developerSamples, developerTexts } from './developer-texts.js'
import { type InstructionSample, fitInstructionModel } from './fit.js'
import { generateSamples } from './samples.js'

/** One result of a recorded session. */
export interface RecordedResult {
  readonly text: string
  /**
   * `first`: the session's first with an instruction in it. `free`: none, for the session was not attacked or had not met it yet.
   * `later`: after that, or in an attacked session where the first is unknown; it may hold it.
   */
  readonly holds: 'free' | 'first' | 'later'
  /** The wording around the attacker's goal; empty where the session was not attacked. */
  readonly template: string
  readonly goal: string
  readonly suite: string
  readonly fold: number | undefined
  readonly heldOut: boolean
}

function* resultsOf({ attack, suite, split, label, steps, ...folds }: Trace): Generator<RecordedResult> {
  const [template = '', goal = ''] = (attack ?? '').split(':')
  const first = attack ? (label.injection_seen_step ?? undefined) : undefined
  const fold = folds.attack_fold ?? folds.task_fold ?? undefined
  const heldOut = isKeptBack(split, fold)
  for (const { i, result } of steps) {
    const before = attack ? first !== undefined && i < first : true
    const holds = before ? 'free' : i === first ? 'first' : 'later'
    const text = typeof result === 'string' ? result : JSON.stringify(result ?? '')
    yield { text, holds, template, goal, suite, fold, heldOut }
  }
}

/**
 * Samples from recorded sessions, each text once with its count: `first` results hold an instruction, `free` ones do not, `later` ones
 * are left out: their truth is unknown.
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

/**
 * All results of the files, in their order; texts that are equal are one string.
 *
 * @throws PlimsollError `traces_invalid`, naming the file and the line
 */
export async function recordedResults(files: readonly string[]): Promise<RecordedResult[]> {
  const texts = new Map<string, string>()
  const results: RecordedResult[] = []
  for await (const trace of readTraces(files))
    for (const result of resultsOf(trace)) {
      const text = texts.get(result.text) ?? result.text
      texts.set(text, text)
      results.push({ ...result, text })
    }
  return results
}

/** Made-up texts in the fit of the model that ships. */
const GENERATED = 12_000
export const SEED = 7
/** Share of the real texts without an instruction that may be flagged: below the bar of 0.02, other texts being harder. */
export const FLAGGED_MAX = 0.0175

/** What every detector learns besides recordings: made-up results of tools, and texts of developers. */
export const textsBesides = (): InstructionSample[] => [
  ...generateSamples(GENERATED, SEED),
  ...developerSamples(
    developerTexts().filter(({ heldOut }) => !heldOut),
    SEED,
  ),
]

/** A detector of instruction-like text: fitted to `textsBesides` and to samples of recorded sessions. */
export const fitDetector = (recorded: readonly InstructionSample[]): InstructionModel =>
  fitInstructionModel([...textsBesides(), ...recorded], { flaggedMax: FLAGGED_MAX, seed: SEED })

/**
 * The model that ships: fitted to `textsBesides` and to the recorded sessions in `files` that no evaluation keeps for itself. The same
 * files, and the same installed packages, give the same model.
 */
export const fitShippedInstructions = async (files: readonly string[]): Promise<InstructionModel> =>
  fitDetector(sampled(await recordedResults(files), ({ heldOut }) => !heldOut))
