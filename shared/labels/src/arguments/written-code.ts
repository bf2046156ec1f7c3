import { raiseWords } from './code.js'
import { createEffects, signal, type Effects } from './effects.js'
import { pathKindOf, PATH_KINDS } from './paths.js'
import type { Call } from './readings.js'

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Files by which a project says what its own test, build and lint targets run. */
const RUNNER_FILES =
  words(`package.json makefile gnumakefile justfile rakefile gruntfile.js gulpfile.js taskfile.yml conftest.py setup.py setup.cfg
  pyproject.toml tox.ini noxfile.py pytest.ini build.rs cargo.toml pom.xml build.xml build.gradle build.gradle.kts settings.gradle
  gradlew mvnw cmakelists.txt meson.build dockerfile .npmrc .yarnrc .yarnrc.yml .babelrc .eslintrc.js .mocharc.js .pre-commit-config.yaml
  sitecustomize.py usercustomize.py binding.gyp`)
const RUNNER_PATTERN =
  /^(?:jest|vite|vitest|babel|webpack|rollup|karma|eslint|playwright|cypress|postcss|next|nuxt)\.config\.[cm]?[jt]s$|\.gradle(?:\.kts)?$|\.mk$/
/** Whether a path is of a file that says what a project's own targets run. */
function isRunnerFile(path: string): boolean {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase()
  return RUNNER_FILES.has(name) || RUNNER_PATTERN.test(name)
}

/** Whether a text, written to a file that may be run, holds what can send, start programs or make code. */
function isRiskyCode(text: string): boolean {
  const effects = createEffects()
  raiseWords(text, effects)
  return effects.capability > WRITE
}

const WRITE = 1

/** Files that are read and never run, by their extension. */
const DATA =
  /\.(?:md|mdx|txt|rst|adoc|csv|tsv|log|json|jsonl|ya?ml|html?|css|scss|svg|xml|pdf|docx?|xlsx?|tex|png|jpe?g|gif|diff|patch|out|err|lock|sql|db|sqlite3?|parquet|npy|tar|t?gz|zip|bz2|xz|bak|orig|tmp|ini|conf|toml|env|pem|key|crt|dat|bin)$/i

const SCRIPT = /\.(?:sh|bash|zsh|ksh|fish|bat|cmd|ps1)$/i

/**
 * Raises `code` where a step writes what a later step may run and nobody sees that it is harmless: the definition of a runner's targets,
 * a file that is run or trusted later, a program that can send, start others or make code.
 *
 * @param text what is written; undefined where it does not stand in the arguments
 */
export function noteWritten(path: string, text: string | undefined, effects: Effects): void {
  if (path.length < 1) return
  const kind = pathKindOf(path)
  if (kind === PATH_KINDS.sink) return
  if (isRunnerFile(path) || kind === PATH_KINDS.startup) return signal(effects, 'code', 1)
  if (DATA.test(path) && !text?.startsWith('#!')) return
  // A script of the shell starts programs: that is all it does.
  if (text === undefined || SCRIPT.test(path) || text.startsWith('#!') || isRiskyCode(text))
    signal(effects, 'code', 1)
}

/**
 * The same for a tool that writes files. What its arguments hold beside paths is what it writes; two paths and no text are a copy whose
 * text is not seen, one path alone is a folder or a deletion.
 */
export function readWrittenCode(args: Readonly<Record<string, unknown>>, call: Call): void {
  if (call.worst?.capability !== 'write') return
  const values = Object.entries(args).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  const paths = values.filter(isPath).map(([, path]) => path)
  const texts = values.filter((value) => !isPath(value)).map(([, text]) => text)
  if (texts.length === 0 && paths.length < 2) return
  const written = texts.length > 0 ? texts.join('\n') : undefined
  for (const path of paths.length > 0 ? paths : [UNKNOWN_PATH]) noteWritten(path, written, call.effects)
}

const PATH_NAME = /path|file|source|dest|target|folder|dir/i
/** Of a cell of a notebook the text is its `source`, too: what holds white space counts as text. */
const isPath = ([name, value]: readonly [string, string]): boolean =>
  PATH_NAME.test(name) && !/\s/.test(value)
const UNKNOWN_PATH = 'unknown'
