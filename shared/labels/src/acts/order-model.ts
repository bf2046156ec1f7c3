import { type Act, type Signals, ACTS, actSignal } from '@plimsoll/contracts'
import { longPattern } from '../text/data.js'
import { readJsonFile } from '../text/json-file.js'
import { type WordModel, oddsOf, parseWordModel, readyModel, sigmoid, wordOf } from '../text/word-model.js'
import { actsAsked } from './asked.js'
import { looksOnly, ordersChange } from './looks-only.js'
import { withoutBehaviour } from './product-words.js'
import { orderWords, plainOrders, sentencesOf } from './order-words.js'
import { actsOfScripts } from './orders.js'
import { stopsAsRestarts } from './stops.js'
import { withoutTextEdits } from './text-edits.js'

/**
 * A fitted model of what tasks order. Its kinds are the irreversible acts, each found in one sentence, and `looks` for a whole task that asks
 * to look and for nothing else. Fitted by `lab/fit` to tasks in many words: docs/decisions/20261128-learned-orders.md.
 */
export type OrderModel = WordModel

/** The kind of a task that asks to look. */
export const LOOKS = 'looks'

/** Location of the shipped model. */
export const SHIPPED_ORDER_MODEL = new URL('../../models/orders.json', import.meta.url)

let shipped: OrderModel | undefined

/** The shipped model, read once. */
export function shippedOrderModel(): OrderModel {
  shipped ??= parseWordModel(readJsonFile(SHIPPED_ORDER_MODEL), 'order model')
  return shipped
}

/** What a task orders, as the model sees it. */
export interface Orders {
  readonly acts: readonly Act[]
  /** Whether it asks to look and for nothing else. */
  readonly looks: boolean
}

/** Of a task with fewer of its words in the model nothing shows that it only looks: it may be in another language. */
const KNOWN_MIN = 0.35
/** One question, in whatever language. */
const IS_QUESTION = /^[^.!?;\n]{1,400}[?？]\s*$/
/** From these probabilities on a task asks to look, or may: what a task may only ask about, it does not order. */
const LOOKS_MIN = 0.5
const MAY_LOOK = 0.2

/** What `task` orders: acts by the sentence that is most like them, looks by all of it. O(task). */
export function ordersIn(task: string, model: OrderModel): Orders {
  const ready = readyModel(model)
  const sentences = sentencesOf(task).map(orderWords)
  const oddsIn = (words: readonly number[]): readonly number[] => {
    const rows = words.flatMap((word) => ready.rows.get(wordOf(word)) ?? [])
    return oddsOf(ready, rows, words.length)
  }
  const words = [...new Set(sentences.flat())]
  const known = words.filter((word) => ready.rows.has(wordOf(word))).length
  const looks = sigmoid(oddsIn(words)[ready.categories.indexOf(LOOKS)] ?? -Infinity)
  const each = looks < MAY_LOOK ? sentences.map(oddsIn) : []
  return {
    acts: ACTS.filter((act) => {
      const kind = ready.categories.indexOf(act)
      return each.some((odds) => sigmoid(odds[kind] ?? -Infinity) >= model.threshold)
    }),
    looks: looks >= LOOKS_MIN && (known >= KNOWN_MIN * words.length || IS_QUESTION.test(task)),
  }
}

/** Who says where things go does not say that they go away, if no word for it stands there: *tidy my downloads: put images into Pictures*. */
const SAYS_WHERE = longPattern('order-model.SAYS_WHERE')

/**
 * What a task asks for, as signals: the irreversible acts that its words or the model of orders find (`asksDelete: 1`), and `looksOnly`.
 * Neither finds all: the words know the usual orders exactly, the model what people say instead. What is taken out
 * of a text is no deletion, nor is it to stop a machine. O(task).
 *
 * @example ordersOfTask('the old volume has served its time', shippedOrderModel()) // { asksDelete: 1 }
 */
export function ordersOfTask(task: string, model: OrderModel): Signals {
  const acting = stopsAsRestarts(withoutTextEdits(withoutBehaviour(plainOrders(task))))
  const { acts, looks } = ordersIn(task, model)
  const found = acting === task ? acts : ordersIn(acting, model).acts
  return {
    ...actsAsked(acting),
    ...actsOfScripts(task),
    ...Object.fromEntries(
      found.flatMap((act) =>
        act === 'delete' && SAYS_WHERE.test(acting) ? [] : [[actSignal('asks', act), 1]],
      ),
    ),
    ...(ordersChange(task) ? {} : looks ? { looksOnly: 1 } : looksOnly(task)),
  }
}
