import { patternOf, readTable, longPattern } from '../text/data.js'
import { actsAsked } from './asked.js'
import { meansMore } from './means-more.js'
import { kindName } from './product-words.js'

/** Characters of a task that are read, and names that are found. */
const TEXT_MAX = 4_096
const NAMES_MAX = 32

/**
 * Names of a task that its orders to take something away are not about, unless it has them elsewhere too: what it says to leave alone
 * (*do not touch uploads*, *not prod*), where things went (*copied to new-media*), and what a named thing lies in (*the pod api-7 in namespace
 * shop*). Where a file is named, `file` means that one. Linear in the task.
 *
 * @example namesNotOrdered('delete the branch old in acme/shop') // ['acme/shop', 'acme', 'shop']
 */
export function namesNotOrdered(task: string): readonly string[] {
  const text = task.slice(0, TEXT_MAX)
  const apart: string[] = []
  let left = text
  for (const pattern of [LEFT_ALONE, MOVED_TO])
    left = left.replaceAll(pattern, (_, ...groups: readonly unknown[]) => {
      apart.push(groups.slice(0, GROUPS).filter(isText).join(' '))
      return ' '
    })
  if (!ordersLoss(left)) return []
  left = left.replaceAll(WITHIN, (whole: string, place: string) => {
    apart.push(place)
    return whole.slice(0, whole.length - place.length)
  })
  const kept = new Set(namesIn(left))
  const names = [...new Set(apart.flatMap(namesIn))].filter(
    (name) => !kept.has(name) && !kept.has(`${name}s`),
  )
  return [...(NAMES_FILE.test(left) ? OF_FILES : []), ...names].slice(0, NAMES_MAX)
}

/** Whether a task orders things to be stopped, closed or switched off, and nothing to be deleted. */
export const onlyStops = (task: string): boolean => {
  const text = task.slice(0, TEXT_MAX)
  const left = text.replaceAll(STOPPING, 'check')
  return left !== text && ordersLoss(text) && !ordersLoss(left)
}
const STOPPING = longPattern('not-ordered.STOPPING')

/**
 * Words that a text has within longer names alone: who asks for `orders-test` does not ask for `orders`, nor for `orders-live`. A folder
 * of a path stands by itself. Linear in the text.
 *
 * @example partsOfNames('delete orders-test of the shop') // ['orders', 'test']
 */
export function partsOfNames(text: string): readonly string[] {
  const parts = new Set<string>()
  const whole = new Set<string>()
  for (const [token] of text.toLowerCase().matchAll(/[^\s,;:!?"'`()/\\]{2,128}/g)) {
    const name = token.replaceAll(/^[^\p{L}\d]{1,8}|[.:_-]{1,8}$/gu, '')
    const words = name.match(/[\p{L}\d]{2,64}/gu) ?? []
    // The table of a schema stands by itself, too.
    const last = /\.([\p{L}\d]{2,64})$/u.exec(name)?.[1]
    for (const word of words) (word === name || word === last ? whole : parts).add(word)
  }
  return [...parts].filter((word) => !whole.has(word) && !whole.has(`${word}s`)).slice(0, PARTS_MAX)
}
const PARTS_MAX = 256

/**
 * Words for a kind of thing behind which a text has the name of one: *the topic orders.retry* is no other topic. Linear in the text.
 *
 * @example kindsOfNamed('close issue 14') // ['issue', 'issues', 'kindzqzissue']
 */
export const kindsOfNamed = (text: string): readonly string[] =>
  [...text.matchAll(NAMED_KIND)].slice(0, NAMES_MAX).flatMap(([, word = '']) => {
    const kind = word.toLowerCase()
    return [kind, `${kind}s`, kindName(OF_PULL.test(kind) ? 'pull' : kind)]
  })
const NAMED_KIND = longPattern('not-ordered.NAMED_KIND')
const OF_PULL = /^(?:pr|mr|request)$/

/** Names that the orders of a session are not about. */
export interface NotOrdered {
  readonly names: ReadonlySet<string>
  /** Words that say nothing of what is to go or to stop: those within longer names, and kinds of things that are named. */
  readonly beside: ReadonlySet<string>
  /** Whether they may mean more than they name: *all the logs-2022 indices*. */
  readonly mayMeanMore: boolean
  /** Whether none of them asks for a deletion: what is stopped is not to go. */
  readonly onlyStops: boolean
  /** Reads a message of the user with orders: what it is about is ordered from then on. */
  read(message: string): void
}

export function createNotOrdered(): NotOrdered {
  const names = new Set<string>()
  const beside = new Set<string>()
  let isStopping: boolean | undefined
  let mayMeanMore = false
  return {
    names,
    beside,
    get mayMeanMore() {
      return mayMeanMore
    },
    get onlyStops() {
      return isStopping === true
    },
    read: (message) => {
      isStopping = isStopping !== false && onlyStops(message)
      mayMeanMore ||= meansMore(message).meansMore === 1
      const text = message.slice(0, TEXT_MAX)
      for (const name of namesIn(text)) for (const set of [names, beside]) set.delete(name)
      for (const name of namesNotOrdered(message)) names.add(name)
      for (const name of [...partsOfNames(text), ...kindsOfNamed(text)]) beside.add(name)
    },
  }
}

/** Groups of a pattern that hold names; what follows them says where they stand. */
const GROUPS = 2
const isText = (group: unknown): group is string => typeof group === 'string'

const ordersLoss = (text: string): boolean => {
  const { asksDelete, asksOverwrite } = actsAsked(text)
  return (asksDelete ?? asksOverwrite ?? 0) > 0
}

/** Each name as it is, and its words. */
const namesIn = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[\p{L}\d~][^\s,;!?"'`()]{0,127}/gu) ?? []).flatMap((token) => {
    const name = token.replace(/[.:]+$/, '')
    return [name, ...(name.match(/[\p{L}\d]{2,64}/gu) ?? [])]
  })

const OF_FILES = ['file', 'files', 'folder', 'directory']
/** *The file old.csv*, *the directory tmp-x*: one, by its name. */
const NAMES_FILE = longPattern('not-ordered.NAMES_FILE')
const LEFT_ALONE = patternOf(readTable<string>('acts', 'leftAlone'))
const MOVED_TO = patternOf(readTable<string>('acts', 'movedTo'))
const WITHIN = patternOf(readTable<string>('acts', 'within'))
