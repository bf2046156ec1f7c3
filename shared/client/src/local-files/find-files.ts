import { type Dirent, lstatSync, opendirSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import type { LossAt } from '@plimsoll/labels'
import { findGitCommit } from './git-commit.js'

/** Entries of folders that are read for one step, and how deep. */
const ENTRIES_MAX = 2_000
const DEPTH_MAX = 16
const NAMES_MAX = 3
const PATH_MAX = 1024

/** What a path or a pattern stands for on this machine, at this moment. */
export interface FoundFiles {
  /** Files and links. */
  readonly count: number
  readonly bytes: number
  /** The first of them, by name: at most 3. */
  readonly names: readonly string[]
  /** Whether there are more: the limits of entries or of depth were met. */
  readonly isCut: boolean
  /** How many of them Git has as they are; undefined if they are in no repository, or hold one. */
  readonly inGit: number | undefined
}

interface Search {
  readonly files: { readonly at: string; readonly bytes: number; readonly bornAt: number }[]
  left: number
  isCut: boolean
  holdsRepository: boolean
}

/**
 * What a deletion of `place` would take, seen from `folder`, if it lies there or in the user's home. Follows no symbolic link, reads no content but to compare it with Git's, and
 * visits at most 2,000 entries. Undefined if it cannot be known: a link on the way, or a folder through one; `..`, a variable, a pattern that is more
 * than `*` and `?`.
 *
 * @param folder absolute
 */
export function findFiles(place: string, folder: string): FoundFiles | undefined {
  const found = searchFor(place, folder)
  return found && summaryOf(found.search, found.tops, folder)
}

/**
 * Whether something is lost for good at a place, for an observer of arguments (`LossAt`). What counts as brought back: files that are in the
 * latest commit as they are, for `work` also those that came into being after `since`. A repository is never brought back.
 *
 * @param since when the session began, in milliseconds
 */
export function isLost(
  place: string,
  how: Parameters<LossAt>[1],
  folder: string,
  since: number,
): boolean | undefined {
  try {
    if (how === 'restore' && isAbsent(place, folder)) return false
    const found = searchFor(place, folder)
    const [top] = found?.tops ?? []
    if (found === undefined || top === undefined || found.search.isCut || found.search.files.length === 0)
      return undefined
    if (found.search.holdsRepository) return true
    const here = realpathSync(folder)
    // Of other projects, and of everything in the folder, nothing is said.
    if (found.tops.some((each) => each === here || !isBelow(each, here)) || isAll(place)) return undefined
    const commit = findGitCommit(path.dirname(top), since, keeperOf(found.tops, folder))
    let isKnown = true
    for (const { at, bornAt } of found.search.files) {
      if (how === 'work' && bornAt >= since) continue
      const isHeld = commit === 'none' ? false : commit?.holds(at)
      if (isHeld === false) return true
      isKnown &&= isHeld === true
    }
    return isKnown ? false : undefined
  } catch {
    return undefined
  }
}

const isAll = (place: string): boolean => /^[*?]+$/.test(path.basename(place)) && !/[^./]\//.test(place)

function isAbsent(place: string, folder: string): boolean {
  const at = path.resolve(folder, place)
  return (
    isBelow(at, folder) &&
    !/[*?[\]$~{}]/.test(place) &&
    lstatSync(at, { throwIfNoEntry: false }) === undefined
  )
}

function searchFor(
  place: string,
  folder: string,
): { readonly search: Search; readonly tops: readonly string[] } | undefined {
  if (place.length > PATH_MAX || /[$`{}[\]\\\n]|(?:^|\/)(?:~\w|\.\.(?:\/|$))/.test(place)) return undefined
  const search: Search = { files: [], left: ENTRIES_MAX, isCut: false, holdsRepository: false }
  try {
    const whole = place.replace(/^~(?=\/|$)/, homedir())
    const from = path.isAbsolute(whole) ? path.parse(whole).root : realpathSync(folder)
    const parts = path.relative(from, path.resolve(from, whole)).split(path.sep)
    // Behind a link these mean where it leads.
    if (/\/\.?$/.test(whole)) parts.push('')
    if (path.isAbsolute(whole) && !isBelow(whole, folder) && !isBelow(whole, homedir())) return undefined
    const tops = matching(from, parts, search)
    // Nothing there may be nothing where this process looks, as after a failed `cd`.
    if (!tops || tops.length === 0) return undefined
    for (const top of tops) collect(top, 0, search)
    return { search, tops }
  } catch {
    // It may not be read, or it has just gone.
    return undefined
  }
}

/** Whether a folder of Git stays and lies here. */
const keeperOf =
  (tops: readonly string[], folder: string) =>
  (git: string): boolean =>
    [folder, homedir()].some((above) => isBelow(git, realpathSync(above))) &&
    !tops.some((each) => isBelow(git, each))

/** Whether a place is a folder or lies in it. Elsewhere a look-up may hang, as on a share that is away. */
export const isBelow = (place: string, folder: string): boolean =>
  !/^\.\.(?:[\\/]|$)/.test(path.relative(folder, path.resolve(place)))

/** The entries that the parts of a path stand for; undefined if one on the way is a link. */
function matching(from: string, parts: readonly string[], search: Search): readonly string[] | undefined {
  let found = [from]
  for (const [i, part] of parts.entries()) {
    const next: string[] = []
    for (const at of found) {
      const isPattern = /[*?]/.test(part)
      if (isPattern && !lstatSync(at).isDirectory()) continue
      for (const name of isPattern ? namesIn(at, part, search) : [part]) {
        const below = path.join(at, name)
        const entry = lstatSync(below, { throwIfNoEntry: false })
        if (entry?.isSymbolicLink() && i < parts.length - 1) return undefined
        if (entry) next.push(below)
      }
    }
    found = next
  }
  return found
}

/** A shell leaves out names with a dot in front, unless the pattern has it. */
const namesIn = (folder: string, pattern: string, search: Search): string[] =>
  entriesOf(folder, search)
    .map(({ name }) => name)
    .filter((name) => (pattern.startsWith('.') || !name.startsWith('.')) && matchesPattern(pattern, name))

/** `*` and `?`. Names have at most 255 characters, so the steps back to the latest `*` are few. */
function matchesPattern(pattern: string, name: string): boolean {
  let [p, n, star, mark] = [0, 0, -1, 0]
  while (n < name.length) {
    if (pattern[p] === '*') [star, mark, p] = [p, n, p + 1]
    else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === name[n])) [p, n] = [p + 1, n + 1]
    else if (star >= 0) [p, mark, n] = [star + 1, mark + 1, mark + 1]
    else return false
  }
  while (pattern[p] === '*') p += 1
  return p === pattern.length
}

/** In the order of their names, so that the same folder gives the same text. */
function entriesOf(folder: string, search: Search): readonly Dirent[] {
  const entries: Dirent[] = []
  const open = opendirSync(folder)
  try {
    for (let entry = open.readSync(); entry; entry = open.readSync()) {
      if (search.left === 0) {
        search.isCut = true
        break
      }
      search.left -= 1
      entries.push(entry)
    }
  } finally {
    open.closeSync()
  }
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function collect(at: string, depth: number, search: Search): void {
  const entry = lstatSync(at, { throwIfNoEntry: false })
  if (!entry) return
  if (path.basename(at) === '.git') search.holdsRepository = true
  if (!entry.isDirectory())
    return void search.files.push({ at, bytes: entry.size, bornAt: entry.birthtimeMs })
  if (depth === DEPTH_MAX) {
    search.isCut = true
    return
  }
  for (const { name } of entriesOf(at, search)) collect(path.join(at, name), depth + 1, search)
}

function summaryOf(
  { files, isCut, holdsRepository }: Search,
  tops: readonly string[],
  folder: string,
): FoundFiles {
  const [top] = tops
  const commit =
    top === undefined || holdsRepository
      ? undefined
      : findGitCommit(path.dirname(top), Infinity, keeperOf(tops, folder))
  return {
    count: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    names: files.slice(0, NAMES_MAX).map(({ at }) => path.basename(at)),
    isCut,
    inGit:
      commit === undefined || commit === 'none'
        ? undefined
        : files.filter(({ at }) => commit.holds(at) === true).length,
  }
}
