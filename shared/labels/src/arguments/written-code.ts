import { raiseWords } from './code.js'
import { createEffects, signal } from './effects.js'
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
/** Files that are read and never run. */
const PROSE = /\.(?:md|mdx|txt|rst|adoc|csv|tsv|log|html?|css|svg|xml|pdf|docx?|tex)$/i

/** Whether a path is of a file that says what a project's own targets run. */
export function isRunnerFile(path: string): boolean {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase()
  return RUNNER_FILES.has(name) || RUNNER_PATTERN.test(name)
}

/** Whether a text, written to a file that may be run, holds what can send, start programs or make code. */
export function isRiskyCode(text: string): boolean {
  const effects = createEffects()
  raiseWords(text, effects)
  return effects.capability > WRITE
}

const WRITE = 1

/**
 * Raises `code` where a tool that writes files writes what a later step may run: the definition of a project's targets, or a program that
 * can send, start programs or make code.
 */
export function readWrittenCode(args: Readonly<Record<string, unknown>>, call: Call): void {
  if (call.worst?.capability !== 'write') return
  const values = Object.entries(args).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  const paths = values.filter(([name]) => PATH_NAME.test(name)).map(([, path]) => path)
  const isProse = paths.length > 0 && paths.every((path) => PROSE.test(path))
  const texts = values.filter(([name]) => !PATH_NAME.test(name)).map(([, text]) => text)
  if (paths.some(isRunnerFile) || (!isProse && texts.some(isRiskyCode))) signal(call.effects, 'code', 1)
}

const PATH_NAME = /path|file|source|dest|target|folder|dir/i
