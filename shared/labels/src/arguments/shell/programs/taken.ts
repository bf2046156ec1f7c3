import { isFileName, kindName } from '../../../acts/product-words.js'
import { readSet, readTable, longPattern } from '../../../text/data.js'
import { namesOfPath, wordsIn } from '../../objects.js'
import { type Call, operandsOf } from '../call.js'
import { onlyLooks } from './looks.js'

/** Words in cloud, cluster or registry commands that delete or publish. */
const DELETION_WORDS = longPattern('taken.DELETION_WORDS')

export const isDeletionWord = (word: string): boolean =>
  word.length <= 64 && !/[/.]/.test(word) && DELETION_WORDS.test(word)

/** Whether the first word of a command that takes something away only closes it or switches it off: `gh issue close`, `kubectl drain`. */
export const isStop = (args: readonly string[]): boolean =>
  STOP_WORDS.test(args.find((arg) => !arg.startsWith('-') && isDeletionWord(arg)) ?? '')
const STOP_WORDS = longPattern('taken.STOP_WORDS')

/** The value of a word such as `name=mails.retry`. */
export const withoutKey = (word: string): string => word.replace(/^[a-z][a-z_-]{0,24}=/, '')

/** A deletion word that stands alone: as an operand behind the verb it may also be a name. */
const BARE = longPattern('taken.BARE')
/** Verbs by which programs of clouds and clusters look. */
const LOOKS = longPattern('taken.LOOKS')
/** What shows what a thing printed; for some programs it is a service, whose verb follows. */
const PRINTS = /^logs?$/
/** Options whose value says where, or names an application. */
const OF_PLACE = longPattern('taken.OF_PLACE')

/** Whether one of the first words of a program says that it takes something away, and is no name of what it looks at. */
export function saysDeletion(call: Call): boolean {
  if (onlyLooks(call)) return false
  let looks = false
  let left = OPERANDS_MAX
  for (const [i, word] of call.args.entries()) {
    if (word.startsWith('-')) continue
    if ((left -= 1) < 0) return false
    const before = call.args[i - 1] ?? ''
    const isValue = OF_PLACE.test(before) || (/^--?\w[\w-]*$/.test(before) && !BARE.test(word))
    if (isValue) continue
    if (isDeletionWord(word) && !(looks && !BARE.test(word))) return true
    looks ||= LOOKS.test(word) || (PRINTS.test(word) && call.name !== 'aws')
  }
  return false
}
const OPERANDS_MAX = 4

/** Words for kinds of things: a task with one does not yet say which. */
const KINDS = readSet('shell', 'kindsOfThings')

/** A word for a kind, in other languages. */
const kindInOthers = (word: string): readonly string[] =>
  IN_OTHERS.get(word.toLowerCase().replace(/s$/, ''))?.split(' ') ?? []
const IN_OTHERS = new Map(
  Object.entries(readTable<Readonly<Record<string, string>>>('shell', 'kindsInOthers')),
)

/** A number of Fly's volumes. */
const GIVEN = /^vol_\w{6,32}$/

/** Options that mean all of a kind. */
const EVERY = longPattern('taken.EVERY')

/**
 * Texts that name what a program takes away: the words after its verb; its kind or the program where nothing more is said.
 *
 * @param name of the program, without aliases
 * @param isOfClouds whether it is a tool of clouds, clusters or registries
 */
export function namesOfTaken(call: Call, name: string, isOfClouds: boolean): readonly string[] {
  const words = operandsOf(call)
    .slice(0, 8)
    .flatMap(namesOfThing)
    .filter((word) => !isDeletionWord(word))
  // The service of a cloud is no thing in it: `aws rds delete-db-instance orders`.
  const [service = ''] = isOfClouds ? operandsOf(call) : []
  const known = words.filter((word) => !KINDS.has(word.toLowerCase()))
  const things = known.filter((word) => word !== service)
  const named = things.length > 0 ? things : known
  // A task that names one of them does not ask for all.
  if (call.args.some((arg) => EVERY.test(arg))) return ['all', 'every', 'each', 'everything']
  // A number that a service gave says nothing: its kind may name it.
  if (named.length > 0) return named.some((word) => GIVEN.test(word)) ? words : named
  if (words.length > 0)
    return [...words, ...words.flatMap(kindInOthers), ...(name === 'docker' ? [kindName('docker')] : [])]
  // What a program that is not known takes away by its verb alone is not known.
  if (name === 'terraform')
    return ['terraform', 'stack', 'infrastructure', 'workspace', 'environment', 'module']
  return isOfClouds ? [call.name] : []
}

/**
 * The things that a command takes away, if its words are names of several: a task that names one of them does not ask for the others. Kinds
 * before them are none: `kubectl delete pod web-1 db-0`.
 */
export function thingsTaken({ args }: Call): readonly string[] {
  const at = args.findIndex((arg) => !arg.startsWith('-') && isDeletionWord(arg))
  // An option has one value, or several that are things: `--instance-ids i-1 i-2`.
  const runs: string[][] = [[]]
  for (const [i, arg] of (at < 0 ? [] : args.slice(at + 1)).entries())
    if (arg.startsWith('-')) runs.push([])
    else if (isValueAt(args, at, i + at + 1)) continue
    else if (!arg.split(',').every(isKind)) runs.at(-1)?.push(arg)
  const things = runs.flatMap((run) => (run.length > 1 ? run : []))
  return things.length > 1 && things.length <= THINGS_MAX && things.every((word) => NAME.test(word))
    ? things
    : []
}
const THINGS_MAX = 6

/** Whether the word at `i` is the value of an option that says where. `rm -r a b` takes all of folders, and no region. */
const isValueAt = (args: readonly string[], at: number, i: number): boolean => {
  const before = args[i - 1] ?? ''
  return OF_PLACE.test(before) && !(args[at] === 'rm' && RECURSES.test(before))
}
const RECURSES = /^-[rR]$/
const NAME = /^\w[\w.@:/-]{0,127}$/
/** Texts that name one thing. */
export const namesOfThing = (given: string): readonly string[] => {
  const word = withoutKey(given)
  return [
    // What lies in a cloud or a cluster is no file of a project.
    ...(/[/.]/.test(word) ? namesOfPath(word).filter((name) => !isFileName(name)) : [word, ...wordsIn(word)]),
    ...(word.includes(':') ? [word.slice(0, word.indexOf(':'))] : []),
  ]
}
const isKind = (word: string): boolean => KINDS.has(word.toLowerCase())

/** The words after the verb; for what has no name, what the command finds. */
export function thingTaken(call: Call): string {
  const words = operandsOf(call)
  const named = words.slice(words.findIndex(isDeletionWord) + 1, 8).join(' ')
  return named === '' ? `what ${call.name} ${words.slice(0, 3).join(' ')} finds` : named
}

/** Whether pods are deleted whose names a controller gave: it makes them again at once, so this restarts them. */
export function restartsPods({ name, args }: Pick<Call, 'name' | 'args'>): boolean {
  if (name !== 'kubectl') return false
  const [verb, kind = '', ...names] = args.filter(
    (word, i) => !word.startsWith('-') && !WHERE.test(args[i - 1] ?? ''),
  )
  const pods = /^pods?$|^po$/.test(kind) ? names : /^pods?\//.test(kind) ? [kind, ...names] : []
  return verb === 'delete' && pods.length > 0 && pods.every((name) => OF_CONTROLLER.test(name))
}
/** Options that take the next word. */
const WHERE = longPattern('taken.WHERE')
/** Names that a stateful set, a deployment or a daemon set gives. */
const OF_CONTROLLER = longPattern('taken.OF_CONTROLLER')
