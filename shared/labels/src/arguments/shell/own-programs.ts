import { longPattern } from '../../text/data.js'
import type { Effects } from '../effects.js'
import { type Call, type ShellContext, operandsOf } from './call.js'
import { hidesFailure, makerOf, noteThing, thingNames } from './own-things.js'

/**
 * Programs, services and containers that a session has started, by the names under which something stops them. What was started is no more
 * than that: it may not be deleted.
 */
export const startedNames = (program: string, name: string): string[] =>
  thingNames('started', `${program}:${name}`)

/** Stands for whatever a session has left running, for what stops it by a number or a port. */
export const ANYTHING: readonly string[] = startedNames('process', '')

/** Names of one command, and characters of the text around it that are searched. */
const NAMES_MAX = 3
const TEXT_MAX = 16_384

/** Words of a command line by which it keeps running. */
const KEEPS_RUNNING = longPattern('own-programs.KEEPS_RUNNING')
const APART = longPattern('own-programs.APART')
/** Words of a command line that ends by itself, whatever it is about. */
const PASSES = longPattern('own-programs.PASSES')
/** Commands that end with their work, whatever follows. */
const ENDS = longPattern('own-programs.ENDS')

/** Programs whose name says nothing of what they run. */
const INTERPRETERS = longPattern('own-programs.INTERPRETERS')

/** Names of a program in a command line or in a pattern for it, without those that many programs have. */
export const programNames = (words: readonly string[]): string[] => {
  const names = new Set<string>()
  for (const word of words.slice(0, 16)) {
    const base = word.slice(word.lastIndexOf('/') + 1)
    if (base.length < 2 || base.length > 64 || INTERPRETERS.test(base) || !/^[\w@.:+-]+$/.test(base)) continue
    names.add(base.toLowerCase())
    const stem = base.replace(EXTENSION, '').toLowerCase()
    names.add(stem)
    if (names.size >= NAMES_MAX) break
  }
  return [...names].slice(0, NAMES_MAX)
}

/** Whether a text runs something in the background. */
export const runsApart = (whole: string): boolean => whole.length <= TEXT_MAX && APART.test(whole)

/** Records what a command leaves running: in the background, as a server, as a service or a container. */
export function noteStarted(call: Call, { effects, whole, isApart }: ShellContext): void {
  if (effects.isAway || whole.length > TEXT_MAX) return
  const services = servicesStarted(call)
  const ends = ENDS.test(call.name)
  if ((ends && services.length === 0) || hidesFailure(call, whole)) return
  for (const [program, name] of services)
    for (const each of startedNames(program, name)) noteThing(each, effects)
  if (ends) return
  const line = [call.name, ...call.args].slice(0, 16)
  const words = line.join(' ').slice(0, 512)
  if (!isApart && (!KEEPS_RUNNING.test(words) || PASSES.test(words))) return
  for (const each of ANYTHING) noteThing(each, effects)
  if (RUNNERS.test(call.name)) for (const each of DEVELOPING) noteThing(each, effects)
  for (const name of programNames(line))
    for (const each of startedNames('process', name)) noteThing(each, effects)
}

/** Runners of a project's targets, whose words do not say which program serves. */
const RUNNERS = longPattern('own-programs.RUNNERS')
const SERVERS = longPattern('own-programs.SERVERS')
/** Stands for the server that a project's target starts. */
const DEVELOPING = startedNames('process', 'target')

/** Names under which a session may have started the program that a pattern is for. */
export const startedBy = (names: readonly string[]): string[] => [
  ...names.flatMap((name) => startedNames('process', name)),
  ...(names.some((name) => SERVERS.test(name)) ? DEVELOPING : []),
]

const NONE: readonly (readonly [string, string])[] = []

function servicesStarted(call: Call): readonly (readonly [string, string])[] {
  const program = makerOf(call.name)
  const words = operandsOf(call)
  const [first = '', ...rest] = words
  if (program === 'docker') {
    if (first === 'start') return rest.map((name) => [program, name] as const)
    if (first === 'compose') return rest.includes('up') ? [['compose', composeOf(call)]] : NONE
    return first === 'run' && !call.args.some((arg) => arg.startsWith('--name')) ? [[program, '']] : NONE
  }
  if (call.name === 'docker-compose') return words.includes('up') ? [['compose', composeOf(call)]] : NONE
  if (call.name === 'systemctl' && (first === 'start' || call.args.includes('--now')))
    return rest.map((name) => ['service', serviceName(name)] as const)
  if (/^(?:service|rc-service)$/.test(call.name) && rest[0] === 'start') return [['service', first]]
  if (call.name === 'supervisorctl' && first === 'start')
    return rest.map((name) => ['supervisor', name] as const)
  if (call.name === 'pm2' && first === 'start')
    return [...valueOf(call, '--name'), ...programNames(rest)].map((name) => ['pm2', name] as const)
  return NONE
}

/** A set of containers, by its file and its project. */
export const composeOf = (call: Pick<Call, 'args'>): string =>
  [...valueOf(call, '-f', '--file'), ...valueOf(call, '-p', '--project-name')].join(' ')

export const serviceName = (name: string): string => name.replace(/\.service$/, '')

/** Values of options, as the next word or after `=`. `-ds NAME` is `-d -s NAME`. */
export const valueOf = ({ args }: Pick<Call, 'args'>, ...options: readonly string[]): string[] =>
  args.flatMap((arg, i) => {
    const joined = options.find((option) => option.startsWith('--') && arg.startsWith(`${option}=`))
    if (joined !== undefined) return [arg.slice(joined.length + 1)]
    const isShort = options.some(
      (option) => option.length === 2 && /^-[a-z]{2,4}$/i.test(arg) && arg.endsWith(option.slice(1)),
    )
    return options.includes(arg) || isShort ? [args[i + 1] ?? ''] : []
  })

/** Whether the step itself has made or started one of them before. */
export const isStartedHere = (own: readonly string[], { made }: Effects): boolean =>
  own.some((name) => made.includes(name))

const EXTENSION = longPattern('own-programs.EXTENSION')
