import { ACTS } from '@plimsoll/contracts'
import { type OrderModel, fitting } from '@plimsoll/labels'
import { type Row, fitLogistic } from './instructions/logistic.js'
import { packModel, vocabularyOf } from './word-model.js'

const { LOOKS, orderWords, sentencesOf } = fitting

/** A task, and what it orders: acts, `looks`, or nothing. */
export interface OrderSample {
  readonly task: string
  readonly orders: readonly string[]
}

export const ORDER_KINDS: readonly string[] = [...ACTS, LOOKS]

/** A word that fewer sentences have is none. */
const SENTENCES_MIN = 2
/** Words kept: those with the largest weights. */
const WORDS_KEPT = 4_500
/** Coarse: the model is a part of the client's package. */
const STEPS = 10
/** From here on a task orders an act: what a lower one finds more is mostly harm. */
const THRESHOLD = 0.35
const RIDGE = 1 / 30
const PASSES = 30
const SEED = 11
const RATE = (): number => 1

/**
 * Reads lines `delete,send<TAB>task`; `-` orders none of the acts.
 *
 * @throws Error that names the line, for a kind that is not known and for a line without a tab
 */
export function parseOrderSamples(text: string): OrderSample[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line, i) => {
      const at = line.indexOf('\t')
      const orders = line
        .slice(0, Math.max(at, 0))
        .split(',')
        .filter((order) => order !== '-')
      const unknown = orders.find((order) => !ORDER_KINDS.includes(order))
      if (at < 1 || unknown !== undefined)
        throw new Error(`line ${i + 1}: expected \`${ORDER_KINDS.join(',')}\` or \`-\`, a tab, and a task`)
      return { task: line.slice(at + 1), orders }
    })
}

interface Text {
  readonly words: readonly number[]
  readonly features: readonly number[]
  readonly share: number
}

/**
 * Fits the model of orders. Of a task with several sentences, that which is most like the act counts as its order, by a first fit to all of
 * them. The same samples give the same model.
 */
export function fitOrderModel(samples: readonly OrderSample[]): OrderModel {
  const tasks = samples.map(({ task, orders }) => ({
    orders,
    sentences: sentencesOf(task).map((sentence) => orderWords(sentence)),
  }))
  const vocabulary = vocabularyOf(
    tasks.flatMap(({ sentences }) => sentences),
    SENTENCES_MIN,
  )
  const textOf = (words: readonly number[]): Text => ({
    words,
    features: words.flatMap((word) => vocabulary.get(word) ?? []),
    share: 1 / Math.sqrt(Math.max(words.length, 1)),
  })
  const texts = tasks.map(({ orders, sentences }) => ({
    orders,
    sentences: sentences.map(textOf),
    whole: textOf([...new Set(sentences.flat())]),
  }))
  const fit = (rows: readonly Row[]) =>
    fitLogistic(rows, {
      featureCount: vocabulary.size,
      passes: PASSES,
      ridge: () => RIDGE,
      seed: SEED,
      rate: RATE,
    })
  const fitted = ORDER_KINDS.map((kind) => {
    if (kind === LOOKS) return fit(texts.map(({ orders, whole }) => rowOf(whole, orders.includes(kind))))
    const first = fit(
      texts.flatMap(({ orders, sentences }) =>
        sentences.map((sentence) => rowOf(sentence, orders.includes(kind), 1 / sentences.length)),
      ),
    )
    const score = ({ features, share }: Text): number =>
      features.reduce((sum, feature) => sum + (first.weights[feature] ?? 0), 0) * share
    return fit(
      texts.flatMap(({ orders, sentences }) => {
        if (!orders.includes(kind)) return sentences.map((sentence) => rowOf(sentence, false))
        const best = sentences.reduce<Text | undefined>(
          (most, each) => (most === undefined || score(each) > score(most) ? each : most),
          undefined,
        )
        return best ? [rowOf(best, true)] : []
      }),
    )
  })
  const counts = new Int32Array(vocabulary.size)
  for (const { sentences } of texts)
    for (const { features } of sentences)
      for (const feature of features) counts[feature] = (counts[feature] ?? 0) + 1
  return packModel(
    vocabulary,
    fitted.map((each, k) => ({ ...each, category: ORDER_KINDS[k] ?? '' })),
    {
      kept: WORDS_KEPT,
      importance: (feature) => Math.sqrt(counts[feature] ?? 0),
      steps: STEPS,
      threshold: THRESHOLD,
    },
  )
}

const rowOf = ({ features, share }: Text, positive: boolean, weight = 1): Row => ({
  features,
  values: features.map(() => share),
  positive,
  weight,
})
