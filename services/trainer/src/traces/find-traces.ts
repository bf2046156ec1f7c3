import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

/**
 * The folder of recorded sessions: `PLIMSOLL_TRACES`, else `../shared/traces` seen from the project's root (not the project's own
 * `shared/`). Undefined where there is no such folder.
 */
export function findTraces(
  env: Readonly<Record<string, string | undefined>>,
  projectRoot: string,
): string | undefined {
  const folder = resolve(projectRoot, env['PLIMSOLL_TRACES'] || '../shared/traces')
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? folder : undefined
}

/** The files of recorded sessions in `folder`, `*.jsonl` and `*.jsonl.gz`, by name. */
export function traceFilesIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => /\.jsonl(\.gz)?$/.test(name))
  return names.sort().map((name) => join(folder, name))
}
