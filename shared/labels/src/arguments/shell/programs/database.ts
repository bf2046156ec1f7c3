import { createEffects, raise, signal, type Place } from '../../effects.js'
import { PATH_KINDS, pathKindOf } from '../../paths.js'
import { actsOn } from '../../objects.js'
import { cleanScript, isScript } from '../../scripts.js'
import { readSql } from '../../sql/read-sql.js'
import { type Call, type ShellContext, farther, operandsOf, placeOfHost } from '../call.js'
import { opaque, raiseIrreversible } from './irreversible.js'
import { COMMAND_LABELS } from './commands.js'
import { patternOf, readTable, longPattern } from '../../../text/data.js'

const { EXECUTE, SEND } = COMMAND_LABELS
const ASK = { capability: 'network', reversibility: 'reversible' } as const

const TEXT = longPattern('database.TEXT')
const TEXT_ATTACHED = longPattern('database.TEXT_ATTACHED')
const HOST = longPattern('database.HOST')
const HOST_ATTACHED = longPattern('database.HOST_ATTACHED')
/** Options that change neither the host nor the statements. */
const PLAIN = patternOf(readTable<string>('shell', 'databaseOptions'))
/** The client's own commands, which run programs and read or write files. */
const META = longPattern('database.META')
/** Client commands that only show something, such as `\d`. */
const SHOWN = longPattern('database.SHOWN')

/** Reads a database client: its SQL, and the host that runs it. */
export function readDatabase(call: Call, context: ShellContext): void {
  const { effects } = context
  const texts: string[] = []
  const database = databaseOf(call)
  let place: Place = 'local'
  let isPlain = true
  for (let i = 0; i < call.args.length; i += 1) {
    const arg = call.args[i] ?? ''
    const isOpen =
      call.open[i] === true || (TEXT.test(arg) || HOST.test(arg) ? call.open[i + 1] === true : false)
    isPlain &&= !isOpen || (i === 0 && isOfEnvironment(context))
    if (TEXT.test(arg)) texts.push(call.args[(i += 1)] ?? '')
    else if (TEXT_ATTACHED.test(arg)) texts.push(arg.slice(arg.indexOf('=') + 1))
    else if (HOST.test(arg)) place = farther(place, placeOfServer(call.args[(i += 1)] ?? '', isOpen, context))
    else if (HOST_ATTACHED.test(arg))
      place = farther(place, placeOfServer(HOST_ATTACHED.exec(arg)?.[1] ?? '', isOpen, context))
    else if (/:\/\/|\bhost(?:addr)?=|\bservice=/.test(arg))
      place = farther(place, placeOfDescription(arg, isOpen, context))
    else if (arg.startsWith('-')) isPlain &&= PLAIN.test(arg)
  }
  texts.push(...operandTexts(call))
  if (place !== 'local') {
    // A question sends its own text alone.
    const isAsked = isPlain && !call.piped && texts.length > 0 && texts.every(onlyReads)
    raise(
      effects,
      isAsked ? ASK : place === 'outside' ? SEND : { ...SEND, reversibility: 'partial' },
      'a database on another host',
      isAsked || (isPlain && place === 'inside'),
    )
    if (place === 'outside') signal(effects, 'outside', 1)
  }
  // A file of the project is a program like others; on another host, or from a pipe, it is not.
  const isFile = call.args.some((arg) => /^(?:-f|--file)/.test(arg))
  if (texts.length === 0 && isLocalCopy(call, context)) {
    raiseIrreversible('overwrite', 'a dump replaces a database of this machine', effects)
    actsOn(effects, 'restore', {
      kind: 'table',
      names: ['local', 'locally', 'localhost'],
      thing: 'a local database',
      byName: true,
    })
  } else if (texts.length === 0 && (call.piped || (isFile && place !== 'local'))) {
    opaque(effects, 'a database runs what only the run decides')
    const file = call.fedFile ?? fileOf(call)
    if (file !== undefined && isScript(file))
      actsOn(effects, 'delete', { kind: 'table', names: [], own: [cleanScript(file)], thing: file })
  }
  for (const text of texts) runPrograms(text, context)
  // What else stands in the environment than a place decides nothing about a statement that only reads.
  if (call.open[0] === true && !texts.every(onlyReads)) isPlain = false
  const isReported = texts.length > 0 && !texts.some((text) => META.test(text.replaceAll(SHOWN, ' ')))
  raise(effects, EXECUTE, 'a client of a database', isPlain && isReported && !call.piped)
  for (const text of texts)
    if (text.trim() !== '' && !/^\s*[.\\]/.test(text))
      readSql(text, isScratch(call, text) ? createEffects() : effects, database)
}

/**
 * Whether a dump is fed to a database that the client says is on this machine, at its usual port: another may be a tunnel to any host. A task
 * that names what is local asks for it.
 */
const isLocalCopy = ({ name, args, piped, open }: Call, { whole }: ShellContext): boolean =>
  piped &&
  /^(?:psql|mysql|mariadb)$/.test(name) &&
  !open.includes(true) &&
  args.some(
    (arg, i) =>
      /^(?:(?:-h|--host=)?(?:localhost|127\.0\.0\.1))$/.test(arg) &&
      (arg.startsWith('-') || /^(?:-h|--host)$/.test(args[i - 1] ?? '')),
  ) &&
  !args.some((arg) => OTHER_OPTIONS.test(arg)) &&
  DUMPED.test(whole.slice(0, 4096))
const DUMPED = longPattern('database.DUMPED')

/** Whether a client opens the database that a variable of the environment names: `psql "$DATABASE_URL"`. The text does not set it. */
const isOfEnvironment = ({ whole }: ShellContext): boolean => {
  const text = whole.slice(0, 4096)
  return ENVIRONMENT.test(text) && !ASSIGNED.test(text)
}
const ASSIGNED = longPattern('database.ASSIGNED')
const ENVIRONMENT = longPattern('database.ENVIRONMENT')

function onlyReads(text: string): boolean {
  if (LOOKS_OF_PSQL.test(text)) return true
  const own = createEffects()
  readSql(text, own, [])
  return own.capability === 0 && own.complete && /^\s{0,16}(?:select|with|show|explain)\b/i.test(text)
}

/** Reads the programs to which a client hands rows, or from which it takes them: `\\copy t to program 'gzip > t.gz'`. */
function runPrograms(text: string, context: ShellContext): void {
  for (const [, program = ''] of text.slice(0, 16_384).matchAll(PROGRAM))
    context.nested(program.replaceAll("''", "'"), { ...context, piped: true })
}
const PROGRAM = longPattern('database.PROGRAM')

const fileOf = ({ args }: Call): string | undefined =>
  args.find((_, i) => /^(?:-f|--file)$/.test(args[i - 1] ?? '')) ??
  args.find((arg) => arg.startsWith('--file='))?.slice('--file='.length)

/** Whether a client of files opens a temporary one, or none. */
const isScratch = (call: Call, text: string): boolean => {
  if (REACHES_FILES.test(text)) return false
  const [file = ':memory:'] = operandsOf(call)
  return (
    (call.name === 'sqlite3' || call.name === 'duckdb') &&
    (file === ':memory:' || pathKindOf(file) === PATH_KINDS.temp)
  )
}

/** Names of the database that a client opens: by an option, a URL, or its first operand. */
const databaseOf = (call: Call): string[] =>
  call.args
    .flatMap((arg, i) => [
      /^(?:-d|-D|--dbname|--database)$/.test(call.args[i - 1] ?? '') ? arg : '',
      /^--(?:dbname|database)=(.+)$/.exec(arg)?.[1] ?? '',
      /^\w+:\/\/[^/]+\/([\w.-]+)/.exec(arg)?.[1] ?? '',
      i === 0 && !arg.startsWith('-') ? arg : '',
    ])
    .filter((name) => name !== '' && name.length <= 128)

/** SQL from an operand or from standard input. */
function operandTexts(call: Call): string[] {
  const fed = call.fed === undefined ? [] : [call.fed]
  if (call.name !== 'sqlite3' && call.name !== 'duckdb') return fed
  return [...operandsOf(call).slice(1), ...fed]
}

const placeOfServer = (host: string, isOpen: boolean, context: ShellContext): Place =>
  isOpen ? 'outside' : host.startsWith('/') ? 'local' : placeOfHost(host, context)

/** Reads `postgres://user@host/db` and `host=… dbname=…`. */
function placeOfDescription(text: string, isOpen: boolean, context: ShellContext): Place {
  if (isOpen) return 'outside'
  const host = HOST_IN_URL.exec(text)?.[1] ?? HOST_IN_WORDS.exec(text)?.[1]
  return host === undefined ? 'outside' : placeOfServer(host, false, context)
}

const OTHER_OPTIONS = longPattern('database.OTHER_OPTIONS')

const LOOKS_OF_PSQL = longPattern('database.LOOKS_OF_PSQL')

const REACHES_FILES = longPattern('database.REACHES_FILES')

const HOST_IN_WORDS = longPattern('database.HOST_IN_WORDS')

const HOST_IN_URL = longPattern('database.HOST_IN_URL')
