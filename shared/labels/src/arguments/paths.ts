import type { ClaimedLabels } from '@plimsoll/contracts'
import { patternOf, readSet, readTable, longPattern } from '../text/data.js'

/** A kind of path, with the labels of reading and of writing it. `temp` and `sink` are harmless to write. */
export interface PathKind {
  readonly name: string
  readonly reads: ClaimedLabels
  readonly writes: ClaimedLabels
}

const PARTIAL: ClaimedLabels = { capability: 'write', reversibility: 'partial' }
const CREDENTIALS: ClaimedLabels = { confidentiality: 'credentials' }
const SENSITIVE: ClaimedLabels = { confidentiality: 'sensitive' }
const INTERNAL: ClaimedLabels = { confidentiality: 'internal' }

export const PATH_KINDS = {
  plain: { name: 'a file', reads: {}, writes: PARTIAL },
  credentials: { name: 'a file of credentials', reads: CREDENTIALS, writes: { ...PARTIAL, ...CREDENTIALS } },
  sensitive: { name: 'a sensitive file', reads: SENSITIVE, writes: { ...PARTIAL, ...SENSITIVE } },
  home: { name: 'a file in a home folder', reads: INTERNAL, writes: { ...PARTIAL, ...INTERNAL } },
  system: { name: "a file of the system's", reads: INTERNAL, writes: PARTIAL },
  // Files written here run later, or give access.
  startup: {
    name: 'a file that is run or trusted later',
    reads: INTERNAL,
    writes: { capability: 'execute', reversibility: 'irreversible' },
  },
  // Rules, hooks and servers of a coding agent, and Plimsoll's own documents.
  guard: {
    name: 'a file that says what an agent may do',
    reads: {},
    writes: { capability: 'execute', reversibility: 'irreversible' },
  },
  device: {
    name: 'a device',
    reads: SENSITIVE,
    writes: { capability: 'execute', reversibility: 'irreversible' },
  },
  // Written now, it leaves later.
  published: {
    name: 'a file that a web server or a share gives out',
    reads: INTERNAL,
    writes: { capability: 'network', reversibility: 'partial' },
  },
  remote: {
    name: 'a path on another host',
    reads: { capability: 'network', trust: 'untrusted' },
    writes: { capability: 'network', reversibility: 'irreversible' },
  },
  temp: {
    name: 'a temporary file',
    reads: {},
    writes: { capability: 'write', reversibility: 'reversible' },
  },
  sink: { name: 'nowhere', reads: {}, writes: {} },
} as const satisfies Record<string, PathKind>

const CREDENTIAL_NAMES = readSet('paths', 'credentialNames')
const CREDENTIAL_EXTENSIONS = readSet('paths', 'credentialExtensions')
const CREDENTIAL_FOLDERS = readSet('paths', 'credentialFolders')
const CREDENTIAL_PARTS = [...readSet('paths', 'credentialParts')]
const SENSITIVE_PARTS = [...readSet('paths', 'sensitiveParts')]
const SENSITIVE_NAMES = readSet('paths', 'sensitiveNames')
const SENSITIVE_FOLDERS = readSet('paths', 'sensitiveFolders')
const PUBLISHED_ROOTS = readSet('paths', 'publishedRoots')
const PUBLISHED_FOLDERS = readSet('paths', 'publishedFolders')
const MOUNTS = readSet('paths', 'mounts')
const STARTUP_NAMES = readSet('paths', 'startupNames')
const STARTUP_FOLDERS = readSet('paths', 'startupFolders')
/** Folders that many projects have too, and where they are those whose files run by themselves. */
const STARTUP_PLACE_FOLDERS = readSet('paths', 'startupPlaceFolders')
const STARTUP_PLACES = patternOf(readTable<string>('paths', 'startupPlaces'))
const AGENT_FOLDERS = readSet('paths', 'agentFolders')
const AGENT_SETTINGS = readSet('paths', 'agentSettings')
const GUARD_NAMES = readSet('paths', 'guardNames')
const GUARD_DOCUMENTS = readSet('paths', 'guardDocuments')
const SYSTEM_ROOTS = readSet('paths', 'systemRoots')
const SINKS = readSet('paths', 'sinks')
const CODE_EXTENSIONS = readSet('paths', 'codeExtensions')

/** Characters read from each end of a path. */
const END_MAX = 1024

/**
 * The kind of `path`, by its text alone. Case, doubled slashes, `.`, `..`, Windows separators and `file:` are normalised.
 *
 * @example pathKindOf('~/.aws/config').name // 'a file of credentials'
 */
export function pathKindOf(path: string): PathKind {
  const found = known.get(path)
  if (found) return found
  const kind = readPath(path)
  if (known.size < KNOWN_MAX) known.set(path, kind)
  return kind
}

/** The paths of one step: several readers ask for each. None is kept for longer. */
const KNOWN_MAX = 1_024
const known = new Map<string, PathKind>()

/** Ends the step. Clearing an empty map would make another. */
export function forgetPaths(): void {
  if (known.size > 0) known.clear()
}

function readPath(path: string): PathKind {
  if (SINKS.has(path)) return PATH_KINDS.sink
  const folders = foldersOf(path)
  const name = folders.pop() ?? ''
  const rooted = isRooted(path)
  // `C:\\dev\\portal` is a folder of projects.
  const isUnix = rooted && !OF_DRIVE.test(path)
  if (isUnix && folders[0] === 'dev') return deviceKindOf(folders, name)
  if (isRemote(path)) return PATH_KINDS.remote
  if (isGuard(folders, name)) return PATH_KINDS.guard
  if (isCredential(folders, name)) return PATH_KINDS.credentials
  if (
    (STARTUP_NAMES.has(name) && (!OF_ETC.has(name) || folders.includes('etc') || folders.length === 0)) ||
    folders.some((folder) => STARTUP_FOLDERS.has(folder)) ||
    isStartupPlace(folders, name)
  )
    return PATH_KINDS.startup
  if (rooted && isPublished(folders, name)) return PATH_KINDS.published
  if (isSensitive(folders, name)) return PATH_KINDS.sensitive
  if (rooted && (isTemp(folders, name) || name === ''))
    return name === '' && folders.length === 0 ? PATH_KINDS.system : PATH_KINDS.temp
  if (path.startsWith('~') || (rooted && (folders[0] === 'home' || folders[0] === 'users')))
    return PATH_KINDS.home
  if (isUnix && SYSTEM_ROOTS.has(folders[0] ?? name)) return PATH_KINDS.system
  return PATH_KINDS.plain
}

/** A path of Windows: its drive. */
const OF_DRIVE = /^(?:file:\/{0,3})?[A-Za-z]:/

/** Whether a file lies where Git, pipelines or the system run it, and not only in a folder that is called so: `src/hooks/use-list.ts`. */
const isStartupPlace = (folders: readonly string[], name: string): boolean =>
  folders.some((folder) => STARTUP_PLACE_FOLDERS.has(folder) || folder.endsWith('hooks')) &&
  STARTUP_PLACES.test(`${folders.join('/')}/${name}`)

/** Lower-case parts of a path, with `.` and `..` resolved. */
export function foldersOf(path: string): string[] {
  if (path.length <= END_MAX && !path.includes('/') && !path.includes('\\')) return [path.toLowerCase()]
  const cut = path.length > 2 * END_MAX ? `${path.slice(0, END_MAX)}/${path.slice(-END_MAX)}` : path
  const plain = cut.toLowerCase()
  const folders: string[] = []
  for (const part of (plain.includes('\\') ? plain.replaceAll('\\', '/') : plain).split('/')) {
    if (part === '..') folders.pop()
    else if (part !== '' && part !== '.' && part !== 'file:') folders.push(part)
  }
  if (folders[0] !== undefined && /^[a-z]:$/.test(folders[0])) folders.shift()
  return folders
}

const isRooted = (path: string): boolean =>
  path.startsWith('/') || path.startsWith('file:') || path.startsWith('\\') || path[1] === ':'

const isRemote = (path: string): boolean =>
  path.startsWith('\\\\') || (path.startsWith('//') && /^\/\/[^/]/.test(path) && path.split('/').length > 4)

function deviceKindOf(folders: readonly string[], name: string): PathKind {
  if (folders[1] === 'tcp' || folders[1] === 'udp') return PATH_KINDS.remote
  if (folders[1] === 'shm') return PATH_KINDS.temp
  return SINKS.has(`/dev/${name}`) || folders[1] === 'fd' ? PATH_KINDS.sink : PATH_KINDS.device
}

function isCredential(folders: readonly string[], name: string): boolean {
  if (CREDENTIAL_NAMES.has(name)) return true
  if (name.startsWith('.env.')) return !/\.(example|sample|template|dist)$/.test(name)
  const extension = extensionOf(name)
  if (name === OWN_KEY && isOwnState(folders)) return true
  if (extension === 'pub' || name === 'known_hosts' || name === 'authorized_keys') return false
  if (CREDENTIAL_EXTENSIONS.has(extension) || CREDENTIAL_FOLDERS.has(name)) return true
  // `src/secrets/manager.ts` is a program about secrets.
  const isSource = CODE_EXTENSIONS.has(extension)
  if (folders.some((folder) => CREDENTIAL_FOLDERS.has(folder) && !(isSource && OF_SOURCES.has(folder))))
    return true
  if (name === 'config.json' && folders.at(-1) === '.docker') return true
  if (isSource || (name === 'passwd' && folders[0] === 'etc')) return false
  return CREDENTIAL_PARTS.some((part) => name.includes(part))
}

/** Folders of secrets that programs may be in, too. */
const OF_SOURCES: ReadonlySet<string> = new Set(['secrets', 'gcloud', 'keychains'])

/** Files of the system whose names others may have in a project. */
const OF_ETC: ReadonlySet<string> = new Set('crontab passwd group hosts resolv.conf'.split(' '))

/** Whether a path is one of the files by which agents are configured and guarded. */
function isGuard(folders: readonly string[], name: string): boolean {
  const folder = folders.at(-1) ?? ''
  if (GUARD_NAMES.has(name) || CONSOLE_USERS.test(`${folder}/${name}`)) return true
  if (AGENT_FOLDERS.has(folder)) return AGENT_SETTINGS.has(name)
  if (OF_AGENT.has(folder) && AGENT_FOLDERS.has(folders.at(-2) ?? '')) return true
  if (folder === 'goose' && OF_GOOSE.test(name)) return isGooseFolder(folders)
  if (isOwnState(folders)) return name !== OWN_KEY
  return folders.includes('.plimsoll') || (folder === 'plimsoll' && GUARD_DOCUMENTS.has(name))
}

/** The people who may answer in the console. */
const CONSOLE_USERS = longPattern('paths.CONSOLE_USERS')

/** Folders with code that an agent's client runs. */
const OF_AGENT: ReadonlySet<string> = new Set(['hooks', 'plugin', 'plugins'])

/** Settings of goose, whose folder may be that of a project too. */
const OF_GOOSE = /\.(?:ya?ml|json)$/
const isGooseFolder = (folders: readonly string[]): boolean =>
  /^(?:\.config|block)$/.test(folders.at(-2) ?? '')

/** Whether a folder holds the settings or hooks of an agent: `.claude`, `.claude/hooks`, `~/.config/goose`. */
export function holdsGuards(path: string): boolean {
  const folders = foldersOf(path)
  const name = folders.at(-1) ?? ''
  if (name === 'goose') return isGooseFolder(folders)
  return (
    (name.startsWith('.') && AGENT_FOLDERS.has(name)) ||
    (OF_AGENT.has(name) && AGENT_FOLDERS.has(folders.at(-2) ?? ''))
  )
}

/** Where Plimsoll keeps what its sessions have read, its approvals and its hooks: `~/.local/state/plimsoll`. */
const OWN_STATE: ReadonlySet<string> = new Set(['hooks', 'approvals', 'lineages'])
/** The file that approvals are signed with. */
const OWN_KEY = 'key'

function isOwnState(folders: readonly string[]): boolean {
  const at = folders.lastIndexOf('plimsoll')
  return at >= 0 && (OWN_STATE.has(folders[at + 1] ?? '') || folders[at - 1] === 'state')
}

function isSensitive(folders: readonly string[], name: string): boolean {
  if (SENSITIVE_NAMES.has(name)) return true
  // Source code of a mail program is not mail.
  if (CODE_EXTENSIONS.has(extensionOf(name))) return false
  return (
    folders.some((folder) => SENSITIVE_FOLDERS.has(folder)) ||
    SENSITIVE_PARTS.some((part) => name.includes(part))
  )
}

/** `/var/www/html/x`, `/srv/http/x`, `/mnt/share/public/x`. */
const isPublished = (folders: readonly string[], name: string): boolean =>
  PUBLISHED_ROOTS.has(folders.slice(0, 2).join('/')) ||
  folders.some((folder) => PUBLISHED_FOLDERS.has(folder)) ||
  // Projects of Windows seen from Linux: `/mnt/c/dev/site/public`.
  (MOUNTS.has(folders[0] ?? '') && !/^[a-z]$/.test(folders[1] ?? '') && [...folders, name].includes('public'))

function isTemp(folders: readonly string[], name: string): boolean {
  const [first = name, second = name] = folders
  if (first === 'tmp' || (first === 'var' && second === 'tmp')) return true
  return first === 'private' && (second === 'tmp' || folders.includes('tmp'))
}

function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(dot + 1) : ''
}

const DOOR = patternOf(readTable<string>('paths', 'doors'))

/** Whether the file decides who gets access, or what runs later under another account. */
export const opensDoor = (path: string): boolean => path.length <= END_MAX && DOOR.test(path)

/** Files that define a project's own test, build and lint targets. */
const RUNNER_FILES = readSet('paths', 'runnerFiles')
const RUNNER_PATTERN = patternOf(readTable<string>('paths', 'runnerPattern'))

/** Whether the path is a file that defines a project's own targets. */
export function isRunnerFile(path: string): boolean {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase()
  return RUNNER_FILES.has(name) || RUNNER_PATTERN.test(name)
}

/** Extensions of files that are read but never run. */
const DATA = patternOf(readTable<string>('paths', 'dataFiles'))

/** Whether the file is data that is never run, by its name. */
export const isDataFile = (path: string): boolean => DATA.test(path) && !isRunnerFile(path)

/** Files that hold people's records: data, tables, documents, keys. */
const RECORDS = longPattern('paths.RECORDS')
/** Files of data that a build or test seldom makes. */
const KEEPS_DATA = longPattern('paths.KEEPS_DATA')
export const isPeoplesRecord = (path: string): boolean => RECORDS.test(path)
/** Whether a file holds records of people, or a database. */
export const isRecord = (path: string): boolean => RECORDS.test(path) || KEEPS_DATA.test(path)
