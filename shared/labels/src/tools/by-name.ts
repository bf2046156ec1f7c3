import { type CatalogueEntry, type ToolLabels, nameBehindServer } from '@plimsoll/contracts'
import { readSet, longPattern } from '../text/data.js'
import { keptByName } from '../text/kept.js'
import { actionOfVerb } from './heuristics/actions.js'
import { CONFIDENT, DOUBTFUL, NO_CATALOGUE, labelTool } from './label-tool.js'
import { isTurnEnd } from './turn-end.js'
import { wordsOf } from './words-of.js'

/*
 * What the names of unlabelled tools say. Names are not trusted: they are used to ask less, and only where they are plain. Linear in the
 * length of the name. Source: docs/decisions/20261129-names-of-tools.md.
 */

/** Verbs that only look. `open`, `load`, `export` and `complete` are missing because they often do more. */
const LOOKING = readSet('tools', 'looking')
/** Words of names that do more than they begin with: `check_and_obliterate`, `get_rid_of_files`, `lookup_deprovision`. */
const DOES_MORE = readSet('tools', 'doesMore')

/**
 * Whether a name says with confidence that the tool only reads and is not about credentials: `list_files`, but not `get_password`; or that
 * it only ends the agent's turn.
 */
export const isReadByName = keptByName((tool: string): boolean => {
  if (isTurnEnd(tool)) return true
  const name = nameBehindServer(tool)
  const words = wordsOf(name)
  const first = words.findIndex((word) => actionOfVerb(word) !== undefined)
  const isLooking = LOOKING.has(words[first] ?? '') || isLookUp(words.slice(first)) || isLookAt(words)
  if (!isLooking) return false
  const isOfThing = GETS.has(words[0] ?? '') && !words.some((word) => JOINS.has(word))
  if (isOfThing && words.length > 1)
    return [name, tool].every((each) => labelTool({ name: each }).labels.confidentiality !== 'credentials')
  if (words.some((word, i) => DOES_MORE.has(word) && !joinsNouns(words, i))) return false
  const { capability, reversibility, confidentiality } = labelTool({ name }).perLabel
  return (
    capability.value === 'read' &&
    capability.confidence >= DOUBTFUL &&
    reversibility.value === 'reversible' &&
    confidentiality.value !== 'credentials' &&
    (name === tool || labelTool({ name: tool }).labels.confidentiality !== 'credentials')
  )
})

/** First words behind which a name says what is looked at, whatever its words may do elsewhere: `get_send_checklist`, `calculate_refund`. */
const GETS = readSet('tools', 'thingVerbs')
/** Behind these something else may be done: `get_and_delete`, `get_rid_of_files`. */
const JOINS = readSet('tools', 'joins')

/** Whether a word is an *and* between things: `get_cost_and_usage`, not `check_and_obliterate`. */
const joinsNouns = (words: readonly string[], i: number): boolean =>
  words[i] === 'and' && i + 2 === words.length && NOUNS.has(words[i + 1] ?? '')
const NOUNS = readSet('tools', 'joinedThings')

/** Whether a name is about finding what stands for something: `resolve-library-id`. `resolve_ticket` settles it instead. */
const isLookUp = (words: readonly string[]): boolean =>
  (words[0] === 'resolve' || words[0] === 'locate') && STANDS_FOR.has(words.at(-1) ?? '')
const STANDS_FOR: ReadonlySet<string> = new Set(
  'id uri url path address hostname host handle alias reference'.split(' '),
)

/** Whether a name is that of a thing and of a look at it: `issue_read`, `chat_history_get`. */
const isLookAt = (words: readonly string[]): boolean =>
  (LOOKING.has(words.at(-1) ?? '') && !LOOKS_NOT.has(words.at(-1) ?? '')) ||
  (words.length === 2 && /^logs?$/.test(words[1] ?? '') && HAS_LOGS.has(words[0] ?? ''))
/** What writes logs that one looks at: `pods_log`. */
const HAS_LOGS = readSet('tools', 'loggers')
/** Last words that are as often things. */
const LOOKS_NOT: ReadonlySet<string> = new Set('status count view check query echo think'.split(' '))

/** How sensitive a tool's results are by its name, if it plainly reads: `get_bank_statement`. Undefined where nothing says so. */
export const sensitiveByName = keptByName((tool: string): 'sensitive' | 'credentials' | undefined => {
  const labels = isReadByName(tool) ? labelTool({ name: tool }, NO_CATALOGUE).perLabel : undefined
  const value = labels?.confidentiality.value
  return value === 'sensitive' || value === 'credentials' ? value : undefined
})

/**
 * The entry that a plain name stands in for, of a tool that changes something (`create_issue`, `send_message`) or runs what it is given
 * (`run_shell_command`, `execute_sql`). It leaves out what the tool returns. Undefined for names that read, and for names that are not plain.
 *
 * @example entryByName('mcp__tracker__add_comment')?.labels // { capability: 'network', reversibility: 'partial' }
 */
export const entryByName = keptByName((tool: string): CatalogueEntry | undefined => {
  if (isReadByName(tool)) return undefined
  const words = wordsOf(nameBehindServer(tool))
  return programByName(tool, words) ?? changeByName(tool, words)
})

/** First words of names of what cannot be taken back, whatever the other words are: `sign_envelope`, `unlock_door`. */
const FINAL_FIRST = readSet('tools', 'finalVerbs')

function changeByName(tool: string, words: readonly string[]): CatalogueEntry | undefined {
  if (words.length > 1 && FINAL_FIRST.has(words[0] ?? '') && !words.some((word) => JOINS.has(word)))
    return { tools: [tool], labels: { capability: 'network', reversibility: 'irreversible' } }
  const { capability, reversibility } = labelTool({ name: nameBehindServer(tool) }).perLabel
  if (capability.confidence < CONFIDENT || reversibility.confidence < CONFIDENT) return undefined
  if (capability.value !== 'write' && capability.value !== 'network') return undefined
  const isFinal = reversibility.value === 'irreversible'
  if (!isFinal && words.some((word) => DOES_MORE.has(word))) return undefined
  const labels: ToolLabels = { capability: capability.value, reversibility: reversibility.value }
  return { tools: [tool], labels }
}

const RUNS: ReadonlySet<string> = new Set('run execute exec query'.split(' '))
const SHELLS: ReadonlySet<string> = new Set('bash zsh shell terminal cli'.split(' '))
const COMMANDS: ReadonlySet<string> = new Set('command cmd'.split(' '))
/** Programs whose whole command line a tool is given that calls them: `call_aws`. */
const CALLED = readSet('tools', 'calledPrograms')
const POWERSHELLS: ReadonlySet<string> = new Set('powershell pwsh'.split(' '))
/** Words in the name of a tool whose queries are SQL. */
const DATABASES = longPattern('by-name.DATABASES')
export const isOfDatabase = (tool: string): boolean => DATABASES.test(tool.slice(0, 200))

const PROGRAM = {
  labels: { capability: 'execute', reversibility: 'partial' },
  least: { capability: 'read', reversibility: 'reversible' },
} as const satisfies Pick<CatalogueEntry, 'labels' | 'least'>

const readAs = (as: 'shell' | 'sql' | 'powershell', names: string): CatalogueEntry['arguments'] =>
  names.split(' ').map((name) => ({ in: name, as }))
const IN_SHELL = readAs(
  'shell',
  'command cmd command_line CommandLine commands cli_command shell_command bash_command script',
)
const IN_SQL = readAs('sql', 'sql query statement statements queries sql_query')
const IN_POWERSHELL = readAs('powershell', 'command cmd script code')

/** A tool that is given a command line or a query: its arguments say what it does. */
function programByName(tool: string, words: readonly string[]): CatalogueEntry | undefined {
  const has = (some: ReadonlySet<string>): boolean => words.some((word) => some.has(word))
  if (has(POWERSHELLS)) return { tools: [tool], labels: PROGRAM.labels, arguments: IN_POWERSHELL }
  if (isOfDatabase(tool) && (has(RUNS) || words.includes('sql')))
    return { tools: [tool], ...PROGRAM, arguments: IN_SQL }
  if (words.length === 2 && (words[0] === 'call' || has(RUNS)) && CALLED.has(words[1] ?? ''))
    return { tools: [tool], ...PROGRAM, arguments: IN_SHELL }
  // Some only look at what a shell has printed, or end it.
  const isGiven =
    has(RUNS) ||
    words.at(-1) === 'cli' ||
    words.every((word) => SHELLS.has(word) || COMMANDS.has(word) || word === 'tool')
  return isGiven && (has(SHELLS) || has(COMMANDS))
    ? { tools: [tool], ...PROGRAM, arguments: IN_SHELL }
    : undefined
}
