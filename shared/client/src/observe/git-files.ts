import { createHash } from 'node:crypto'
import { lstatSync, readFileSync, readdirSync, realpathSync } from 'node:fs'
import path from 'node:path'

/** Files of one deletion that are compared, and their bytes together: more count as not known. */
const FILES_MAX = 500
const BYTES_MAX = 8 * 1_024 * 1_024
const INDEX_BYTES_MAX = 64 * 1_024 * 1_024

/** Object ids in hexadecimal, by the path from the top of the repository. */
type Index = ReadonlyMap<string, string>

interface Repository {
  readonly top: string
  readonly file: string
  readonly stamp: string
  readonly index: Index
}

/**
 * Returns a function that says whether Git can bring back all that is at `file`, which lies below `folder`: each file is in the index of the
 * repository of `folder` with the very content that it has now. Paths through links, repositories within, files that filters change and
 * indexes of other formats than 2 and 3 count as not known. It runs no program, as the configuration of a repository may name some, and never
 * throws. Source: gitformat-index(5).
 */
export function createGitFiles(): (file: string, folder: string) => boolean {
  let known: Repository | undefined
  return (file, folder) => {
    try {
      known = repositoryOf(folder, known)
      return known !== undefined && isKept(file, known)
    } catch {
      return false
    }
  }
}

function repositoryOf(folder: string, known: Repository | undefined): Repository | undefined {
  let top = realpathSync(folder)
  for (;;) {
    const found = lstatSync(path.join(top, '.git'), { throwIfNoEntry: false })
    // Of a worktree or a submodule `.git` is a file, and its index lies elsewhere.
    if (found) return found.isDirectory() ? read(top, known) : undefined
    const above = path.dirname(top)
    if (above === top) return undefined
    top = above
  }
}

function read(top: string, known: Repository | undefined): Repository | undefined {
  const file = path.join(top, '.git', 'index')
  const { mtimeNs, size, ino } = lstatSync(file, { bigint: true })
  if (size > INDEX_BYTES_MAX) return undefined
  const stamp = `${mtimeNs} ${size} ${ino}`
  if (known?.file === file && known.stamp === stamp) return known
  const index = readIndex(readFileSync(file))
  return index && { top, file, stamp, index }
}

const HEADER_BYTES = 12
/** Of an entry: where its object id begins, its flags, and its name. */
const [ID_AT, FLAGS_AT, NAME_AT] = [40, 60, 62]
const EXTENDED = 0x4000
/** Stages of an unfinished merge. */
const STAGES = 0x3000
const MODE_AT = 24
/** File types of the mode: plain files alone. */
const [TYPES, FILE] = [0o170000, 0o100000]

function readIndex(bytes: Buffer): Index | undefined {
  if (bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined
  const version = bytes.readUInt32BE(4)
  if (version !== 2 && version !== 3) return undefined
  const index = new Map<string, string>()
  let at = HEADER_BYTES
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const flags = bytes.readUInt16BE(at + FLAGS_AT)
    const start = at + NAME_AT + ((flags & EXTENDED) === 0 ? 0 : 2)
    const end = bytes.indexOf(0, start)
    if (end < 0) return undefined
    const isFile = (bytes.readUInt32BE(at + MODE_AT) & TYPES) === FILE
    if (isFile && (flags & STAGES) === 0)
      index.set(bytes.toString('utf8', start, end), bytes.toString('hex', at + ID_AT, at + FLAGS_AT))
    // Entries have a multiple of 8 bytes, the zeros behind the name among them.
    at += (end - at + 8) & ~7
  }
  return index
}

function isKept(file: string, { top, index }: Repository): boolean {
  const whole = path.join(realpathSync(path.dirname(file)), path.basename(file))
  const below = path.relative(top, whole)
  if (below === '' || below.startsWith('..') || path.isAbsolute(below)) return false
  let [files, bytes] = [0, 0]
  const waiting = [below.split(path.sep).join('/')]
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    const found = lstatSync(path.join(top, each))
    if (found.isDirectory()) {
      for (const name of readdirSync(path.join(top, each))) waiting.push(`${each}/${name}`)
      if (waiting.length > FILES_MAX) return false
    } else {
      files += 1
      bytes += found.size
      const id = index.get(each)
      if (!found.isFile() || id === undefined || files > FILES_MAX || bytes > BYTES_MAX) return false
      if (idOf(readFileSync(path.join(top, each))) !== id) return false
    }
  }
  return files > 0
}

/** The id that Git gives to a file's content. */
const idOf = (content: Buffer): string =>
  createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
