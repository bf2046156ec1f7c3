import { linkOf, placesOfTravel, roleOf } from '../provenance/argument-text.js'
import { knownWordsOf } from '../provenance/values/name-words.js'
import { raise, signal, type Call, type Effects, PLACES } from './effects.js'
import { type PathKind, PATH_KINDS, isDataFile, opensDoor, pathKindOf } from './paths.js'
import { countRecipients, hostOfAddress, isAccount, placeOf, readUrl } from './web.js'
import { readSet, longPattern } from '../text/data.js'
import { keptByName } from '../text/kept.js'

/** Limits: values per call, nesting depth, and characters of a value that is searched for an address or host. */
const VALUES_MAX = 512
const DEPTH_MAX = 8
const VALUE_CHARS_MAX = 4_096

/** What an argument holds, by the last word of its name that is in one of these lists. */
const TEXTS = readSet('arguments', 'texts')
const RECORDS = readSet('arguments', 'records')
const RECIPIENTS = readSet('arguments', 'recipients')
const HOSTS = readSet('arguments', 'hosts')
const OPENED = readSet('arguments', 'opened')
const SAVED = readSet('arguments', 'saved')

/** Words whose ids say where the step goes, not what it sends. */
const PLACES_WORDS = readSet('arguments', 'placeWords')

/** Words before `all`: it is then people, not pages of a list. */
const SENDS: ReadonlySet<string> = new Set(['to', 'notify', 'mail', 'email', 'send', 'invite', 'share'])

/** What an argument holds. `record`: a file or an id; `opened`: whether access is given to everyone. */
export type Kind = 'text' | 'record' | 'recipient' | 'host' | 'opened' | undefined

/** What an argument holds, by its name; undefined if unknown. */
export const kindOf = keptByName(readKind)

function readKind(name: string): Kind {
  const parts = knownWordsOf(name)
  for (let i = parts.length - 1; i >= 0; i -= 1) {
    const word = parts[i] ?? ''
    if (RECORDS.has(word))
      return parts.slice(0, i).some((part) => PLACES_WORDS.has(part)) ? undefined : 'record'
    if (RECIPIENTS.has(word)) return 'recipient'
    if (HOSTS.has(word)) return 'host'
    if (TEXTS.has(word)) return 'text'
    if (OPENED.has(word) || (word === 'all' && SENDS.has(parts[i - 1] ?? ''))) return 'opened'
  }
  return undefined
}

/**
 * Reads where a network step goes and what it takes along, from all of its arguments, listed in the catalogue or not. Every address is a
 * recipient, every host or proxy a destination, and a header inside a value counts as in a mail program. A named file or record is sent by
 * reference. Addresses in text for people (`body`, `content`) do not count.
 */
export function readDestinations(
  args: Readonly<Record<string, unknown>>,
  listed: ReadonlySet<string>,
  call: Call,
): void {
  if (call.worst?.capability !== 'network') return
  let left = VALUES_MAX
  const walk = (name: string, value: unknown, depth: number): void => {
    left -= 1
    if (left < 0 || depth > DEPTH_MAX) return cutOff(call)
    if (typeof value === 'object' && value !== null) walkAll(name, value, depth + 1)
    else if (value !== null && value !== undefined && value !== '')
      readValue(name, value, listed.has(name), call)
  }
  const walkAll = (name: string, members: object, depth: number): void => {
    const places = placesOfTravel(members)
    for (const key in members)
      if (!places.includes(key))
        walk(Array.isArray(members) ? name : key, (members as Readonly<Record<string, unknown>>)[key], depth)
  }
  walkAll('', args, 0)
}

/**
 * A reading tool that is given a link asks another host for it (`read_file` of `https://…`). A tool that looks names of hosts up (`resolves`) asks
 * the servers of that host for the name, which may hold anything. Text for people does not count.
 */
export function readLinksOfReads(
  args: Readonly<Record<string, unknown>>,
  call: Call,
  resolves: boolean,
): void {
  if (call.worst !== undefined && call.worst.capability !== 'read') return
  for (const name in args) {
    const value = args[name]
    if (typeof value !== 'string' || kindOf(name) === 'text') continue
    const link = value.slice(0, VALUE_CHARS_MAX).trim()
    if (!LINK.test(link) && !(resolves && isHost(link))) continue
    raise(
      call.effects,
      { capability: 'network', trust: 'untrusted' },
      'a link that a reading tool is given',
      true,
    )
    readHost(link, call)
    if (value.length > VALUE_CHARS_MAX) cutOff(call)
  }
}

/** One link, and nothing else. */
const LINK = longPattern('destinations.LINK')

function cutOff({ effects }: Call): void {
  effects.complete = false
  signal(effects, 'external', 1)
}

/**
 * Whether an argument says where on this host a tool puts what it downloads: it does not leave. Only of a tool that says by its name that it
 * fetches files, and of a place without keys, settings or the system.
 */
const isSaved = (name: string, value: unknown, { worst, saves, clones }: Call): boolean =>
  roleOf(name)?.letter === 'p' &&
  (clones ||
    (saves && worst?.reversibility === 'reversible' && knownWordsOf(name).some((word) => SAVED.has(word)))) &&
  typeof value === 'string' &&
  PLAIN_PLACES.has(pathKindOf(value)) &&
  !opensDoor(value) &&
  !opensDoor(`${value}/file`)

/** What agents write in the place of an optional argument that they leave out. */
const NOTHING_GIVEN = longPattern('destinations.NOTHING_GIVEN')

/**
 * The arguments that a call gives: without recipients, files and records for which it has the word `null`, as some models write what they leave out. A
 * recipient of that name counts where the call has no other. The same object if there is none.
 */
export function givenOf(args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  let absent: string[] | undefined
  for (const name in args)
    if (isNothing(args[name]) && Object.hasOwn(args, name) && isOptional(name)) (absent ??= []).push(name)
  return absent ? withoutAbsent(args, absent) : args
}

const isNothing = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= NOTHING_LENGTH_MAX && NOTHING_GIVEN.test(value)
const NOTHING_LENGTH_MAX = 9

function withoutAbsent(
  args: Readonly<Record<string, unknown>>,
  absent: readonly string[],
): Readonly<Record<string, unknown>> {
  const given = Object.entries(args).filter(([name]) => !absent.includes(name))
  const hasRecipient = given.some(([name, value]) => isRecipient(name) && hasValue(value))
  const kept = hasRecipient
    ? given
    : Object.entries(args).filter(([name]) => !absent.includes(name) || isRecipient(name))
  return Object.fromEntries(kept)
}

const isRecipient = (name: string): boolean => kindOf(name) === 'recipient' || roleOf(name)?.isTarget === true
const isOptional = (name: string): boolean => isRecipient(name) || kindOf(name) === 'record'
const hasValue = (value: unknown): boolean =>
  typeof value === 'string'
    ? value !== ''
    : Array.isArray(value) && value.some((each) => typeof each === 'string' && each !== '')

/** The folder in which a command line runs. */
const FOLDER = readSet('arguments', 'folders')
const PLAIN_PATH = /^[\w@%+=:,.~\\/ -]{1,256}$/

const isFolder = (name: string, value: unknown): boolean =>
  FOLDER.has(name.toLowerCase().replaceAll('_', '')) &&
  typeof value === 'string' &&
  PLAIN_PATH.test(value) &&
  !value.includes('://')

/** What leaves of a call's arguments: without those that say where a download goes, or in which folder a command line runs. */
export function leavingOf(
  args: Readonly<Record<string, unknown>>,
  saved: readonly string[],
  runsShell = false,
): Readonly<Record<string, unknown>> {
  return saved.length === 0 && !runsShell ? args : withoutStaying(args, saved, runsShell)
}

function withoutStaying(
  args: Readonly<Record<string, unknown>>,
  saved: readonly string[],
  runsShell: boolean,
): Readonly<Record<string, unknown>> {
  const stays = (name: string): boolean => saved.includes(name) || (runsShell && isFolder(name, args[name]))
  for (const name in args)
    if (stays(name)) return Object.fromEntries(Object.entries(args).filter(([each]) => !stays(each)))
  return args
}

const PLAIN_PLACES: ReadonlySet<PathKind> = new Set([PATH_KINDS.plain, PATH_KINDS.home, PATH_KINDS.temp])

function readValue(name: string, value: unknown, isListed: boolean, call: Call): void {
  const { effects } = call
  const kind = kindOf(name)
  if (kind === 'opened' && value !== false && value !== 0 && value !== 'false')
    return signal(effects, 'external', 1)
  if (isSaved(name, value, call)) return void effects.saved.push(name)
  if (kind === 'record') return noteRecord(name, value, effects)
  if (typeof value !== 'string') return
  if (kind === 'text') return
  if (OPENS.test(value.slice(0, VALUE_CHARS_MAX))) signal(effects, 'external', 1)
  if (PHONE.test(value)) signal(effects, 'strangers', 1)
  if (value.length > VALUE_CHARS_MAX) return cutOff(call)
  if (HEADER.test(value)) readHeaders(value, call)
  if (isListed) return
  if (kind === 'host' || isHost(value) || /^[a-z][a-z0-9+.-]*:\/\//i.test(value)) readHost(value, call)
  else if ((kind === 'recipient' && !isProse(value)) || value.includes('@'))
    readAddresses(value, kind === 'recipient', call)
}

/** Files of one call that are kept by their paths. */
const FILES_MAX = 4
const PATH_MAX = 256

const FILE_NAME = longPattern('destinations.FILE_NAME')

/** Records what leaves by reference. What is no path of a file may be anything. */
function noteRecord(name: string, value: unknown, effects: Effects): void {
  signal(effects, 'records', 1)
  const { files } = effects
  if (files === undefined || (typeof value === 'string' && files.includes(value))) return
  const isFile =
    typeof value === 'string' &&
    value.length <= PATH_MAX &&
    (roleOf(name)?.letter === 'p' || FILE_NAME.test(value))
  if (isFile && files.length < FILES_MAX) files.push(value)
  else effects.files = undefined
}

/** What stands behind the last slash. */
const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/**
 * Records the file that a tool fetches from a public page: its arguments are one link to a file outside, and where it is put. With more, it
 * may be a file that others cannot see.
 */
export function noteFetched(
  args: Readonly<Record<string, unknown>>,
  { effects, place, organisation }: Call,
): void {
  const [link, ...others] = Object.entries(args).filter(([name]) => !effects.saved.includes(name))
  if (link === undefined || others.length > 0 || (place !== undefined && place !== 'outside')) return
  const [, value] = link
  if (typeof value !== 'string' || value.length > PATH_MAX || !FILE_LINK.test(value)) return
  const host = linkOf(value).replace(/\/.*/, '').toLowerCase()
  if (organisation?.domains?.some((domain) => isBelow(host, domain)) === true) return
  const [put] = effects.saved.map((name) => args[name])
  if (put === undefined) effects.fetched = lastPart(value)
  else if (typeof put === 'string')
    effects.fetched = FILE_NAME.test(put) ? put : `${put.replace(/\/$/, '')}/${lastPart(value)}`
}

/** Whether a host is of the organisation, or below one of its hosts: what stands there need not be public. */
const isBelow = (host: string, domain: string): boolean =>
  host === domain || host.endsWith(`.${domain.replace(/^\*?\./, '')}`)

/** A link without a login or query, to a file. */
const FILE_LINK = longPattern('destinations.FILE_LINK')

/** Sentences are no recipients: `copy` is also what an advertisement says. */
const isProse = (value: string): boolean => value.length > 64 && !value.includes('@')

/** Values that give access to everyone: `anyone_with_link`, `#public-news`. */
const OPENS = longPattern('destinations.OPENS')
const PHONE = longPattern('destinations.PHONE')
const HOST = longPattern('destinations.HOST')

/** Whether the value is a bare host such as `a.example.net`, not a file name. */
const isHost = (value: string): boolean => value.length <= 253 && HOST.test(value) && !isDataFile(value)

/** A header after a line break inside a value. */
const HEADER = longPattern('destinations.HEADER')

function readHeaders(value: string, call: Call): void {
  const addresses = value.match(/[^\s<>,;:"'()]{1,64}@[^\s<>,;:"'()]{1,255}/g) ?? []
  for (const address of addresses) readAddresses(address, true, call)
  if (addresses.length === 0) signal(call.effects, 'external', 1)
}

function readHost(value: string, call: Call): void {
  readUrl(value, call.effects)
  const place = placeOf(value, call.organisation) ?? 'outside'
  if (call.place !== undefined && PLACES.indexOf(place) > PLACES.indexOf(call.place)) call.place = place
  if (place === 'outside') signal(call.effects, 'external', 1)
}

/** If the argument's name does not say recipient, only complete addresses count. */
function readAddresses(value: string, isNamed: boolean, call: Call): void {
  if (!isNamed && hostOfAddress(value) === undefined && !/^\s*[^\s@]+@[^\s@]+\s*$/.test(value)) return
  const { inside, outside, unknown } = countRecipients(value, call.organisation)
  call.outside += outside
  call.recipients += inside + outside
  if (outside > 0) signal(call.effects, 'external', 1)
  if (unknown > 0 && !isAccount(value)) signal(call.effects, call.organisation ? 'external' : 'strangers', 1)
  if (call.worst && outside > 0)
    raise(call.effects, call.worst, 'somebody outside the organisation, named beside the recipients', true)
}
