import { realpathSync } from 'node:fs'
import path from 'node:path'
import { readRelease } from './format/terminal.js'
import { shellWord } from './format/text.js'

/** How this process was started. */
export interface Started {
  /** `process.argv[1]`: the command line's script as it was called. */
  readonly script: string
  /** The variable `PATH`. */
  readonly searchPath: string
  readonly release: string
}

/** Whether the script is in the cache of `npx`, which npm may empty. */
export const isInNpxCache = (script: string): boolean => /[\\/]_npx[\\/]/.test(script)

/** What a person types in any folder to run this very Plimsoll. With `cwd`: in this folder. */
export function commandOf({ script, searchPath, release }: Started, cwd?: string): string {
  if (isInNpxCache(script)) return `npx -y plimsoll@${release}`
  // A clone, or Windows, where the script is not the command.
  if (path.basename(script) !== 'plimsoll') return 'npx plimsoll'
  if (cwd !== undefined && script.startsWith(path.join(cwd, 'node_modules', path.sep))) return 'npx plimsoll'
  const isOnPath = searchPath
    .split(path.delimiter)
    // npm and npx put these on the path of what they start only.
    .filter((folder) => path.isAbsolute(folder) && !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder))
    .some((folder) => isSameFile(path.join(folder, 'plimsoll'), script))
  return isOnPath ? 'plimsoll' : shellWord(script)
}

export const ownCommand = (env: Readonly<Record<string, string | undefined>>, cwd?: string): string =>
  commandOf({ script: process.argv[1] ?? '', searchPath: env['PATH'] ?? '', release: readRelease() }, cwd)

/** Whether both exist and are the same file, by links too. */
export function isSameFile(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other)
  } catch {
    return false
  }
}
