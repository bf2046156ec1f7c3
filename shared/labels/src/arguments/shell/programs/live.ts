import { actOfScript } from '../../../acts/orders.js'
import { actsOn, wordsIn } from '../../objects.js'
import { type Call, type ShellContext, operandsOf } from '../call.js'
import { patternOf, readSet, readTable, longPattern } from '../../../text/data.js'
import { raiseIrreversible } from './irreversible.js'
import { isTrial, onlyLooks } from './looks.js'
import { ownNames } from '../own-folders.js'
import { isTester } from './runners.js'

/** Words for what people use at this moment. */
const LIVE = longPattern('live.LIVE')

/** Whether a word has the name of what people use. */
export const isOfLive = (word: string): boolean => LIVE.test(word)

/**
 * Records that a command changes what people use, by the name of an environment among its words: by the act that is known of it, from the
 * object `known` on, else as a deployment.
 */
export function noteLive(call: Call, effects: ShellContext['effects'], known = effects.objects.length): void {
  if (isTrial(call)) return
  const live = call.args
    .slice(0, 32)
    .filter((arg) => arg.length <= 128 && LIVE.test(arg) && !/\.(?:txt|[cm]?[jt]s|md|py|log)$/.test(arg))
  if (live.length === 0) return
  const act = effects.objects.slice(known).find((each) => each.names.length > 0)?.act ?? 'deploy'
  if (act === 'deploy') publishes('a command that changes what is live', effects)
  actsOn(effects, act, {
    kind: 'resource',
    reach: 'live',
    names: [...LIVE_WORDS, ...live.slice(0, 4)],
    thing: live.find((arg) => !arg.startsWith('-')) ?? '',
  })
}

/** Records that what is taken away is of what people use, by the name of an environment among the words: the task has to name that too. */
export function noteLiveLoss(words: readonly string[], effects: ShellContext['effects']): void {
  const live = words.slice(0, 32).find((word) => word.length <= 128 && LIVE.test(word) && !/[/\\]/.test(word))
  if (live !== undefined)
    actsOn(effects, 'delete', { kind: 'resource', reach: 'live', names: [...LIVE_WORDS, live], thing: live })
}

/** Words by which tasks name what people use. */
export const LIVE_WORDS: readonly string[] = [...readSet('acts', 'liveWords')]

export const publishes = (reason: string, effects: ShellContext['effects']): void =>
  raiseIrreversible('publish', reason, effects, 'write')

/** Records what a target or script of a project makes live, by its name: `make deploy ENV=production`, `./deploy.sh prod`. */
export function noteDeployment(name: string, call: Call, effects: ShellContext['effects']): void {
  if (name.length > 128 || isTrial(call) || !DEPLOYS.test(name)) return
  publishes('a target that makes work live', effects)
  noteLive(call, effects)
}
const DEPLOYS = longPattern('live.DEPLOYS')

/** A script by its path and its name: its folder is called like many others. */
const fileNames = (path: string): readonly string[] => [path, path.slice(path.lastIndexOf('/') + 1)]

/** Records that a target, script or task of a project sends messages, by its name: `make send-invoices`, `php artisan newsletter:send`. */
export function noteSending(name: string, call: Call, effects: ShellContext['effects'], path?: string): void {
  const isSending =
    SENDS.test(name) ||
    (MAILS.test(name) && call.args.some((arg) => /^--?(?:send|go|live|no-dry-run)$/.test(arg)))
  if (name.length > 128 || isTrial(call) || !isSending || BUILDS.test(name)) return
  raiseIrreversible('send', 'a target that sends messages', effects)
  const words = wordsIn(name.replaceAll(/[:_]/g, ' '))
  const names = path === undefined ? words : [...fileNames(path), ...words]
  actsOn(effects, 'send', { kind: 'person', names, thing: name })
}
/** A program of mails: with `--send` it sends. */
const MAILS = longPattern('live.MAILS')
const SENDS = longPattern('live.SENDS')

/** Records that a target of a project takes something away, by its name: `make destroy`, `npm run db:reset`. What tests make again does not. */
export function noteEnding(name: string, call: Call, { effects, isOfTest }: ShellContext): void {
  const isForced = OF_SCHEMA.test(name) && call.args.some((arg) => DROPS_DATA.test(arg))
  if (
    name.length > 128 ||
    !(ENDS.test(name) || isForced) ||
    OF_TRIAL.test(name) ||
    isOfTest === true ||
    isTrial(call)
  )
    return
  raiseIrreversible('delete', 'a target that takes something away', effects)
  const words = wordsIn(name.replaceAll(/[:_.-]/g, ' '))
  actsOn(effects, 'delete', { kind: 'resource', names: [name, ...words, ...OF_DATABASE(name)], thing: name })
}
/**
 * Records that a script takes away what people have, or has them pay, by its name: `node scripts/purge_users.js`. What the session
 * wrote does what its text says.
 */
export function noteScriptName(path: string, call: Call, { effects, isOfTest }: ShellContext): void {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w{1,4}$/, '')
  if (name.length > 128 || isOfTest === true || isTrial(call)) return
  const act = actOfScript(name)
  if (act === undefined || act === 'send') return
  raiseIrreversible(act, 'a script that is called after what it takes away or pays', effects)
  const names = [...fileNames(path), name, ...wordsIn(name.replaceAll(/[_.-]/g, ' ')), ...OF_DATABASE(name)]
  actsOn(effects, act, { kind: 'resource', names, thing: name, own: ownNames(path, effects) })
}

/** A target that brings a database to the schema of the project, and what lets it drop data for that: `npm run db:push -- --force`. */
const OF_SCHEMA = longPattern('live.OF_SCHEMA')
const DROPS_DATA = longPattern('live.DROPS_DATA')
const ENDS = patternOf(readTable<string>('shell', 'endingTargets'))
const OF_TRIAL = longPattern('live.OF_TRIAL')
const OF_DATABASE = (name: string): readonly string[] =>
  /(?:^|[^a-z])db(?:$|[^a-z])/i.test(name) ? ['database', 'db', 'data', 'schema'] : []

/** Records that a program is pointed at what people use, by an option: `dbt run --target prod`. */
export function noteLiveOption(call: Call, effects: ShellContext['effects']): void {
  const isLive = call.args.some(
    (arg, i) =>
      IS_REMOTE.test(arg) ||
      (OF_TARGET.test(arg) && LIVE_NAME.test(call.args[i + 1] ?? '')) ||
      (OF_TARGET.test(arg.slice(0, Math.max(0, arg.indexOf('=')))) &&
        LIVE_NAME.test(arg.slice(arg.indexOf('=') + 1))),
  )
  if (!isLive || isTrial(call) || onlyLooks(call) || call.args.some((arg) => BUILDS.test(arg))) return
  publishes('a program that changes what is live', effects)
  actsOn(effects, 'deploy', { kind: 'resource', reach: 'live', names: LIVE_WORDS, thing: '' })
}
const IS_REMOTE = /^--(?:remote|live|prod)$/
const OF_TARGET = longPattern('live.OF_TARGET')
const LIVE_NAME = longPattern('live.LIVE_NAME')

/** Whether a variable before a command chooses what people use. That of Node.js is one of builds. */
export const isLiveEnvironment = (name: string, value: string, production: readonly string[] = []): boolean =>
  SAYS_PLACE.test(name) &&
  !OF_BUILD.test(name) &&
  (BEGINS_LIVE.test(value) || production.includes(value.toLowerCase()))

/** Whether a variable before a command chooses the database of a project's tests. */
export const isTestEnvironment = (name: string, value: string): boolean =>
  OF_FRAMEWORK.test(name) && /^test(?:ing)?$/i.test(value)

/**
 * Whether an assignment before a command gives it a database of tests or none but a scratch file: `DB_URL=sqlite:////tmp/x.db`,
 * `DATABASE_URL=postgres://localhost/shop_test`.
 */
export const isTestDatabase = (name: string, value: string): boolean =>
  GIVES_DATABASE.test(name) && value.length <= 512 && (SCRATCH_FILE.test(value) || LOCAL_TEST.test(value))
/** Whether an assignment before a command gives it a database that people use: `DB_URL=postgres://app@db-prod.acme.example/app`. */
export const isLiveDatabase = (name: string, value: string): boolean =>
  GIVES_DATABASE.test(name) && value.length <= 512 && LIVE.test(value)
const GIVES_DATABASE = longPattern('live.GIVES_DATABASE')
const SCRATCH_FILE = longPattern('live.SCRATCH_FILE')
const LOCAL_TEST = longPattern('live.LOCAL_TEST')

/** Whether a command of Laravel does by its option: `php artisan migrate:fresh --env=testing`. */
export const choosesTest = (args: readonly string[]): boolean =>
  args[0] === 'artisan' &&
  args.filter((arg) => /^--(?:env|database)\b/.test(arg)).length === 1 &&
  args.includes('--env=testing') &&
  !args.includes('--')

/** Records that a program of a project, or a text, runs where people use it. What builds or tests does not. */
export function noteLiveRun(call: Call, effects: ShellContext['effects']): void {
  const { name, args } = call
  const runs =
    name.includes('/') ||
    TASK_RUNNERS.test(name) ||
    (PROGRAMS.test(name) && args.some((arg) => /^-|[./:]|^artisan$/.test(arg)))
  if (!runs || isTrial(call) || args.some((arg) => BUILDS.test(arg))) return
  actsLive(effects)
}

/** Records that tests run with a database that people use: they fill and empty it. */
export function noteLiveTests(call: Call, effects: ShellContext['effects']): void {
  const words = [call.name, ...operandsOf(call)].slice(0, 4)
  if (isTester(call.name) || words.some((word) => /^tests?(?:[:_-]|$)|^spec$/.test(word))) actsLive(effects)
}

function actsLive(effects: ShellContext['effects']): void {
  publishes('a program that runs where people use it', effects)
  actsOn(effects, 'deploy', { kind: 'resource', reach: 'live', byName: true, names: LIVE_WORDS, thing: '' })
}
/** Programs whose first words are tasks of a project. */
const TASK_RUNNERS = longPattern('live.TASK_RUNNERS')
const PROGRAMS = longPattern('live.PROGRAMS')
const BUILDS = longPattern('live.BUILDS')

/** Characters of a command line in which settings are sought. */
const LINE_MAX = 16_384

/** What stands before a file of settings that a shell takes in, or gives to a program: `. envs/production.env`, `--env-file .env.prod`. */
const TAKES_FILE = longPattern('live.TAKES_FILE')
/** What puts a file's text among words: `export $(grep -v '^#' .env.prod | xargs)`. */
const PUTS_IN = longPattern('live.PUTS_IN')
const EXPORTS = longPattern('live.EXPORTS')
/** Variables that say which database a program works on. */
const PLACES_DATABASE = longPattern('live.PLACES_DATABASE')

/** Whether the programs of a command line work with settings of what people use. Linear in the text. */
export function hasLiveSettings(whole: string, production: readonly string[] = []): boolean {
  if (whole.length > LINE_MAX) return false
  if (/prod|live/i.test(whole) && takesLiveFile(whole)) return true
  if (!whole.includes('export')) return false
  return [...whole.matchAll(EXPORTS)].some(([, name = '', value = '']) =>
    isLiveSetting(name, value, production),
  )
}

function takesLiveFile(whole: string): boolean {
  const taken = [...whole.matchAll(TAKES_FILE)].map(([, file = '']) => file)
  const put = [...whole.matchAll(PUTS_IN)].flatMap(([, words = '']) => words.split(/[\s"';&|]/))
  return [...taken, ...put].some(isLiveFile)
}

/** Whether a word is a file of settings of what people use: `envs/production.env`, `.env.prod`, `deploy/live.sh`. */
const isLiveFile = (word: string): boolean =>
  LIVE_PART.test(word) && /env|[/._-](?:sh|conf|cfg)$/i.test(word) && /^[\w.~/-]+$/.test(word)

/** Whether a variable chooses what people use: by the name of an environment, or of a host in the address of a database. */
export const isLiveSetting = (name: string, value: string, production: readonly string[] = []): boolean =>
  isLiveEnvironment(name, value, production) ||
  (PLACES_DATABASE.test(name) && value.length <= 512 && isOfLive(hostOf(value)))

/** The host and the database of an address; the text itself if it is none. */
const hostOf = (value: string): string => value.replace(/^\w{1,24}(?:\+\w{1,16})?:\/\/(?:[^@/]{0,256}@)?/, '')

const SAYS_PLACE = longPattern('live.SAYS_PLACE')

const OF_BUILD = longPattern('live.OF_BUILD')

const OF_FRAMEWORK = longPattern('live.OF_FRAMEWORK')

const BEGINS_LIVE = longPattern('live.BEGINS_LIVE')

const LIVE_PART = longPattern('live.LIVE_PART')
