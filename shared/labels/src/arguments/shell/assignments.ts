import type { Assignment } from 'unbash'
import { raise, signal } from '../effects.js'
import { placeOf } from '../web.js'
import { type ShellContext, readSubscript } from './call.js'
import { COMMAND_LABELS } from './programs/commands.js'
import { isOpenWord, isPlainValue } from './word.js'

const { EXECUTE, SEND } = COMMAND_LABELS

/** Variables by which a program is made to run something else, or to read other settings than those that are there. */
const LOADERS = new RegExp(
  `^(?:${[
    'LD_\\w+|DYLD_\\w+|GCONV_PATH|PATH|BASH_ENV|ENV|IFS|HOME|SHELL|CDPATH|XDG_CONFIG_\\w+|BASH_ALIASES|BASH_CMDS|BASHOPTS|SHELLOPTS|FCEDIT|EXECIGNORE',
    'PROMPT_COMMAND|PS[0-4]|EDITOR|VISUAL|PAGER|MANPAGER|MANROFFOPT|LESS|LESSOPEN|LESSCLOSE|BROWSER|MORE|TAR_OPTIONS|TAPE|GREP_OPTIONS',
    'PYTHON(?:STARTUP|HOME|PATH|BREAKPOINT|INSPECT|WARNINGS)|NODE_OPTIONS|NODE_PATH|PERL5(?:OPT|LIB|DB)|PERLLIB|RUBY(?:OPT|LIB)|PHPRC|PHP_INI_SCAN_DIR',
    'JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|MAVEN_\\w+|GRADLE_\\w+|MAKEFLAGS|MFLAGS|MAKEFILES|CC|CXX|LD|RUSTC\\w*|RUSTFLAGS|CARGO_\\w+',
    'GO(?:FLAGS|PROXY|TOOLCHAIN|ROOT|PRIVATE|SUMDB)|GIT_(?!AUTHOR|COMMITTER)\\w+|SSH_ASKPASS|SUDO_\\w+|RSYNC_\\w+|CVS_RSH|AWK\\w*PATH|RIPGREP_CONFIG_PATH',
    'PG(?!USER|PASSWORD|DATABASE|PORT)\\w+|MYSQL_HOST|DOCKER_\\w+|KUBECONFIG|CURL_HOME|WGETRC|SYSTEM_WGETRC|NPM_CONFIG_\\w+|PIP_\\w+|UV_\\w+|YARN_\\w+',
    'HOSTALIASES|LOCALDOMAIN|RES_OPTIONS|MAILRC|OPENSSL_\\w+|SSLKEYLOGFILE|AWS_ENDPOINT\\w*|\\w+_BASE_URL|PYTEST_(?:ADDOPTS|PLUGINS)|BC_ENV_ARGS',
  ].join('|')})$`,
  'i',
)
/** What one assignment counts as, in nodes. */
const ASSIGNMENT_NODES = 16

const PROXY = /^(?:\w+_)?proxy$/i
const NO_PROXY = /^no_proxy$/i
/** Values that make a loader harmless: what is there already comes first; nothing but printing; a folder of the project. */
const HARMLESS: readonly (readonly [name: RegExp, value: RegExp])[] = [
  [/^PATH$/, /^"?\$\{?PATH\}?:/],
  [/^(?:\w*PAGER)$/, /^(?:|cat|less)$/],
  [
    /^PYTHONPATH$/,
    /^(?:\.|(?:\.\/)?[\w-][\w./-]*|"?\$\{?(?:PWD|PYTHONPATH)\}?(?::?(?:[\w./:-]|\$\(pwd\)|\$PWD))*"?)$/,
  ],
  [/^PS[1-4]$/, /^[^$`]*$/],
  [/^IFS$/, /^[\s,;:|\\trn]*$/],
  [/^PYTHONWARNINGS$/, /^\w*$/],
  [/^GIT_TERMINAL_PROMPT$/, /^\d$/],
]

/** What giving a variable a value does: to the commands that follow, and as text that the shell runs later. */
export function readAssignment(assignment: Assignment, context: ShellContext): void {
  const { name, value, index, append } = assignment
  context.budget.nodes -= ASSIGNMENT_NODES
  const isWord = value.type === 'Word'
  context.variables.give(name, isWord && index === undefined && append !== true && isPlainValue(value))
  if (index) readSubscript(index.value, context)
  const words = isWord ? [value] : value.elements
  for (const word of words) readText(word.value, isOpenWord(word), context)
  const text = isWord ? value.value : '('
  if (PROXY.test(name) && !NO_PROXY.test(name)) readProxy(text, isWord && isOpenWord(value), context)
  else if (isLoader(name, text)) raise(context.effects, EXECUTE, 'a variable that makes programs load code')
}

/** Whether an assignment to `name` makes other programs run than those that are named. */
const isLoader = (name: string, value: string): boolean =>
  LOADERS.test(name) && !HARMLESS.some(([names, values]) => names.test(name) && values.test(value))

/** A substitution that is kept as text may be run by what expands the variable: arithmetic, a prompt, `eval`. */
function readText(text: string, isOpen: boolean, context: ShellContext): void {
  if (isOpen || !/\$\(|`/.test(text)) return
  raise(context.effects, EXECUTE, 'a variable that holds commands')
  context.nested(`: ${text.replace(/^[^$`]*/, '')}`, context)
}

/** All requests that follow go to the proxy. */
export function readProxy(value: string, isOpen: boolean, { effects, organisation }: ShellContext): void {
  if (value === '' && !isOpen) return
  const place = isOpen ? 'outside' : (placeOf(value, organisation) ?? 'outside')
  raise(effects, place === 'outside' ? SEND : EXECUTE, 'requests go through a proxy')
  if (place === 'outside') signal(effects, 'outside', 1)
}

/** `export A=b` and `env A=b` as words. */
export function readAssignmentWord(word: string, isOpen: boolean, context: ShellContext): void {
  const equals = word.indexOf('=')
  if (equals < 1) return
  const name = word.slice(0, equals)
  const value = word.slice(equals + 1)
  context.variables.give(name, false)
  if (!isOpen) readText(value, false, context)
  if (PROXY.test(name) && !NO_PROXY.test(name)) readProxy(value, isOpen, context)
  else if (isLoader(name, value)) raise(context.effects, EXECUTE, 'a variable that makes programs load code')
}
