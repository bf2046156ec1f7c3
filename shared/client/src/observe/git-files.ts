import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstatSync, readFileSync, readdirSync, realpathSync } from 'node:fs'
import path from 'node:path'

/** Files of one deletion that are compared, and their bytes together: more count as not known. */
const FILES_MAX = 500
const BYTES_MAX = 8 * 1_024 * 1_024
const ANSWER_BYTES_MAX = 1_024 * 1_024
const ANSWER_MS_MAX = 2_000

/**
 * Whether Git can bring back all that is at `file`, which lies below `folder`: each file is in the last commit of the repository of `folder`
 * with the very content that it has now. Links, repositories within, and files that filters change count as not known. Never throws.
 */
export function canGitRestore(file: string, folder: string): boolean {
  try {
    const top = realpathSync(folder)
    const below = path.relative(top, path.join(realpathSync(path.dirname(file)), path.basename(file)))
    if (below === '' || below.startsWith('..') || path.isAbsolute(below)) return false
    return isCommitted(below.split(path.sep).join('/'), top)
  } catch {
    return false
  }
}

function isCommitted(below: string, top: string): boolean {
  const ids = committedIn(below, top)
  let [files, bytes] = [0, 0]
  const waiting = [below]
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    const found = lstatSync(path.join(top, each))
    if (found.isDirectory()) {
      for (const name of readdirSync(path.join(top, each))) waiting.push(`${each}/${name}`)
    } else {
      files += 1
      bytes += found.size
      const id = ids.get(each)
      if (!found.isFile() || id === undefined || bytes > BYTES_MAX) return false
      if (idOf(readFileSync(path.join(top, each)), id.length) !== id) return false
    }
    if (files + waiting.length > FILES_MAX) return false
  }
  return files > 0
}

/** Object ids in hexadecimal of the files at `below` in the last commit, by their paths from `top`. Source: git-ls-tree(1). */
function committedIn(below: string, top: string): ReadonlyMap<string, string> {
  // The agent may write the repository's configuration: this command runs none of its programs, and may fetch nothing.
  const words = ['-c', 'protocol.allow=never', '-C', top, 'ls-tree', '-r', '-z', 'HEAD', '--', below]
  const answer = execFileSync('git', words, {
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
    timeout: ANSWER_MS_MAX,
    maxBuffer: ANSWER_BYTES_MAX,
  })
  const ids = new Map<string, string>()
  for (const entry of answer.split('\0')) {
    const [, id, name] = /^100(?:644|755) blob ([\da-f]+)\t(.+)$/s.exec(entry) ?? []
    if (id !== undefined && name !== undefined) ids.set(name, id)
  }
  return ids
}

const SHA256_DIGITS = 64

/** The id that Git gives to a file's content. */
const idOf = (content: Buffer, digits: number): string =>
  createHash(digits === SHA256_DIGITS ? 'sha256' : 'sha1')
    .update(`blob ${content.length}\0`)
    .update(content)
    .digest('hex')
