import { signal, type Effects } from '../effects.js'
import { pathKindOf, PATH_KINDS } from '../paths.js'
import { isRiskyCode, isRunnerFile } from '../written-code.js'

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
