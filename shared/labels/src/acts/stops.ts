import { patternOf, readTable } from '../text/data.js'

/** Orders that are looked at. */
const ORDERS_MAX = 256

/**
 * A task with *restart* for its orders to stop a machine, in the languages that `ordersInOthers` reads: *stop the dev VM*, *shut down server
 * b4*, *fahr die VM herunter*. Who stops a machine may interrupt it, as who restarts it does, and deletes nothing. Only verbs are
 * replaced: *stop and delete the VM* orders its deletion. Linear in the task.
 *
 * @example stopsAsRestarts('stop the dev vm over night') // 'restart the dev vm over night'
 */
export function stopsAsRestarts(task: string): string {
  let left = ORDERS_MAX
  return task.replaceAll(STOPS, (order, what: string) => ((left -= 1) < 0 ? order : `restart ${what}`))
}

/** A verb, up to four words, and the kind of a machine. */
const STOPS = patternOf(readTable<string>('acts', 'stopsMachine'))
