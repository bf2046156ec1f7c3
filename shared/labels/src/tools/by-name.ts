import { type CatalogueEntry, type ToolLabels, toolOnServer } from '@plimsoll/contracts'
import { readSet } from '../text/data.js'
import { keptByName } from '../text/kept.js'
import { actionOfVerb } from './heuristics/actions.js'
import { CONFIDENT, DOUBTFUL, NO_CATALOGUE, labelTool } from './label-tool.js'
import { isTurnEnd } from './turn-end.js'
import { wordsOf } from './words-of.js'

/*
 * What the names of unlabelled tools say. Names are not trusted: they are used to ask less, and only where they are plain. Linear in the
 * length of the name. Source: docs/decisions/20261129-names-of-tools.md.
 */

/** The part behind the server's name, where a `__` shows it: a server named `google-workspace` googles nothing. */
function bareName(tool: string): string {
  const at = tool.lastIndexOf('__')
  return toolOnServer(tool) ?? ((at < 0 ? '' : tool.slice(at + 2)) || tool)
}

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
  const name = bareName(tool)
  const words = wordsOf(name)
  const first = words.findIndex((word) => actionOfVerb(word) !== undefined)
  const isLooking = LOOKING.has(words[first] ?? '') || isLookUp(words.slice(first)) || isLookAt(words)
  if (!isLooking || words.some((word) => DOES_MORE.has(word))) return false
  const { capability, reversibility, confidentiality } = labelTool({ name }).perLabel
  return (
    capability.value === 'read' &&
    capability.confidence >= DOUBTFUL &&
    reversibility.value === 'reversible' &&
    confidentiality.value !== 'credentials' &&
    (name === tool || labelTool({ name: tool }).labels.confidentiality !== 'credentials')
  )
})

/** Whether a name is about finding what stands for something: `resolve-library-id`. `resolve_ticket` settles it instead. */
const isLookUp = (words: readonly string[]): boolean =>
  (words[0] === 'resolve' || words[0] === 'locate') && STANDS_FOR.has(words.at(-1) ?? '')
const STANDS_FOR: ReadonlySet<string> = new Set(
  'id uri url path address hostname host handle alias reference'.split(' '),
)

/** Whether a name is that of a thing and of a look at it: `issue_read`, `chat_history_get`. */
const isLookAt = (words: readonly string[]): boolean =>
  LOOKING.has(words.at(-1) ?? '') && !LOOKS_NOT.has(words.at(-1) ?? '')
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
  const words = wordsOf(bareName(tool))
  return programByName(tool, words) ?? changeByName(tool, words)
})

function changeByName(tool: string, words: readonly string[]): CatalogueEntry | undefined {
  const { capability, reversibility } = labelTool({ name: bareName(tool) }).perLabel
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
const POWERSHELLS: ReadonlySet<string> = new Set('powershell pwsh'.split(' '))
/** Words in the name of a tool whose queries are SQL. */
const DATABASES =
  /(?:^|[^a-z])(?:sql|postgres(?:ql)?|pg|mysql|mariadb|sqlite|duckdb|snowflake|bigquery|redshift|clickhouse|mssql)(?:[^a-z]|$)/i
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
  // Some only look at what a shell has printed, or end it.
  const isGiven =
    has(RUNS) ||
    words.at(-1) === 'cli' ||
    words.every((word) => SHELLS.has(word) || COMMANDS.has(word) || word === 'tool')
  return isGiven && (has(SHELLS) || has(COMMANDS))
    ? { tools: [tool], ...PROGRAM, arguments: IN_SHELL }
    : undefined
}
