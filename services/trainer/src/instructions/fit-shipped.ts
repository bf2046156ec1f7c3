import { fitInstructionModel, type InstructionModel } from '@plimsoll/labels'
import { recordedResults, sampled } from './recorded-samples.js'
import { generateSamples } from './samples.js'

/** Made-up texts in the fit of the model that ships. */
export const GENERATED = 12_000
export const SEED = 7
/** Share of the recorded results without an instruction that may be flagged: below the bar of 0.02, other texts being harder. */
export const FLAGGED_MAX = 0.005

/**
 * The model that ships: fitted to made-up texts and to the recorded sessions in `files` that no evaluation keeps for itself. The same
 * files give the same model.
 */
export async function fitShippedInstructions(files: readonly string[]): Promise<InstructionModel> {
  const recorded = sampled(await recordedResults(files), ({ heldOut }) => !heldOut)
  return fitInstructionModel([...generateSamples(GENERATED, SEED), ...recorded], {
    flaggedMax: FLAGGED_MAX,
    seed: SEED,
  })
}
