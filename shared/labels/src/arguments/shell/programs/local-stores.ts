import { longPattern } from '../../../text/data.js'
import { raise } from '../../effects.js'
import { type Call, type Special, farther, isOpen, operandsOf, placeOfHost, readSender } from '../call.js'
import { COMMAND_LABELS } from './commands.js'

/** Options whose value is the host of the store; that of Redis' `-u` is a URL, that of others a user. */
const HOST = longPattern('local-stores.HOST')
const HOST_ATTACHED = longPattern('local-stores.HOST_ATTACHED')
/** Scripts of the store's own, which may do anything that it can. */
const RUNS = longPattern('local-stores.RUNS')

/**
 * Reads programs of databases and stores that take no statements: `createdb`, `pg_dump`, `redis-cli`. On this machine they run nothing else and
 * send nothing. Which of their acts cannot be taken back is read elsewhere.
 */
export const localStore: Special = (call, context) => {
  const hosts = hostsOf(call)
  const place = hosts.map((host) => placeOfHost(host, context)).reduce(farther, 'local')
  if (place !== 'local' || isOpen(call)) return readSender(call, context)
  const isPlain = !call.piped && call.fed === undefined && !call.args.some((arg) => RUNS.test(arg))
  raise(context.effects, COMMAND_LABELS.EXECUTE, 'a store on this machine', isPlain)
}

/** Whether a program works on the store of this machine: no host is given, or its own. */
export const isOnThisMachine = (call: Pick<Call, 'name' | 'args'>): boolean =>
  hostsOf(call).every((host) => LOCAL_HOST.test(host))

function hostsOf({ name, args }: Pick<Call, 'name' | 'args'>): readonly string[] {
  const isHost = (arg: string): boolean => HOST.test(arg) || (name === 'redis-cli' && arg === '-u')
  const named = args.flatMap((arg, i) => [
    ...(isHost(args[i - 1] ?? '') ? [arg] : []),
    ...(HOST_ATTACHED.exec(arg)?.slice(1) ?? []),
    ...(HOST_IN_URL.test(arg) ? [arg] : []),
  ])
  return named.map(
    (host) => /^[a-z][a-z\d+]{1,32}:\/\/(?:[^@/]{0,256}@)?([^/?]{1,253})/i.exec(host)?.[1] ?? host,
  )
}

/** Reads `open` and `xdg-open`: of a file or a page of this machine. */
export const opens: Special = (call, context) => {
  const isHere = operandsOf(call).every(
    (each) => !/^[a-z][a-z\d+.-]{1,32}:/i.test(each) || placeOfHost(each, context) === 'local',
  )
  if (!isHere || isOpen(call)) return readSender(call, context)
  raise(context.effects, COMMAND_LABELS.LOOK, 'something of this machine is shown')
}

const HOST_IN_URL = longPattern('local-stores.HOST_IN_URL')

const LOCAL_HOST = longPattern('local-stores.LOCAL_HOST')
