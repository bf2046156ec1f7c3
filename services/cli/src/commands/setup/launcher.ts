import path from 'node:path'
import { isInNpxCache, isSameFile } from '../../own-command.js'

/** What an entry of a client's configuration starts Plimsoll with. */
export interface Launcher {
  readonly command: string
  /** Arguments before those of Plimsoll. */
  readonly args: readonly string[]
  /** What the user should know about it. */
  readonly note?: string
}

export interface Process {
  /** `process.execPath` */
  readonly execPath: string
  /** `process.argv[1]`: the command line's script as it was called. */
  readonly script: string
  /** The variable `PATH`. */
  readonly searchPath: string
  readonly release: string
}

/**
 * Starts the Plimsoll that runs now by absolute paths, because a desktop client may have no `PATH` with `node` or `npx`. From the cache of
 * `npx`, which npm may empty, it starts `npx` itself.
 */
export function launcherOf({ execPath, script, searchPath, release }: Process): Launcher {
  const node = stableNode(execPath, searchPath)
  if (!isInNpxCache(script)) return { command: node, args: [script] }
  const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx'
  return {
    command: path.join(path.dirname(node), npx),
    args: ['-y', `plimsoll@${release}`],
    note: 'Plimsoll runs from the cache of npx, so the entries start it with npx, which needs Node on the PATH of the client. `npm install --global plimsoll`, then the same command again, makes them independent of both.',
  }
}

/** A link on the `PATH` to this Node, if there is one: unlike the target of Homebrew's or a version manager's link, it outlives an update. */
function stableNode(execPath: string, searchPath: string): string {
  const links = searchPath
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, path.basename(execPath)))
  return links.find((link) => isSameFile(link, execPath)) ?? execPath
}
