import { type Effects, does, raise } from '../../effects.js'
import { actsOnUnnamed } from '../../objects.js'
import { type Call, type ShellContext, operandsOf } from '../call.js'
import { asEntered } from '../own-folders.js'
import { longPattern, readSet } from '../../../text/data.js'
import { raiseIrreversible } from './irreversible.js'
import { RUNNERS, isOperatorsCommand, isOwnWord } from './own-controls.js'
import { mentionsOwn, renamesOwn, runsOwnControl, startsOwnControl } from './own-mentions.js'
import { programsThat } from './command-table.js'

/**
 * Tags of commands that no task asks for: wiping a system, stopping its logging, or stopping Plimsoll. The shipped policy blocks these tags.
 */
export const FORBIDDEN_TAGS = {
  system: 'wipes-system',
  logs: 'disables-logs',
  plimsoll: 'disables-plimsoll',
} as const

/** Root folders of a system or user: `/`, `~/*`, `$HOME`, `/etc`, `C:\`. */
const ROOT = longPattern('forbidden.ROOT')
/** Whether a path is a root folder of a system or user. */
export const isRoot = (path: string): boolean => ROOT.test(path)

const DEVICE = longPattern('forbidden.DEVICE')
const LOG_PLACE = longPattern('forbidden.LOG_PLACE')
/** Services that log or monitor. */
const RECORDERS = longPattern('forbidden.RECORDERS')
const PLIMSOLL = longPattern('forbidden.PLIMSOLL')

/** Plimsoll's own packages and settings folders. */
const OWN_PLACE = longPattern('forbidden.OWN_PLACE')

const REMOVES = new Set(['rm', 'unlink', 'shred', 'srm', 'wipe', 'rimraf', 'trash'])
const MAKES_FILESYSTEM = longPattern('forbidden.MAKES_FILESYSTEM')
const ENDS = programsThat('ends-services')
const ENDING = longPattern('forbidden.ENDING')

/**
 * Tags a command that wipes a system, or stops its logging or Plimsoll. O(arguments).
 *
 * @param isStarter whether it may start other programs, or nothing is known of it
 */
export function noteForbidden(call: Call, context: ShellContext, isStarter: boolean): void {
  const { effects } = context
  if (context.mentionsOwn) noteOwn(call, context, isStarter)
  if (!mayBeForbidden(call.name)) return
  const operands = operandsOf(call)
  if (wipes(call, operands)) forbid('system', 'a command that wipes a system', effects)
  if (stopsLogging(call, operands)) forbid('logs', 'a command that ends or empties what records', effects)
  if (stopsPlimsoll(call, operands))
    forbid('plimsoll', 'a command that ends Plimsoll or takes it away', effects)
}

/** Records what a command of a text that has Plimsoll does with Plimsoll. */
function noteOwn(call: Call, { effects }: ShellContext, isStarter: boolean): void {
  if (usesOwnState(call)) forbid('plimsoll', 'a command that uses what Plimsoll keeps', effects)
  if (isStarter && (startsOwnControl(call) || runsRenamed(call)))
    forbid('plimsoll', 'a command that starts one of Plimsoll for operators', effects)
  if (writesOwnRecords(call)) noteControl('a command that writes what Plimsoll reads', effects)
  if (renamesOwn(call)) {
    noteControl("a command that gives Plimsoll's program another name", effects)
  }
}

/** Whether a command writes to Plimsoll's topics or its keys in Redis. */
const writesOwnRecords = ({ name, args }: Call): boolean =>
  WRITES_RECORDS.test(name) &&
  args.some((arg) => /^plimsoll[.:]/.test(arg)) &&
  !args.some((arg) => LOOKS_AT_RECORDS.test(arg))
const WRITES_RECORDS = longPattern('forbidden.WRITES_RECORDS')

/** Whether a command has a word that only Plimsoll has for operators, whatever its name is: `$P approve x`. */
const runsRenamed = ({ args }: Call): boolean =>
  !args.includes('--help') && isOwnWord(args.find((arg) => !arg.startsWith('-')) ?? '')

/** Whether any of the rules below is about the command. Most commands end here. */
const mayBeForbidden = (name: string): boolean =>
  REMOVES.has(name) ||
  ENDS.has(name) ||
  RULED.has(name) ||
  RUNNERS.has(name) ||
  name.includes('plimsoll') ||
  MAKES_FILESYSTEM.test(name) ||
  MANAGES_PACKAGES.test(name) ||
  MANAGES_SYSTEM.test(name)

const RULED = readSet('shell', 'forbiddenRuled')
const MANAGES_PACKAGES = longPattern('forbidden.MANAGES_PACKAGES')
const MANAGES_SYSTEM = longPattern('forbidden.MANAGES_SYSTEM')
const TAKES_PACKAGES = longPattern('forbidden.TAKES_PACKAGES')

/** Does the same for the target of output. */
export function noteForbiddenTarget(given: string, effects: Effects): void {
  const path = asEntered(given, effects)
  if (DEVICE.test(path)) forbid('system', 'output that goes over a disk', effects)
  if (LOG_PLACE.test(path)) forbid('logs', 'output that goes over a log', effects)
  if (OWN_STATE.test(path) || INSTALLED.test(path))
    forbid('plimsoll', 'output that goes over what Plimsoll keeps', effects)
}

/** Plimsoll where a project has it installed. */
const INSTALLED = longPattern('forbidden.INSTALLED')
/** What Plimsoll keeps on a machine: its hooks and their socket, approvals and their key, what sessions have read. */
const OWN_STATE = longPattern('forbidden.OWN_STATE')
/** Records that a tool is given the key by which approvals are signed, to read it too. */
export function noteOwnKey(path: string, effects: Effects): void {
  if (path.endsWith('key') && path.includes('plimsoll') && OWN_STATE.test(path) && /[\\/]key$/.test(path))
    forbid('plimsoll', 'a step that reads the key of approvals', effects)
}

/** Programs that only look. */
const LOOKS: ReadonlySet<string> = new Set(
  'ls stat file wc du find tree grep rg test [ echo printf'.split(' '),
)

/** Whether a command is given a file of Plimsoll's state, and may do more than look where it is: what it says could be forged. */
const usesOwnState = ({ name, args }: Call): boolean =>
  !LOOKS.has(name) && args.some((arg) => arg.length <= 4_096 && OWN_STATE.test(arg))

/** Beginning of the variables that set Plimsoll's own clients. */
const OWN_SETTING = 'PLIMSOLL_'

/** Does the same for a variable that a command is given: `PLIMSOLL_MODE=observe claude`. */
export function noteForbiddenSetting(name: string, effects: Effects): void {
  if (name.startsWith(OWN_SETTING)) forbid('plimsoll', "a command that changes Plimsoll's settings", effects)
}

/** Records code that runs a command of Plimsoll's for operators. */
export function noteOwnControl(text: string, effects: Effects): void {
  if (mentionsOwn(text) && runsOwnControl(text))
    forbid('plimsoll', 'code that starts a command of Plimsoll for operators', effects)
}

/** Records a request that would answer a question of Plimsoll. Source: docs/decisions/20261129-own-approvals.md. */
export function noteAnswer(url: string, effects: Effects): void {
  if (ANSWERS.test(url.slice(0, URL_READ)))
    noteControl('a request that answers a question of Plimsoll', effects)
}
/** Where a gateway takes the answers to its questions. */
const URL_READ = 4_096
const ANSWERS = /\/v1\/approvals\/answer\b/

/** Records a change of what guards the agent, which no task names. */
function noteControl(reason: string, effects: Effects): void {
  raiseIrreversible('grant', reason, effects)
  actsOnUnnamed(effects, 'control', 'setting', 'control')
}

function forbid(what: keyof typeof FORBIDDEN_TAGS, reason: string, effects: Effects): void {
  raise(
    effects,
    { capability: 'execute', reversibility: 'irreversible', tags: [FORBIDDEN_TAGS[what]] },
    reason,
  )
  if (what === 'plimsoll') noteControl(reason, effects)
  else does(effects, 'delete')
}

function wipes({ name, args }: Call, operands: readonly string[]): boolean {
  if (REMOVES.has(name)) {
    const isDeep = isRecursive(args)
    return operands.some((path) => (isDeep && ROOT.test(plainPath(path))) || DEVICE.test(path))
  }
  if (MAKES_FILESYSTEM.test(name)) return operands.some((path) => path.startsWith('/dev/'))
  if (name === 'find') return args.includes('-delete') && ROOT.test(operands[0] ?? '')
  // Only moving a root folder away wipes it; moving something into it does not.
  if (name === 'mv')
    return operands.slice(0, -1).some((path) => isWhole(path) && args[args.indexOf(path) - 1] !== '-t')
  return (name === 'chmod' || name === 'chown') && isRecursive(args) && operands.some(isWhole)
}

const isRecursive = (args: readonly string[]): boolean =>
  args.some((arg) => /^-[a-zA-Z]*[rR]|^--recursive/.test(arg))

/** Resolves `/./` and `/../` to `/`, and `//etc` to `/etc`. */
const plainPath = (path: string): string =>
  path.replaceAll(/\/(?:\.{0,2}\/)+/g, '/').replace(/(?<=\/)\.{1,2}$/, '')

const isWhole = (path: string): boolean => /^\/\*?$/.test(path)

function stopsLogging(call: Call, operands: readonly string[]): boolean {
  const { name, args } = call
  if (REMOVES.has(name) || name === 'mv') return operands.some((path) => LOG_PLACE.test(path))
  if (name === 'chattr') return LOG_PLACE.test(operands.at(-1) ?? '')
  if (name === 'history') return args.some((arg) => /^-[a-z]*[cdw]/.test(arg))
  if (name === 'auditctl') return args.includes('-D') || /-e ?0/.test(args.join(' '))
  if (name === 'setenforce') return operands[0] === '0'
  if (name === 'unset' || name === 'export')
    return args.some((arg) =>
      (name === 'unset' ? /^HIST(?:FILE|SIZE)$/ : /^HIST(?:FILE|SIZE)=(?:0|\/dev\/null)?$/).test(arg),
    )
  if (name === 'aws')
    return operands.includes('cloudtrail') && args.some((arg) => /^(?:stop-logging|delete-trail)$/.test(arg))
  if (MANAGES_SYSTEM.test(name))
    return args.some((arg) => TAKES_PACKAGES.test(arg)) && operands.some((word) => RECORDERS.test(word))
  return ends(call, (word) => RECORDERS.test(word))
}

/** Programs that set a variable for others that start later. */
const SETS = longPattern('forbidden.SETS')
/** Folders by which a project is guarded: a folder that is only called so may be a project of its own. */
const IN_PROJECT = longPattern('forbidden.IN_PROJECT')

function stopsPlimsoll(call: Call, operands: readonly string[]): boolean {
  const { name, args } = call
  if (SETS.test(name) && args.some((arg) => arg.startsWith(OWN_SETTING))) return true
  if (name === 'mv')
    return operands.slice(0, -1).some((path) => OWN_PLACE.test(path) && IN_PROJECT.test(path))
  if (isOperatorsCommand(name, args)) return true
  if (REMOVES.has(name)) return operands.some((path) => OWN_PLACE.test(path))
  if (MANAGES_PACKAGES.test(name))
    return (
      /^(?:un|uninstall|remove|rm)$/.test(operands[0] ?? '') && operands.some((word) => PLIMSOLL.test(word))
    )
  return ends(call, (word) => PLIMSOLL.test(word))
}

/** Whether a command stops a service or process whose name matches `isMeant`. */
function ends({ name, args }: Call, isMeant: (word: string) => boolean): boolean {
  if (!ENDS.has(name) || !args.some(isMeant)) return false
  // `docker exec vector rm …` stops nothing.
  return (
    name.endsWith('kill') ||
    name === 'killall' ||
    (!args.includes('exec') && args.some((arg) => ENDING.test(arg)))
  )
}

const LOOKS_AT_RECORDS = longPattern('forbidden.LOOKS_AT_RECORDS')
