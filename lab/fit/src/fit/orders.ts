import { ACTS } from '@plimsoll/contracts'
import { type OrderModel, fitting } from '@plimsoll/labels'
import type { Row } from './instructions/logistic.js'
import {
  type FittedText,
  fitWords,
  fittedText,
  importanceIn,
  packModel,
  rowOf,
  vocabularyOf,
} from './word-model.js'

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
const FIT = { passes: 30, seed: 11 }

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
  const textOf = (words: readonly number[]): FittedText => fittedText(vocabulary, words)
  const texts = tasks.map(({ orders, sentences }) => ({
    orders,
    sentences: sentences.map(textOf),
    whole: textOf([...new Set(sentences.flat())]),
  }))
  const fit = (rows: readonly Row[]) => fitWords(rows, vocabulary, FIT)
  const fitted = ORDER_KINDS.map((kind) => {
    if (kind === LOOKS) return fit(texts.map(({ orders, whole }) => rowOf(whole, orders.includes(kind))))
    const first = fit(
      texts.flatMap(({ orders, sentences }) =>
        sentences.map((sentence) => rowOf(sentence, orders.includes(kind), 1 / sentences.length)),
      ),
    )
    const score = ({ features, share }: FittedText): number =>
      features.reduce((sum, feature) => sum + (first.weights[feature] ?? 0), 0) * share
    return fit(
      texts.flatMap(({ orders, sentences }) => {
        if (!orders.includes(kind)) return sentences.map((sentence) => rowOf(sentence, false))
        const best = sentences.reduce<FittedText | undefined>(
          (most, each) => (most === undefined || score(each) > score(most) ? each : most),
          undefined,
        )
        return best ? [rowOf(best, true)] : []
      }),
    )
  })
  return packModel(
    vocabulary,
    fitted.map((each, k) => ({ ...each, category: ORDER_KINDS[k] ?? '' })),
    {
      kept: WORDS_KEPT,
      importance: importanceIn(texts.flatMap(({ sentences }) => sentences)),
      steps: STEPS,
      threshold: THRESHOLD,
    },
  )
}
