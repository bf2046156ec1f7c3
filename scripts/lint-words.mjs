/**
 * The vocabulary, held: no word of `banned` in source, help or docs, in identifiers neither, and no mark of an unresolved merge; and the
 * number of words that people write on README and docs. `npm run lint` calls it. Prints a line for each place with the word to use instead,
 * and for each budget that is exceeded, and fails if there is any.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** What is banned, and what to write instead. Matched on words, with `camelCase` and `snake_case` taken apart. */
const banned = [
  [/\b(?:un)?told\b/, 'reported, passed, shown, or the name of what is passed'],
  [/\bwhoever|whomever|whither|whence|thereof|herein|anew\b/, 'plain present-day English'],
  [/\bof which\b/, 'a second sentence'],
  [/\bone that\b/, 'the noun itself'],
  [/\bsuch as are\b/, 'those that are'],
  [/\bis to be had\b/, 'is available'],
  [/\bcomes? to know\b/, 'state'],
  [/\bnobody is asked\b/, 'no approval is requested'],
  [/\b(?:spec|specs|policy|policies|rule|rules|chain|reason|reasons) speaks?\b/, 'matches, applies'],
  [/\bpassed over\b/, 'skipped'],
  [/\b(?:let|lets|letting) go\b/, 'released, declassified, dropped'],
  [/\bunproposable\b/, 'cannot be judged'],
  [/\bran anyway\b/, 'ran without a verdict'],
  [/\btelling values?\b/, 'distinctive values'],
  [/\b(?:lookout|teller)s?\b/, 'scheduler, scanner, mapper'],
  [/\bprospects?\b/, 'risk'],
  [/\brules? books?\b|\bbooks? of\b/, 'rules cache, registry'],
  [/\bspoken\b/, 'matched, reported, answered'],
  // `*` standing for any run of characters: that is English.
  [/\bstandings?\b(?! for\b)/, 'status, state, remaining'],
  [/\btook? back|turned? down|take back|turn down\b/, 'revoke, deny, restore'],
  [/^(?:<{7}|>{7}) /, 'the merged text'],
]

/** Files that must name the words (this one), or hold data in natural language that models and detectors read. */
const exempt = [
  /^shared\/labels\/(?:data|expected)\//,
  /^scripts\/lint-words\.mjs$/,
  /^package-lock\.json$/,
  /\.svg$/,
]
/** A line that ends so is natural language that an agent, a tool or a user wrote: data of a test, a scenario or a prompt. */
const isData = /\/\/ text as written$/

const README_WORDS_MAX = 600
/** Of README and docs, as `wc -w` counts: without decisions, and without the pages and parts of pages that a script makes. */
const PROSE_WORDS_MAX = 45_000
const isProse = (file) => file === 'README.md' || /^docs\/(?!decisions\/).*\.md$/.test(file)
const isMade = (text) => /^Made by `|`npm run reference` (?:writes|makes)/m.test(text.slice(0, 800))
const MADE_PART = /^<!-- (?:made by |attacks)[^]*?^<!-- end of .*-->$/gm
const wordsOf = (text) => text.replaceAll(MADE_PART, '').split(/\s+/).filter(Boolean).length

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { encoding: 'utf8' })
  .split('\0')
  .filter((file) => /\.(?:tsx?|css|mjs|md|sh|ya?ml|json|svelte|html)$/.test(file))
  .filter((file) => !exempt.some((pattern) => pattern.test(file)))

const found = []
let proseWords = 0
for (const file of files) {
  let text
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    continue // Deleted, and not committed yet.
  }
  if (isProse(file) && !isMade(text)) proseWords += wordsOf(text)
  if (file === 'README.md' && wordsOf(text) > README_WORDS_MAX)
    found.push(`${file}: ${wordsOf(text)} words, of ${README_WORDS_MAX} at most`)
  for (const [index, line] of text.split('\n').entries()) {
    if (isData.test(line)) continue
    const words = line
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
      .replaceAll('_', ' ')
      .toLowerCase()
    for (const [pattern, instead] of banned) {
      const match = pattern.exec(words)
      if (match) found.push(`${file}:${index + 1}: \`${match[0]}\`: write ${instead}`)
    }
  }
}
if (proseWords > PROSE_WORDS_MAX)
  found.push(`docs: ${proseWords} words that people write, of ${PROSE_WORDS_MAX} at most: say less`)
for (const line of found) process.stdout.write(`${line}\n`)
if (found.length > 0) {
  process.stdout.write(`${found.length} faults\n`)
  process.exitCode = 1
}
