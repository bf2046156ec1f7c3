import {
  type CatalogueEntry,
  type Organisation,
  type World,
  CAPABILITIES,
  joinWorlds,
} from '@plimsoll/contracts'
import { readSet } from '../../text/data.js'
import { isOfServer } from '../../tools/entries.js'
import type { Effects, KnownWorld } from '../effects.js'
import { isInside, placeOf } from '../web.js'

/** What a world says to tools that run programs, and to those that act on files. */
interface Known {
  readonly organisation: Organisation | undefined
  readonly programs: KnownWorld
  readonly files: KnownWorld
}
const known = new WeakMap<World, Known>()

/** The world as it is read for an organisation; the latest of each document is kept. A machine is contained or thrown away for programs alone. */
export function readWorld(
  world: World,
  organisation: Organisation | undefined,
  of: 'programs' | 'files',
): KnownWorld {
  let found = known.get(world)
  if (!found || found.organisation !== organisation) {
    const programs = readWhole(world, organisation)
    found = { organisation, programs, files: { ...programs, isContained: false, isDisposable: false } }
    known.set(world, found)
  }
  return found[of]
}

function readWhole(world: World, organisation: Organisation | undefined): KnownWorld {
  const { network, disposable, folder, production = [] } = world
  return {
    isContained:
      network === 'none' || network?.hosts.every((host) => staysInside(host, organisation)) === true,
    isDisposable: disposable === true,
    folder: folder
      ?.replaceAll('\\', '/')
      .replaceAll(/\/(?:\.?\/)*/g, '/')
      .replace(/\/\.?$/, ''),
    production: production.map((name) => name.toLowerCase()),
  }
}

/** Whether a host, or each that a pattern stands for, is this machine or of the organisation. */
function staysInside(host: string, organisation: Organisation | undefined): boolean {
  if (!host.startsWith('*.')) {
    const place = placeOf(host, organisation)
    return place === 'local' || place === 'inside'
  }
  return organisation?.domains.includes(host) === true || isInside(host.slice(2), onlyPatterns(organisation))
}

const onlyPatterns = (organisation: Organisation | undefined): Organisation | undefined =>
  organisation && { domains: organisation.domains.filter((domain) => domain.startsWith('*.')) }

/** Arguments of programs that run where the agent does. */
const PROGRAMS: ReadonlySet<string> = new Set(['shell', 'code', 'powershell'])

/** What a tool acts on where the agent runs, if anything. A tool on an MCP server acts where that is. */
export function actsHere(
  tool: string,
  entry: CatalogueEntry | undefined,
  deletesFiles: boolean,
): 'programs' | 'files' | undefined {
  if (entry === undefined || isOfServer(tool, entry)) return undefined
  const { labels, arguments: read = [] } = entry
  if (labels.capability === 'execute' && read.some(({ as }) => PROGRAMS.has(as))) return 'programs'
  const isOfFiles = deletesFiles || read.some(({ as }) => as === 'path')
  return labels.capability === 'write' && isOfFiles ? 'files' : undefined
}

/** Programs that start others on another host, in another container or outside of this one. */
const LEAVING = readSet('shell', 'leaving')

/** Notes that a command may start programs elsewhere: then it is not known to be contained. */
export function noteLeaving(name: string, effects: Effects): void {
  const { world } = effects
  if (world?.isContained === true && LEAVING.has(name)) effects.world = { ...world, isContained: false }
}

/** Reads what runs elsewhere: of the world only its names of production hold there. */
export function elsewhere(effects: Effects, read: () => void): void {
  const { world, isAway } = effects
  effects.isAway = true
  if (world) effects.world = { ...world, isContained: false, isDisposable: false, folder: undefined }
  read()
  effects.world = world
  effects.isAway = isAway
}

/** Wrappers that start a command in another root or name space. */
export const leavesRoot = (name: string): boolean => LEAVING.has(name)

const EXECUTE = CAPABILITIES.indexOf('execute')

/** Whether the step is a program of a contained world that is not seen to reach out. */
export const isContained = ({ world, capability }: Effects): boolean =>
  world?.isContained === true && capability === EXECUTE

/** Longer paths are not compared, in characters. */
export const PATH_MAX = 512

/** Whether an absolute path lies inside the declared folder. */
export function isOfFolder(path: string, { world }: Effects): boolean {
  const folder = world?.folder
  if (folder === undefined || path.length > PATH_MAX || /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path)) return false
  const plain = path.replaceAll('\\', '/')
  return plain === folder || plain.startsWith(`${folder}/`)
}

/** A path inside the declared folder as seen from there; other paths as they are. */
export const fromFolder = (path: string, effects: Effects): string =>
  isOfFolder(path, effects) ? path.slice((effects.world?.folder ?? '').length + 1) || '.' : path

/**
 * Returns the world of each step: the catalogue's joined with the session's, and none for a step that runs elsewhere. One object for each that is
 * declared, as what is read of it is kept by it.
 */
export function createWorldFinder(
  ofCatalogue: World | undefined,
): (step: {
  readonly world?: World | undefined
  readonly isRemote?: boolean | undefined
}) => World | undefined {
  const worlds = new WeakMap<World, World>()
  return ({ world, isRemote }) => {
    if (isRemote === true) return undefined
    if (world === undefined || ofCatalogue === undefined) return world ?? ofCatalogue
    const joined = worlds.get(world) ?? joinWorlds(ofCatalogue, world) ?? world
    worlds.set(world, joined)
    return joined
  }
}
