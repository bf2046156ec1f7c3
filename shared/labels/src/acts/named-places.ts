import { patternOf, readTable, longPattern } from '../text/data.js'

/** Words that are read, and kept. */
const TEXT_MAX = 4_096
const KEPT_MAX = 16

/**
 * The name of a folder of this machine as what is overwritten from outside: a stick, a mount, another host. Only a task that orders that
 * direction has it; see `inwardWords`.
 */
export const inwardName = (word: string): string =>
  `inwardzqz${word.toLowerCase().replaceAll(/[^a-z\d]/g, '')}`

/**
 * Words of what a task orders to be overwritten by a copy, a mirror or a restoration: what follows *to*, else what stands before *from*.
 * *Mirror my thesis to the stick* names the stick. Linear in the task.
 *
 * @example overwrittenWords('Restore the photos from the nas') // ['restore', 'the', 'photos']
 */
export function overwrittenWords(task: string): readonly string[] {
  const text = task.slice(0, TEXT_MAX)
  const at = text.search(COPIES)
  if (at < 0) return []
  const [clause = ''] = text.slice(at).split(/[.;!?\n](?=\s|$)/)
  const english = clause.search(TO)
  const to = english < 0 ? clause.search(TO_OTHERS) : english
  const from = clause.search(FROM)
  const side =
    to >= 0 ? clause.slice(to, from > to ? from : undefined) : clause.slice(0, from < 0 ? undefined : from)
  return wordsIn(side).slice(0, KEPT_MAX)
}

/**
 * Words of the places in which a task orders something else to be deleted: build output, or one folder by its name. *Clean the build stuff
 * in my projects*, *delete the project demo in ~/work*: the places themselves are not to go. Words that the task has elsewhere too are none.
 * Linear in the task.
 *
 * @example placesOfDeletion('clean the build files in ~/work') // ['work']
 */
export function placesOfDeletion(task: string): readonly string[] {
  const places: string[] = []
  let left = task.slice(0, TEXT_MAX)
  for (const pattern of [OF_OUTPUT, OF_NAMED])
    left = left.replaceAll(pattern, (order, place: string) => {
      places.push(...wordsIn(place))
      return order.slice(0, order.length - place.length)
    })
  if (places.length === 0) return places
  const kept = new Set(wordsIn(left))
  return [...new Set(places)].filter((word) => !kept.has(word)).slice(0, KEPT_MAX)
}

/**
 * A text whose paths of Windows are written as those of others, with the last name behind each. Linear in the text.
 *
 * @example withPlainPaths('delete D:/jobs/old') // 'delete /D/jobs/old old'
 */
export const withPlainPaths = (text: string): string =>
  text.replaceAll(OF_WINDOWS, (_, drive: string, path: string) => {
    const plain = `/${drive}/${path.replaceAll('\\', '/')}`
    const last = plain.slice(plain.lastIndexOf('/') + 1)
    // What is made of a file may have its name in other words.
    return `${plain} ${last}${last.includes('.') ? ` ${last.split(/[-_.]/, 4).join(' ')}` : ''}`
  })
const OF_WINDOWS = longPattern('named-places.OF_WINDOWS')

/** Folders of build output, by which such a task names what goes. */
const OUTPUT_FOLDERS: readonly string[] = [
  'build',
  'dist',
  'target',
  'out',
  'obj',
  'node_modules',
  '__pycache__',
  '.next',
  'coverage',
]

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\d_-]{2,64}/gu) ?? []
const COPIES = patternOf(readTable<string>('acts', 'copies'))
const TO = /\s(?:to|onto|into)\s/i
const TO_OTHERS = longPattern('named-places.TO_OTHERS')
const FROM = longPattern('named-places.FROM')
/** Names that a task has besides its words: of what it lets a copy overwrite, and of build output that it orders to be deleted in `places`. */
export const namesOfPlaces = (task: string, places: readonly string[]): readonly string[] => [
  ...overwrittenWords(task).map(inwardName),
  ...(places.length > 0 && clearsOutput(task) ? OUTPUT_FOLDERS : []),
]

/** Whether a task orders build output to be deleted somewhere. */
const clearsOutput = (task: string): boolean => task.slice(0, TEXT_MAX).search(OF_OUTPUT) >= 0

const OF_NAMED = patternOf(readTable<string>('acts', 'deletesNamed'))
const OF_OUTPUT = patternOf(readTable<string>('acts', 'clearsOutput'))
