import { longPattern, readSet } from '../../../text/data.js'
import { does, raise } from '../../effects.js'
import { actsOn, wordsIn } from '../../objects.js'
import { type Call, type ShellContext, operandsOf } from '../call.js'
import { makerOf, thingNames } from '../own-things.js'
import {
  ANYTHING,
  composeOf,
  isStartedHere,
  programNames,
  serviceName,
  startedBy,
  startedNames,
  valueOf,
} from '../own-programs.js'
import { stopsDisposable } from './act-table.js'
import { isTrial } from './looks.js'

/** What a command stops: the names that a task may have for it, and those under which the session may have started it. */
interface Stopped {
  readonly kind: 'process' | 'container'
  readonly thing: string
  readonly names: readonly string[]
  readonly own: readonly string[]
  /** Whether a task asks for it by its name: a number or a port names no program. */
  readonly byName: boolean
}

/** Things of one command that are recorded one by one, and characters of the text around it that are searched. */
const THINGS_MAX = 4
const TEXT_MAX = 16_384
const UNKNOWN = /^\$|[`*]/

/** Records what a command stops that the session may not have started: containers, services, programs. A restart stops nothing. */
export function noteStops(call: Call, context: ShellContext): void {
  const { effects, whole } = context
  const read = READERS.get(makerOf(call.name))
  if (read === undefined || whole.length > TEXT_MAX || isTrial(call)) return
  for (const { kind, thing, names, own, byName } of read(call, context).slice(0, THINGS_MAX)) {
    if (isStartedHere(own, effects)) continue
    const isDisposable = kind === 'process' && stopsDisposable(call.name, operandsOf(call), effects)
    raise(
      effects,
      { capability: 'execute', reversibility: 'irreversible' },
      'a command that stops what may be in use',
      true,
    )
    does(effects, 'delete', isDisposable)
    actsOn(effects, 'stop', {
      kind,
      reach: isDisposable ? 'disposable' : undefined,
      names,
      own,
      thing,
      byName,
    })
  }
}

type Reader = (call: Call, context: ShellContext) => readonly Stopped[]

const ofService = (program: string, name: string): Stopped => ({
  kind: 'process',
  thing: name,
  names: [name, ...wordsIn(name), 'service', 'services'],
  own: startedNames(program, serviceName(name)),
  byName: true,
})

const ofContainer = (name: string): Stopped => ({
  kind: 'container',
  thing: name,
  names: [name, ...wordsIn(name), 'container', 'containers'],
  // Without a name it is known by its number alone.
  own: [
    ...thingNames('docker', name),
    ...startedNames('docker', name),
    ...(/^[0-9a-f]{6,64}$/.test(name) ? startedNames('docker', '') : []),
  ],
  byName: true,
})

const ofCompose = (call: Call, services: readonly string[]): Stopped => ({
  kind: 'container',
  thing: services.length > 0 ? services.join(' ') : 'the containers of this project',
  names: [
    ...services,
    ...wordsIn(services.join(' ')),
    ...filesOfCompose(call),
    'compose',
    'stack',
    'containers',
    'services',
  ],
  own: startedNames('compose', composeOf(call)),
  byName: true,
})

/** Names by which the file or the project that a command is given says what runs: `gitea` of `docker compose -f gitea.yml stop`. */
const filesOfCompose = ({ args }: Call): readonly string[] =>
  args
    .filter((_, i) => /^(?:-f|--file|-p|--project-name)$/.test(args[i - 1] ?? ''))
    .flatMap((value) => wordsIn(value.slice(value.lastIndexOf('/') + 1).replace(/\.ya?ml$/, '')))
    .filter((word) => !/^(?:docker|compose|prod|dev|override|yml|yaml)$/.test(word))

const known = (names: readonly string[]): readonly string[] => names.filter((name) => !UNKNOWN.test(name))

function stopsContainers(call: Call, { whole }: ShellContext): readonly Stopped[] {
  const [first = '', ...rest] = operandsOf(call)
  if (first === 'compose') return stopsCompose(call, rest, whole)
  const names = first === 'container' ? rest.slice(1) : rest
  const verb = first === 'container' ? rest[0] : first
  if (verb !== 'stop' && verb !== 'kill' && verb !== 'pause') return []
  const values = valueOf(call, '-t', '--time', '-s', '--signal')
  return isSignalOnly(call) ? [] : known(names.filter((name) => !values.includes(name))).map(ofContainer)
}

/** A set of containers that the same text brings up again is restarted. */
function stopsCompose(call: Call, words: readonly string[], whole: string): readonly Stopped[] {
  const values = new Set(
    valueOf(call, '-f', '--file', '-p', '--project-name', '-t', '--timeout', '--profile'),
  )
  const [verb = '', ...services] = words.filter((word) => !values.has(word))
  if (!/^(?:down|stop|kill|pause)$/.test(verb)) return []
  // Volumes that go too are the greater loss.
  if (call.args.some((arg) => arg === '-v' || arg === '--volumes')) return []
  return /\bup\b/.test(whole.slice(whole.indexOf(verb))) ? [] : [ofCompose(call, known(services))]
}

/** A service that the same text starts again is restarted. */
const stopsServices: Reader = (call, { whole }) => {
  const [first = '', ...rest] = operandsOf(call)
  const isOfSystem = call.name === 'systemctl'
  const verb = isOfSystem ? first : rest[0]
  if ((verb !== 'stop' && verb !== 'kill') || /\b(?:start|restart)\b/.test(whole.slice(whole.indexOf(verb))))
    return []
  return known(isOfSystem ? rest : [first]).map((name) => ofService('service', name))
}

const stopsBy =
  (program: string, verbs: RegExp): Reader =>
  (call) => {
    const [verb = '', ...names] = operandsOf(call)
    return verbs.test(verb) ? known(names).map((name) => ofService(program, name)) : []
  }

/** Signals that end nothing. */
const HARMLESS = longPattern('stops.HARMLESS')
const isSignalOnly = ({ args }: Call): boolean => {
  const [first = ''] = args
  const at = args.findIndex((arg) => arg === '-s' || arg === '--signal')
  const given = at < 0 ? first : `-${args[at + 1] ?? ''}`
  return given.startsWith('-') && given !== '--' && given !== '-s' && HARMLESS.test(given)
}

/** What ends with the shell that started it: jobs, the last one in the background. */
const OF_SHELL = /^(?:%|\$!)|\$!/
const BY_SEARCH = longPattern('stops.BY_SEARCH')

/** `kill 1234`, `kill $(pgrep -f app)`, `lsof -ti:3000 | xargs kill`. */
function kills(call: Call, { whole, effects }: ShellContext): readonly Stopped[] {
  if (isSignalOnly(call) || OF_SHELL.test(whole) || /\bjobs\s{1,4}-/.test(whole)) return []
  if (effects.signals.doesDelete !== undefined && call.open.includes(true)) return []
  if (isRestarted(whole)) return []
  const operands = operandsOf(call)
  if (operands.length === 0 || operands.some((word) => word.startsWith('%') || word === '0')) return []
  const ids = known(operands).slice(0, 3)
  const sought = [...whole.matchAll(BY_SEARCH)].flatMap(([, words = '']) =>
    words.replaceAll(/\[(\w)\]/g, '$1').split(/[^\w@.:+-]+/),
  )
  const names = programNames(sought)
  return [
    {
      kind: 'process',
      thing: names.length > 0 ? names.join(' ') : ids.join(' ') || 'programs that only the run finds',
      names: [...ids, ...names, ...wordsIn(names.join(' ')), ...OF_PROGRAMS, ...portsIn(whole)],
      own: names.length > 0 ? startedBy(names) : ANYTHING,
      byName: names.length > 0,
    },
  ]
}

/** `taskkill /F /PID 1234`; programs by their names stand in data/commands.json. */
const killsById: Reader = (call, context) => {
  const ids = call.args.filter((_, i) => /^\/{1,2}pid$/i.test(call.args[i - 1] ?? ''))
  return ids.length > 0 ? kills({ ...call, args: ids }, context) : []
}

/** What listens on a port of the project's is ended, and started again in the background: not a database. */
const isRestarted = (text: string): boolean => {
  const [, port = ''] = BY_PORT.exec(text) ?? []
  const started = text.slice(text.search(/\bkill\b/))
  return port !== '' && !OF_STORES.has(port) && STARTED.test(started)
}
const OF_STORES = readSet('shell', 'stopsOfStores')
const STARTED = longPattern('stops.STARTED')
const OF_PROGRAMS = ['process', 'processes', 'server', 'port']
const portsIn = (text: string): string[] => text.match(/(?<=[:\s])\d{2,5}(?=\/tcp|\b)/g)?.slice(0, 2) ?? []

/** `pkill -f "python server.py"`, `killall Xvfb`. */
const killsByName: Reader = (call) => {
  if (isSignalOnly(call)) return []
  const pattern = operandsOf(call).join(' ')
  const names = programNames(pattern.split(/[^\w@.:+/-]+/))
  if (
    pattern === '' ||
    UNKNOWN.test(pattern) ||
    (names.length > 0 && names.every((name) => TESTS.test(name)))
  )
    return []
  return [
    {
      kind: 'process',
      thing: pattern,
      names: [...names, ...wordsIn(pattern), 'process', 'processes'],
      own: startedBy(names),
      byName: true,
    },
  ]
}

/** Programs that run tests: they run again. */
const TESTS = longPattern('stops.TESTS')

const freesPort: Reader = (call) =>
  call.args.some((arg) => /^-[a-z]*k/.test(arg))
    ? [
        {
          kind: 'process',
          thing: operandsOf(call).join(' '),
          names: [...OF_PROGRAMS, ...portsIn(` ${operandsOf(call).join(' ')}`)],
          own: ANYTHING,
          byName: false,
        },
      ]
    : []

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['docker', stopsContainers],
  ['docker-compose', (call, { whole }) => stopsCompose(call, operandsOf(call), whole)],
  ['systemctl', stopsServices],
  ['service', stopsServices],
  ['rc-service', stopsServices],
  ['supervisorctl', stopsBy('supervisor', /^stop$/)],
  ['pm2', stopsBy('pm2', /^(?:stop|delete|del|kill)$/)],
  ['kill', kills],
  ['pkill', killsByName],
  ['killall', killsByName],
  ['fuser', freesPort],
  ['net', stopsBy('service', /^stop$/i)],
  ['sc', stopsBy('service', /^stop$/i)],
  ['taskkill', killsById],
])

const BY_PORT = longPattern('stops.BY_PORT')
