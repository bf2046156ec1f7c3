import { existsSync } from 'node:fs'
import path from 'node:path'
import { findTraces } from '@plimsoll/fit'
import { projectRoot } from '../paths.js'

/** A file of recorded sessions, or why there is none: tests that need it skip by that. */
export interface Recording {
  readonly file: string
  /** False where the file is there. */
  readonly missing: string | false
}

/** The recorded sessions in `name`. Throws where they are missing and nothing may be skipped. */
export function recordingOf(name: string): Recording {
  const folder = findTraces(process.env, projectRoot)
  const file = folder === undefined ? undefined : path.join(folder, name)
  if (file !== undefined && existsSync(file)) return { file, missing: false }
  const missing = `no ${name}; PLIMSOLL_TRACES names the folder of the recordings`
  if (process.env.PLIMSOLL_REQUIRE_BROKERS === '1') throw new Error(missing)
  return { file: '', missing }
}
