import { spawnSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import path from 'node:path'

/** How long Git may take, milliseconds: the service waits for it. */
const GIT_MS_MAX = 2_000
/** A repository's configuration must start no program here. */
const SAFE = [
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.untrackedCache=false',
]

/**
 * Whether everything at a path is committed to the Git repository of `folder`, so that it could be brought back: no change, no file that is
 * ignored or untracked, no link out of it. The path is that of a step in `folder`. False where Git does not know, or is too slow.
 */
export function isKeptInGit(folder: string, given: string): boolean {
  const whole = path.resolve(folder, given)
  const top = git(folder, ['rev-parse', '--show-toplevel'])?.trim()
  if (top === undefined || top === '' || !isBelow(top, real(path.dirname(whole)))) return false
  if (path.relative(top, whole) === '' || isBelow(whole, top)) return false
  const tracked = git(folder, ['ls-files', '-v', '-z', '--error-unmatch', '--', `:(literal)${whole}`])
  // A file that Git was asked to assume unchanged has another letter.
  if (!tracked || tracked.split('\0').some((line) => line !== '' && !line.startsWith('H '))) return false
  const status = [
    'status',
    '--porcelain',
    '-z',
    '--ignored',
    '--untracked-files=all',
    '--ignore-submodules=none',
  ]
  return git(folder, [...status, '--', `:(literal)${whole}`]) === ''
}

function real(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return ''
  }
}

/** Whether `inner` is `outer`, or lies in it. */
const isBelow = (outer: string, inner: string): boolean =>
  inner === outer || inner.startsWith(outer.endsWith(path.sep) ? outer : outer + path.sep)

/** What Git prints; undefined if it fails. */
function git(folder: string, args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', [...SAFE, '-C', folder, ...args], {
    encoding: 'utf8',
    timeout: GIT_MS_MAX,
    maxBuffer: 2 ** 20,
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
  })
  return status === 0 ? stdout : undefined
}
