import { longPattern } from '../text/data.js'
import type { Effects } from './effects.js'
import { type Call, operandsOf } from './shell/call.js'
import { noteEdited } from './shell/own-folders.js'

/** Longer programs are read by their beginning, in characters. */
const TEXT_MAX = 65_536
/** Calls by which a program writes files. */
const WRITES = longPattern('edited-files.WRITES')
/** A literal that is the name of a file. */
const FILE = longPattern('edited-files.FILE')
const FILES_MAX = 8

/** Records that a program which writes files may change those that it names: they are then as much the session's work as what it edits itself. Linear. */
export function noteFilesOfProgram(given: string, effects: Effects): void {
  const text = given.length > TEXT_MAX ? given.slice(0, TEXT_MAX) : given
  if (!WRITES.test(text)) return
  let left = FILES_MAX
  for (const [, , path = ''] of text.matchAll(FILE)) {
    if ((left -= 1) < 0) return
    noteEdited(path, effects)
  }
}

/** Formatters, which change the files that they are given. */
const FORMATTERS: ReadonlySet<string> = new Set(
  'black isort ruff prettier eslint gofmt rustfmt clang-format'.split(' '),
)
/** Files that package managers change without naming them. */
const MANIFESTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['npm', ['package.json', 'package-lock.json']],
  ['pnpm', ['package.json', 'pnpm-lock.yaml']],
  ['yarn', ['package.json', 'yarn.lock']],
  ['cargo', ['Cargo.toml', 'Cargo.lock']],
  ['poetry', ['pyproject.toml', 'poetry.lock']],
  ['uv', ['pyproject.toml', 'uv.lock']],
])

const CHANGES_MANIFEST = longPattern('edited-files.CHANGES_MANIFEST')

/** Records the files that a formatter or a package manager changes. */
export function noteFilesOfCommand(call: Call, effects: Effects): void {
  const words = operandsOf(call)
  const [started = 'install'] = words
  const manifests = CHANGES_MANIFEST.test(started) ? MANIFESTS.get(call.name) : undefined
  for (const path of manifests ?? []) noteEdited(path, effects)
  const isLaunched = (call.name === 'npx' || call.name === 'python') && FORMATTERS.has(started)
  if (!FORMATTERS.has(call.name) && !isLaunched) return
  for (const path of words.slice(0, FILES_MAX)) if (path.includes('.')) noteEdited(path, effects)
}
