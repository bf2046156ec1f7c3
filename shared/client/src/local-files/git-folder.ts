import { lstatSync, readFileSync, readlinkSync } from 'node:fs'
import path from 'node:path'
import { readSmall } from './git-objects.js'

const CONFIG_MAX = 64 * 1024
const LEVELS_MAX = 32

/** The folder of the repository that `folder` lies in. */
export function rootOf(folder: string): string | undefined {
  let at = folder
  for (let level = 0; level < LEVELS_MAX; level++) {
    if (lstatSync(path.join(at, '.git'), { throwIfNoEntry: false })) return at
    const above = path.dirname(at)
    if (above === at) return undefined
    at = above
  }
  return undefined
}

/** The folder itself, or what the file of a worktree names. */
export function gitFolderOf(file: string): string | undefined {
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found?.isDirectory()) return file
  const [, named] = /^gitdir: (.{1,1024})\n?$/.exec(readSmall(file, 2048)?.toString('utf8') ?? '') ?? []
  return named === undefined ? undefined : path.resolve(path.dirname(file), named)
}

/** Whether a repository names its objects by another hash than SHA-1. */
export const isOfOtherHash = (git: string): boolean =>
  /objectformat\s{0,8}=\s{0,8}(?!sha1)/i.test(
    readSmall(path.join(git, 'config'), CONFIG_MAX)?.toString('utf8') ?? '',
  )

/** The bytes that Git stores of a file, or of where a link leads. */
export function contentOf(file: string, max: number): Buffer | undefined {
  try {
    const found = lstatSync(file)
    if (found.isSymbolicLink()) return Buffer.from(readlinkSync(file))
    return found.isFile() && found.size <= max ? readFileSync(file) : undefined
  } catch {
    return undefined
  }
}
