import { lstatSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import type { LossAt } from '@plimsoll/labels'
import { isBelow, isLost } from '../local-files/find-files.js'
import type { ProposedStep } from '../session.js'

/** Where the step's relative paths begin on this machine; undefined if that is not known. */
export function folderOf(
  { localFolder, isRemote, arguments: args = {} }: ProposedStep,
  ofSession?: string,
): string | undefined {
  const folder = localFolder ?? ofSession
  if (folder === undefined || isRemote === true || !path.isAbsolute(folder)) return undefined
  for (const name of Object.keys(args))
    if (OF_FOLDER.test(name)) {
      const given = args[name]
      // Behind a link `..` is elsewhere.
      return typeof given === 'string' && !given.includes('..') ? path.resolve(folder, given) : undefined
    }
  return folder
}

/** Arguments by which a tool takes another folder. */
const OF_FOLDER = /^(?:cwd|workdir|working_?dir(?:ectory)?|dir|directory|dir_path|folder)$/i

/**
 * Whether something is at a path of this machine, for a step that says that it makes it. Undefined if that is not known: a path that lies
 * neither in the working folder nor in the user's home, as on a share that is away, or a folder that may not be read.
 */
export function presenceIn(
  step: ProposedStep,
  ofSession: string | undefined,
): ((place: string) => boolean | undefined) | undefined {
  const folder = folderOf(step, ofSession)
  return folder === undefined ? undefined : presenceBelow(folder)
}

/** Functions of their own, here and below, as what a function keeps for others is made at each of its calls. */
function presenceBelow(folder: string): (place: string) => boolean | undefined {
  return (place) => {
    const at = path.resolve(folder, place)
    if (place.startsWith('~') || ![folder, homedir()].some((above) => isBelow(at, above))) return undefined
    try {
      return lstatSync(at, { throwIfNoEntry: false }) !== undefined
    } catch {
      return undefined
    }
  }
}

const lossesOf = new WeakMap<ProposedStep, LossAt>()

/** What a step loses for good of the files of this machine. It looks once for each place, so that a second reading of the step says the same. */
export function lossesIn(
  step: ProposedStep,
  { localFolder, since }: { readonly localFolder: string | undefined; readonly since: number },
): LossAt | undefined {
  const folder = folderOf(step, localFolder)
  return folder === undefined ? undefined : (lossesOf.get(step) ?? lossesBelow(step, folder, since))
}

function lossesBelow(step: ProposedStep, folder: string, since: number): LossAt {
  const seen = new Map<string, boolean | undefined>()
  const lossAt: LossAt = (place, how) => {
    const key = `${how} ${place}`
    if (!seen.has(key)) seen.set(key, isLost(place, how, folder, since))
    return seen.get(key)
  }
  lossesOf.set(step, lossAt)
  return lossAt
}
