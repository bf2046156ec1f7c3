import { patternOf, readSet, readTable, longPattern } from '../text/data.js'
import { type CommandReader, type Effects, createEffects, does, labelsOf, raise } from './effects.js'
import { actsOn, actsOnUnnamed, namesOfPath } from './objects.js'
import { notePackageSources } from './package-sources.js'
import { PATH_KINDS, pathKindOf } from './paths.js'
import { sendsKeys as givesKeys } from './code-acts.js'

/** Files whose commands run without anybody looking at them again: pipelines, tasks of editors, manifests, scripts. */
const RUNS_LATER = patternOf(readTable<string>('paths', 'runsLater'))
/** Files that people read and nothing runs. */
const PROSE = longPattern('runs-later.PROSE')
/** Commands that reach out, and calls of code that do. Lines without one are not read. */
const REACHES_OUT = patternOf(readTable<string>('code', 'reachesOut'))
/** What stands before a command in such a file: a key, a list item, an instruction, a quotation mark. */
const BEFORE = longPattern('runs-later.BEFORE')
const AFTER = /["'\],]{1,4}\s{0,8}$/

/**
 * Lines that run what they fetch, or give away what lets others in, in any language: secrets on their way to another host, what a request
 * brings and is run, programs that are fetched, made runnable and run, history and keys of a machine on their way out, pieces of pipelines
 * that may change.
 */
const HARMFUL = readTable<readonly string[]>('code', 'harmfulLines').map(patternOf)

/** Sources that tests and builds load by themselves. */
const LOADED = longPattern('runs-later.LOADED')

/** Sources of programs, in which a command may only be mentioned, and what starts one. */
const CODE = longPattern('runs-later.CODE')
const STARTS = longPattern('runs-later.STARTS')

/** Hosts of installers that many people run as their pages say. */
const INSTALLERS = readSet('shell', 'installers')
const URLS = longPattern('runs-later.URLS')

/** Whether a text fetches from nowhere but hosts of well-known installers, by encrypted connections. */
export function fetchesInstaller(text: string): boolean {
  // A text that is long, or puts a place together when it runs, may fetch from elsewhere too.
  if (text.length > LINE_MAX || /[$\x60]|<\(/.test(text.replaceAll(/\$\{?(?:HOME|PATH|USER|PWD)\b\}?/g, '')))
    return false
  const urls = [...text.matchAll(URLS)].map(([url]) => url.toLowerCase())
  const fetches = text.match(/\b(?:curl|wget)\b/g) ?? []
  return (
    urls.length > 0 &&
    fetches.length <= urls.length &&
    urls.every((url) => url.startsWith('https://') && isInstaller(url.slice(8)))
  )
}

/** By the host, or by the host and the first folder. */
function isInstaller(place: string): boolean {
  const [host = '', folder = ''] = place.split('/')
  return INSTALLERS.has(host) || INSTALLERS.has(`${host}/${folder}`)
}

/** Limits of a text: characters, lines that are read, and characters of one. */
const TEXT_MAX = 65_536
const LINES_MAX = 32
const LINE_MAX = 1_024

/**
 * Records that a file which runs later gets a command that fetches code and runs it, or sends secrets: the step that starts it shows nothing
 * of this. Linear in the text; reads at most 32 lines that reach out.
 */
export function noteRunsLater(path: string, text: string, effects: Effects, read: CommandReader): void {
  if (path.length > 512) return
  const beginning = text.length > TEXT_MAX ? text.slice(0, TEXT_MAX) : text
  notePackageSources(path, beginning, effects)
  if (AGENT_RULES.test(path) && (ORDERS_REACHING.test(beginning) || ORDERS_NO_QUESTIONS.test(beginning)))
    noteAgentRules(path, effects)
  if (PROSE.test(path)) return
  if (LOOSENS_AGENT.test(path) && AUTO_APPROVES.test(beginning)) return noteLoosenedAgent(effects)
  if (
    SHADOWS.test(beginning) ||
    (OF_STRANGERS.test(beginning) && beginning.includes('pull_request_target')) ||
    (SHELL_STARTUP.test(path) && IN_BACKGROUND.test(beginning))
  )
    return noteHidden(effects)
  if (ON_OPENING.test(beginning)) noteOnOpening(path, effects)
  if (!REACHES_OUT.test(beginning)) return
  let left = LINES_MAX
  let downloads = false
  let isGiving: boolean | undefined
  const isLoaded = LOADED.test(path)
  for (const line of beginning.split('\n')) {
    if (downloads && /^\s{0,64}(?:execute_process|add_custom_command)/.test(line)) return noteHidden(effects)
    if (line.length > LINE_MAX || !REACHES_OUT.test(line)) continue
    if ((left -= 1) < 0) return
    downloads ||= /\bDOWNLOAD\s{1,8}["']?https?:/.test(line)
    if (fetchesInstaller(line)) continue
    const isQuoted = CODE.test(path) && !STARTS.test(line)
    if (!isQuoted && HARMFUL.some((pattern) => pattern.test(line))) return noteHidden(effects)
    if (sendsKeys(line) || (isLoaded && (isGiving ??= givesKeys(beginning)))) return noteHidden(effects)
    if (RUNS_LATER.test(path) && isHarmful(line, read)) return noteHidden(effects)
  }
}

/** Settings of editors by which an agent in them asks nobody, or any folder may run what it likes. */
const LOOSENS_AGENT = longPattern('runs-later.LOOSENS_AGENT')
const AUTO_APPROVES = longPattern('runs-later.AUTO_APPROVES')
/** Files that every new shell runs, and what starts a program there that goes on by itself. */
export const SHELL_STARTUP = longPattern('runs-later.SHELL_STARTUP')
/** What a pipeline checks out that strangers propose; with the rights of `pull_request_target` it may do anything. */
const OF_STRANGERS = longPattern('runs-later.OF_STRANGERS')
/** A task of an editor that runs when a folder is opened. */
const ON_OPENING = longPattern('runs-later.ON_OPENING')
const IN_BACKGROUND = longPattern('runs-later.IN_BACKGROUND')
/** A function that stands in for a program which asks for a password, and reads one. */
const SHADOWS = longPattern('runs-later.SHADOWS')

/** An order to ask no human, or to leave checks out. */
const ORDERS_NO_QUESTIONS = longPattern('runs-later.ORDERS_NO_QUESTIONS')

/** Texts that coding agents follow in every later session, and a line that orders to reach an address. */
const AGENT_RULES = patternOf(readTable<string>('paths', 'agentRules'))
const ORDERS_REACHING = patternOf(readTable<string>('paths', 'ordersReaching'))

/** Records an order for later sessions to go somewhere; a task that is about such rules asks for it. */
function noteAgentRules(path: string, effects: Effects): void {
  actsOn(effects, 'persist', {
    kind: 'path',
    byName: true,
    names: [
      ...namesOfPath(path),
      'rules',
      'instructions',
      'memory',
      'guidelines',
      'agent',
      'agents',
      'init',
      'docs',
    ],
    thing: path,
  })
  raise(effects, { reversibility: 'irreversible' }, 'an order that later sessions of agents follow')
  does(effects, 'grant')
}

function noteLoosenedAgent(effects: Effects): void {
  raise(
    effects,
    { capability: 'execute', reversibility: 'irreversible' },
    'settings by which an agent asks nobody',
  )
  actsOnUnnamed(effects, 'control', 'setting', 'control')
  does(effects, 'grant')
}

function noteOnOpening(path: string, effects: Effects): void {
  raise(effects, { capability: 'execute', reversibility: 'irreversible' }, 'a task that runs by itself')
  actsOn(effects, 'persist', { kind: 'path', byName: true, names: ['task', 'vscode', 'editor'], thing: path })
  does(effects, 'grant')
}

/** Whether a request takes a file of keys along: `curl -F k=@release.keystore`. */
function sendsKeys(line: string): boolean {
  if (!/\bcurl\b/.test(line)) return false
  for (const [, path = ''] of line.matchAll(/\s-\w{0,6}[FTd]\s?["']?(?:\w{0,32}=)?@?([\w~./-]{1,128})/g))
    if (pathKindOf(path) === PATH_KINDS.credentials) return true
  return false
}

/** Whether a command runs what it fetches, which nobody can read before, or sends what lets others in. */
function isHarmful(line: string, read: CommandReader): boolean {
  const own = createEffects()
  read(line.replace(BEFORE, '').replace(AFTER, ''), own)
  const { capability, confidentiality } = labelsOf(own)
  return (
    capability === 'network' &&
    (own.signals['doesDelete'] !== undefined ||
      own.signals['doesSend'] !== undefined ||
      confidentiality === 'credentials')
  )
}

function noteHidden(effects: Effects): void {
  raise(
    effects,
    { capability: 'execute', reversibility: 'irreversible' },
    'a file that runs later fetches code or sends secrets',
  )
  // No task names what was hidden there.
  actsOnUnnamed(effects, 'persist')
  does(effects, 'grant')
}
