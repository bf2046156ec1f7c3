import { longPattern } from '../../../text/data.js'
import { namesOfPath, type actsOn } from '../../objects.js'
import { type Call, hasOption, operandsOf } from '../call.js'
import { editedNames } from '../own-folders.js'
import type { Effects } from '../../effects.js'

/** Files of one command that are recorded one by one. */
const FILES_MAX = 8
/** Everything below the folder that git works in. */
const WHOLE = longPattern('git-restores.WHOLE')
/** A file by its name: a branch or a commit has no such ending. */
const FILE = longPattern('git-restores.FILE')

/** What a `git checkout` or `git restore` puts back to what was committed. */
export interface Restored {
  /** Whether it is everything. */
  readonly isAll: boolean
  readonly paths: readonly string[]
}

/** Reads which files lose what was not committed. A choice of single changes, of a side of a merge or of a branch loses none. */
export function restoredBy(call: Call): Restored {
  const paths = call.name === 'restore' ? pathsOfRestore(call) : pathsOfCheckout(call)
  return { isAll: paths.some((path) => WHOLE.test(path)), paths }
}

function pathsOfRestore(call: Call): readonly string[] {
  if (hasOption(call, 'S', '--staged') && !hasOption(call, 'W', '--worktree')) return []
  if (hasOption(call, 'p', '--patch', '--ours', '--theirs')) return []
  const at = call.args.findIndex((arg) => arg === '-s' || arg === '--source')
  return operandsOf(at < 0 ? call : { ...call, args: call.args.toSpliced(at, 2) })
}

function pathsOfCheckout(call: Call): readonly string[] {
  if (
    hasOption(call, 'pbBtdlm', '--patch', '--orphan', '--track', '--detach', '--ours', '--theirs', '--merge')
  )
    return []
  const at = call.args.indexOf('--')
  if (at >= 0) return call.args.slice(at + 1)
  const operands = operandsOf(call)
  return operands.filter((word, i) => i > 0 || FILE.test(word) || WHOLE.test(word))
}

/**
 * The things that lose changes, by their paths: own where the session has changed the file itself.
 *
 * @param folder the value of git's `-C`, with `/` at its end; empty without it
 */
export const restoredThings = (
  paths: readonly string[],
  words: readonly string[],
  folder: string,
  effects: Effects,
): Parameters<typeof actsOn>[2][] =>
  paths.slice(0, FILES_MAX + 1).map((given) => {
    const path = given.startsWith('/') ? given : `${folder}${given}`
    return {
      kind: 'path',
      names: [...words, ...namesOfPath(path)],
      own: editedNames(path, effects),
      thing: path,
    }
  })
