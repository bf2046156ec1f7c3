import { type WordModel, hashOf, oddsOf, readyModel, sigmoid, wordOf } from '../text/word-model.js'
import { type Claim, type Claims, type ToolDefinition, LABEL_NAMES } from './claim.js'
import { wordsOf } from './words-of.js'

/**
 * A fitted model of tools that cannot be taken back, by the words of their names, descriptions and arguments, and by what the rules make of
 * them. Fitted by `lab/fit`: docs/decisions/20261128-learned-labels.md.
 */
export type ToolModel = WordModel

/** The only kind of the model: tools that cannot be taken back. */
export const FINAL_TOOL = 'irreversible'

/**
 * The claims of the rules, with `irreversible` where the model finds the words of such tools, whatever the rules make of the verb. It makes no
 * tool milder. Of a tool that runs programs, its arguments say what it does. O(its texts).
 */
export function withLearned(tool: ToolDefinition, rules: Claims, model: ToolModel): Claims {
  const { capability, reversibility } = rules.labels
  if (capability?.value === 'execute' || reversibility?.value === 'irreversible') return rules
  const probability = probabilityOf(toolWords(tool, rules), model)
  const isKnown = (reversibility?.confidence ?? 0) >= KNOWN
  if (probability < (isKnown ? KNOWN_MIN : model.threshold)) return rules
  const claim: Claim<'reversibility'> = {
    value: 'irreversible',
    source: 'heuristics',
    confidence: probability >= SURE ? 0.6 : 0.4,
    reason: 'its words are like those of tools that cannot be taken back',
  }
  return { ...rules, labels: { ...rules.labels, reversibility: claim } }
}

/** From this confidence on the rules know the verb; the model outvotes them only from this probability on. */
const [KNOWN, KNOWN_MIN] = [0.5, 0.7]
/** From here on nobody has to look. */
const SURE = 0.8

function probabilityOf(words: readonly number[], model: ToolModel): number {
  const ready = readyModel(model)
  const rows = words.flatMap((word) => ready.rows.get(wordOf(word)) ?? [])
  return sigmoid(oddsOf(ready, rows, words.length)[ready.categories.indexOf(FINAL_TOOL)] ?? -Infinity)
}

/** Words of a description that are read. */
const DESCRIPTION_WORDS = 60
const ARGUMENTS_MAX = 40
const CHOICE_MAX = 64
/** How much a claim of the rules counts, in words. */
const RULE_WORDS = 4

/** What a tool consists of, as hashes: the words of its name, of its description and of its arguments, pairs, and the claims of the rules. */
export function toolWords(
  { name, description = '', inputSchema }: ToolDefinition,
  rules: Claims,
): readonly number[] {
  const found = new Set<number>()
  const add = (kind: string, text: string) => found.add(hashOf(`${kind}:${text}`))
  const named = wordsOf(name)
  const described = wordsOf(description).slice(0, DESCRIPTION_WORDS)
  for (const [list, pair, first] of [
    [named, 'n2', 'n0'],
    [described, 'd2', 'd0'],
  ] as const)
    for (const [i, word] of list.entries()) {
      add('w', word)
      if (list === named) add('n', word)
      if (word.length > BEGINNING) add('p', word.slice(0, BEGINNING))
      if (i === 0) add(first, word)
      else add(pair, `${list[i - 1]} ${word}`)
    }
  add('n9', named.at(-1) ?? '')
  for (const [argument, choices] of argumentsOf(inputSchema)) {
    for (const word of wordsOf(argument)) add('a', word)
    for (const choice of choices) for (const word of wordsOf(choice)) add('e', word)
  }
  for (const label of LABEL_NAMES) {
    const claim = rules.labels[label]
    const value = claim?.value ?? ''
    const sure = claim === undefined ? 0 : claim.confidence >= 0.7 ? 2 : claim.confidence >= KNOWN ? 1 : 0
    for (let i = 0; i < RULE_WORDS; i++) {
      add(`r${i}${label}`, value)
      add(`s${i}${label}`, `${value} ${sure}`)
    }
  }
  add('rr', LABEL_NAMES.map((label) => rules.labels[label]?.value ?? '').join('/'))
  return [...found]
}

const BEGINNING = 4

/** The names of arguments, with their choices. */
function argumentsOf(schema: unknown): readonly (readonly [string, readonly string[]])[] {
  const { properties } = (schema ?? {}) as { readonly properties?: unknown }
  if (typeof properties !== 'object' || properties === null) return []
  return Object.entries(properties)
    .slice(0, ARGUMENTS_MAX)
    .map(([name, property]) => {
      const { enum: choices } = (property ?? {}) as { readonly enum?: unknown }
      const texts = Array.isArray(choices)
        ? choices.slice(0, ARGUMENTS_MAX).map((choice) => String(choice).slice(0, CHOICE_MAX))
        : []
      return [name, texts] as const
    })
}
