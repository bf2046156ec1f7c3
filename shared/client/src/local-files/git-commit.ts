import { lstatSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { contentOf, gitFolderOf, isOfOtherHash, rootOf } from './git-folder.js'
import { objectsIn, readSmall } from './git-objects.js'

/** Bytes of files that are compared: of one, and of all. */
const FILE_MAX = 1024 * 1024
const FILES_MAX = 8 * 1024 * 1024
const REFS_MAX = 1024 * 1024
const LEVELS_MAX = 64

/** Tells whether a file is as it is in the latest commit. */
export interface GitCommit {
  /** @param file absolute; undefined if it is too large to compare */
  readonly holds: (file: string) => boolean | undefined
}

/**
 * The latest commit of the repository that `folder` lies in; `none` if there is no repository, undefined if it cannot be read. What is only
 * staged is not committed: the next command may take it out. A repository that came into being after `since` proves nothing.
 *
 * @param since in milliseconds
 * @param isKept whether a folder of Git counts, by its real path
 */
export function findGitCommit(
  folder: string,
  since: number,
  isKept: (git: string) => boolean,
): GitCommit | 'none' | undefined {
  const root = rootOf(folder)
  if (root === undefined) return 'none'
  const git = gitFolderOf(path.join(root, '.git'))
  if (git === undefined || isOfOtherHash(git)) return undefined
  const common = path.resolve(
    git,
    readSmall(path.join(git, 'commondir'), 2048)?.toString('utf8').trim() ?? '.',
  )
  if (![git, common].every((each) => isKept(realpathSync(each)))) return undefined
  if ([git, common].some((each) => lstatSync(each).birthtimeMs >= since)) return 'none'
  const read = objectsIn(path.join(common, 'objects'))
  const commit = headOf(git, common)
  const found = commit === undefined ? undefined : read(commit)
  const [, tree] =
    found?.kind === 'commit'
      ? (/^tree ([0-9a-f]{40})\n/.exec(found.data.toString('latin1', 0, 64)) ?? [])
      : []
  if (tree === undefined) return undefined
  const trees = new Map<string, ReadonlyMap<string, string> | undefined>()
  const entriesOf = (hash: string): ReadonlyMap<string, string> | undefined => {
    if (!trees.has(hash)) {
      const object = read(hash)
      trees.set(hash, object?.kind === 'tree' ? namesOf(object.data) : undefined)
    }
    return trees.get(hash)
  }
  let left = FILES_MAX
  return {
    holds: (file) => {
      const parts = path.relative(root, file).split(path.sep)
      let hash: string | undefined = tree
      for (const part of parts.slice(0, LEVELS_MAX)) {
        const entries: ReadonlyMap<string, string> | undefined =
          hash === undefined ? undefined : entriesOf(hash)
        if (entries === undefined) return hash === undefined ? false : undefined
        hash = entries.get(part)
        if (hash === undefined) return false
      }
      const blob = hash === undefined || parts.length > LEVELS_MAX ? undefined : read(hash)
      const content = contentOf(file, Math.min(left, FILE_MAX))
      if (blob?.kind !== 'blob' || content === undefined) return undefined
      left -= content.length
      return blob.data.equals(content) || blob.data.equals(withoutReturns(content))
    },
  }
}

/** Git may store other ends of lines than it writes. */
const withoutReturns = (content: Buffer): Buffer =>
  Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')

/** The hash of the latest commit: named, or by a branch that is a file or in the list of packed ones. */
function headOf(git: string, common: string): string | undefined {
  const head = readSmall(path.join(git, 'HEAD'), 2048)?.toString('utf8').trim() ?? ''
  if (HASH.test(head)) return head
  const [, name] = /^ref: (refs\/[\w./@+-]{1,255})$/.exec(head) ?? []
  if (name === undefined || name.includes('..')) return undefined
  const loose = readSmall(path.join(common, name), 2048)?.toString('utf8').trim()
  if (loose !== undefined) return HASH.test(loose) ? loose : undefined
  const packed = readSmall(path.join(common, 'packed-refs'), REFS_MAX)?.toString('utf8') ?? ''
  return packed
    .split('\n')
    .find((line) => line.slice(41) === name)
    ?.slice(0, 40)
}
const HASH = /^[0-9a-f]{40}$/

/** Source: Git's `Documentation/gitformat-pack.txt` and `git-mktree`: mode, name, a zero, 20 bytes. */
function namesOf(tree: Buffer): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (let at = 0; at < tree.length;) {
    const space = tree.indexOf(32, at)
    const end = tree.indexOf(0, space)
    if (space < 0 || end < 0) break
    names.set(tree.toString('utf8', space + 1, end), tree.toString('hex', end + 1, end + 21))
    at = end + 21
  }
  return names
}
