import { readSet } from '../../../text/data.js'
import { namesOfPath, wordsIn } from '../../objects.js'
import { type Call, operandsOf } from '../call.js'

/** Words in cloud, cluster or registry commands that delete or publish. */
const DELETION_WORDS =
  /(?:^|[:_-])(?:delete|destroy|terminate|remove|purge|drop|uninstall|deregister|prune|rm|rb|rmi|del|down|drain|nuke|wipe|abandon|expunge|obliterate|gc|flush\w*)(?:[:_-]|$)/

export const isDeletionWord = (word: string): boolean =>
  word.length <= 64 && !/[/.]/.test(word) && DELETION_WORDS.test(word)

/** Words for kinds of things: a task with one does not yet say which. */
const KINDS = readSet('shell', 'kindsOfThings')

/** Options that mean all of a kind. */
const EVERY = /^--(?:all|all-(?:namespaces|projects|containers|tags|versions)|every|everything)$/

/**
 * Texts that name what a program takes away: the words after its verb; its kind or the program where nothing more is said.
 *
 * @param name of the program, without aliases
 * @param isOfClouds whether it is a tool of clouds, clusters or registries
 */
export function namesOfTaken(call: Call, name: string, isOfClouds: boolean): readonly string[] {
  const words = operandsOf(call)
    .slice(0, 8)
    .flatMap((word) => [
      ...(/[/.]/.test(word) ? namesOfPath(word) : [word, ...wordsIn(word)]),
      ...(word.includes(':') ? [word.slice(0, word.indexOf(':'))] : []),
    ])
    .filter((word) => !isDeletionWord(word))
  const named = words.filter((word) => !KINDS.has(word.toLowerCase()))
  // A task that names one of them does not ask for all.
  if (call.args.some((arg) => EVERY.test(arg))) return ['all', 'every', 'each', 'everything']
  if (named.length > 0) return named
  if (words.length > 0) return words
  // What a program that is not known takes away by its verb alone is not known.
  if (name === 'terraform')
    return ['terraform', 'stack', 'infrastructure', 'workspace', 'environment', 'module']
  return isOfClouds ? [call.name] : []
}

/** The words after the verb; none for what has no name. */
export function thingTaken(call: Call): string {
  const words = operandsOf(call)
  return words.slice(words.findIndex(isDeletionWord) + 1, 8).join(' ')
}
