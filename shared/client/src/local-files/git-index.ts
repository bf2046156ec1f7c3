import { createHash } from 'node:crypto'
import { lstatSync, readFileSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import path from 'node:path'

/** A larger index is not read, in bytes. */
const INDEX_MAX = 4 * 1024 * 1024
/** Files beyond are not compared, in bytes: of one, and of all. */
const FILE_MAX = 1024 * 1024
const FILES_MAX = 8 * 1024 * 1024
const CONFIG_MAX = 64 * 1024
/** Indexes of packs, in bytes together. */
const PACKS_MAX = 32 * 1024 * 1024
const LEVELS_MAX = 32

/** Tells whether Git has a file as it is now. */
export interface GitIndex {
  /** @param file absolute; at or below the folder of the repository */
  readonly holds: (file: string) => boolean
}

/**
 * The index of the repository that `folder` lies in; undefined if there is none, or it cannot be read. Starts no program: what a repository
 * configures would run. So a file that Git stores in another form, by filters or line ends, counts as changed, and so does a staged file whose
 * content is not in the repository's own store.
 *
 * @param isKept whether a folder of Git counts, by its real path
 */
export function findGitIndex(folder: string, isKept: (git: string) => boolean): GitIndex | undefined {
  const root = rootOf(folder)
  const git = root === undefined ? undefined : gitFolderOf(path.join(root, '.git'))
  if (root === undefined || git === undefined || isOfOtherHash(git)) return undefined
  // A worktree shares it.
  const common = readSmall(path.join(git, 'commondir'), 2048)?.toString('utf8').trim() ?? '.'
  const store = realpathSync(path.resolve(git, common, 'objects'))
  if (!isKept(realpathSync(git)) || !isKept(store)) return undefined
  const bytes = readSmall(path.join(git, 'index'), INDEX_MAX)
  const entries = bytes && entriesOf(bytes)
  if (!entries) return undefined
  let left = FILES_MAX
  let packs: readonly Buffer[] | undefined
  const isStored = (hash: string): boolean =>
    lstatSync(path.join(store, hash.slice(0, 2), hash.slice(2)), { throwIfNoEntry: false })?.isFile() ===
      true || (packs ??= packsIn(path.join(store, 'pack'))).some((pack) => isInPack(pack, hash))
  return {
    holds: (file) => {
      const hash = entries.get(path.relative(root, file).split(path.sep).join('/'))
      if (hash === undefined || !isStored(hash)) return false
      const content = contentOf(file, Math.min(left, FILE_MAX))
      if (content === undefined) return false
      left -= content.length
      return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex') === hash
    },
  }
}

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

export const isOfOtherHash = (git: string): boolean =>
  /objectformat\s{0,8}=\s{0,8}(?!sha1)/i.test(
    readSmall(path.join(git, 'config'), CONFIG_MAX)?.toString('utf8') ?? '',
  )

function packsIn(folder: string): readonly Buffer[] {
  let left = PACKS_MAX
  return readdirSync(folder)
    .filter((name) => name.endsWith('.idx'))
    .flatMap((name) => {
      const pack = readSmall(path.join(folder, name), left) ?? []
      left -= pack.length
      return pack
    })
}

/** Source: Git's `Documentation/gitformat-pack.txt`, version 2: sums by the first byte of a hash, then the hashes. */
function isInPack(pack: Buffer, hash: string): boolean {
  const wanted = Buffer.from(hash, 'hex')
  const first = wanted[0] ?? 0
  if (pack.length < 1032 || pack.readUInt32BE(0) !== 0xff74_4f63) return false
  const [from, to] = [first === 0 ? 0 : pack.readUInt32BE(4 + 4 * first), pack.readUInt32BE(8 + 4 * first)]
  return pack.subarray(1032 + 20 * from, 1032 + 20 * to).includes(wanted)
}

export function readSmall(file: string, max: number): Buffer | undefined {
  try {
    const { size } = lstatSync(file)
    return lstatSync(file).isFile() && size <= max ? readFileSync(file) : undefined
  } catch {
    return undefined
  }
}

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

const FIXED = 62
const EXTENDED = 0x4000
const NAME_MASK = 0xfff
const STAGE_MASK = 0x3000
const INTENT_TO_ADD = 0x2000

/** The hashes of what is staged, by path. Source: Git's `Documentation/gitformat-index.txt`, versions 2 and 3. */
function entriesOf(bytes: Buffer): ReadonlyMap<string, string> | undefined {
  if (bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined
  const version = bytes.readUInt32BE(4)
  if (version !== 2 && version !== 3) return undefined
  const entries = new Map<string, string>()
  let at = 12
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    if (at + FIXED + 2 > bytes.length) return undefined
    const flags = bytes.readUInt16BE(at + 60)
    const isExtended = (flags & EXTENDED) !== 0
    const start = at + FIXED + (isExtended ? 2 : 0)
    const end = bytes.indexOf(0, start)
    const length = flags & NAME_MASK
    if (end < 0 || (length < NAME_MASK && end - start !== length)) return undefined
    const isStaged = (flags & STAGE_MASK) === 0
    const isEmpty = isExtended && (bytes.readUInt16BE(at + FIXED) & INTENT_TO_ADD) !== 0
    if (isStaged && !isEmpty)
      entries.set(bytes.toString('utf8', start, end), bytes.toString('hex', at + 40, at + 60))
    at += (Math.floor((end - at) / 8) + 1) * 8
  }
  return entries
}
