import { visibleText } from '@plimsoll/labels'
import type { FoundFiles } from './find-files.js'

const NAME_CHARS_MAX = 24

/**
 * What a deletion takes, in half a line.
 *
 * @example foundSentence(found) // 120 files, 3.1 MB (`a.csv`, `b.csv`, `c.csv`, …), 118 of them in Git as now
 */
export function foundSentence({ count, bytes, names, isCut, inGit }: FoundFiles): string {
  if (count === 0) return isCut ? 'more than can be counted' : 'no files in it'
  const listed = names.map((name) => `\`${visibleText(name, NAME_CHARS_MAX)}\``).join(', ')
  const more = isCut || count > names.length ? ', …' : ''
  const what = `${isCut ? 'more than ' : ''}${countOf(count)}, ${sizeOf(bytes)} (${listed}${more})`
  return inGit === undefined ? what : `${what}, ${gitText(inGit, count, isCut)}`
}

const countOf = (count: number): string => (count === 1 ? '1 file' : `${count} files`)

function gitText(inGit: number, count: number, isCut: boolean): string {
  if (inGit === 0) return 'not in Git as now'
  return inGit === count && !isCut ? 'in Git as now' : `${inGit} of them in Git as now`
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

function sizeOf(bytes: number): string {
  let [size, unit] = [bytes, 0]
  while (size >= 1000 && unit < UNITS.length - 1) [size, unit] = [size / 1000, unit + 1]
  return `${unit === 0 || size >= 10 ? Math.round(size) : size.toFixed(1)} ${UNITS[unit]}`
}
