import { REVERSIBILITIES } from '@plimsoll/contracts'
import { type ToolDefinition, type ToolModel, fitting } from '@plimsoll/labels'
import { fitLogistic } from './instructions/logistic.js'
import { packModel, vocabularyOf } from './word-model.js'

const { FINAL_TOOL, rulesOfTool, toolWords } = fitting

/** A tool, and whether what it does can be taken back. */
export interface ToolSample {
  readonly tool: ToolDefinition
  readonly reversibility: string
}

/** A word that fewer tools have is none. */
const TOOLS_MIN = 2
const WORDS_KEPT = 4_500
const STEPS = 50
/** From here on a tool whose verb is not known cannot be taken back. */
const THRESHOLD = 0.5
const RIDGE = 1 / 30
const PASSES = 30
const SEED = 11
const VALUES: readonly string[] = REVERSIBILITIES

/**
 * Reads lines of reversibility, name, words of the description in the order of the alphabet, and arguments, with tabs between. An argument may
 * have its choices: `kind=a|b`.
 *
 * @throws Error that names the line, for a value that is not known and for a line of other columns
 */
export function parseToolSamples(text: string): ToolSample[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line, i) => {
      const [reversibility = '', name = '', description = '', given, ...more] = line.split('\t')
      if (!VALUES.includes(reversibility) || given === undefined || more.length > 0)
        throw new Error(
          `line ${i + 1}: expected ${VALUES.join(', or ')}, name, words and arguments, with tabs between`,
        )
      const properties = given
        .split(',')
        .filter((argument) => argument !== '')
        .map((argument) => {
          const [of = '', choices] = argument.split('=')
          return [of, choices === undefined ? {} : { enum: choices.split('|') }] as const
        })
      const inputSchema = { type: 'object', properties: Object.fromEntries(properties) }
      return { tool: { name, description, inputSchema }, reversibility }
    })
}

/** Fits the model of tools that cannot be taken back. The same samples give the same model. */
export function fitToolModel(samples: readonly ToolSample[]): ToolModel {
  const lists = samples.map(({ tool }) => toolWords(tool, rulesOfTool(tool)))
  const vocabulary = vocabularyOf(lists, TOOLS_MIN)
  const counts = new Int32Array(vocabulary.size)
  const rows = samples.map(({ reversibility }, i) => {
    const words = lists[i] ?? []
    const share = 1 / Math.sqrt(Math.max(words.length, 1))
    const features = words.flatMap((word) => vocabulary.get(word) ?? [])
    for (const feature of features) counts[feature] = (counts[feature] ?? 0) + 1
    return { features, values: features.map(() => share), positive: reversibility === FINAL_TOOL, weight: 1 }
  })
  const fitted = fitLogistic(rows, {
    featureCount: vocabulary.size,
    passes: PASSES,
    ridge: () => RIDGE,
    seed: SEED,
    rate: () => 1,
  })
  return packModel(vocabulary, [{ ...fitted, category: FINAL_TOOL }], {
    kept: WORDS_KEPT,
    importance: (feature) => Math.sqrt(counts[feature] ?? 0),
    steps: STEPS,
    threshold: THRESHOLD,
  })
}
