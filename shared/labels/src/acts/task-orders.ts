import { type Signals, actSignal } from '@plimsoll/contracts'
import { actsAsked } from './asked.js'
import { looksOnly } from './looks-only.js'
import { type OrderModel, ordersIn } from './order-model.js'

/**
 * What a task asks for, as signals: the irreversible acts that its words or the model of orders find (`asksDelete: 1`), and `looksOnly`.
 * Neither finds all: the words know the usual orders exactly, the model what people say instead. O(task).
 *
 * @example ordersOfTask('the old volume has served its time', shippedOrderModel()) // { asksDelete: 1 }
 */
export function ordersOfTask(task: string, model: OrderModel): Signals {
  const { acts, looks } = ordersIn(task, model)
  return {
    ...actsAsked(task),
    ...Object.fromEntries(acts.map((act) => [actSignal('asks', act), 1])),
    ...(looks ? { looksOnly: 1 } : looksOnly(task)),
  }
}
