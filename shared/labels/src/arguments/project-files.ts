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
export function isRunnerFile(path: string): boolean {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase()
  return RUNNER_FILES.has(name) || RUNNER_PATTERN.test(name)
}

/** Files that are read and never run, by their extension. */
const DATA =
  /\.(?:md|mdx|txt|rst|adoc|csv|tsv|log|json|jsonl|ya?ml|html?|css|scss|svg|xml|pdf|docx?|xlsx?|tex|png|jpe?g|gif|diff|patch|out|err|lock|sql|db|sqlite3?|parquet|npy|tar|t?gz|zip|bz2|xz|bak|orig|tmp|ini|conf|toml|env|pem|key|crt|dat|bin)$/i

/** Whether a file is read and never run, by its name. */
export const isDataFile = (path: string): boolean => DATA.test(path) && !isRunnerFile(path)
