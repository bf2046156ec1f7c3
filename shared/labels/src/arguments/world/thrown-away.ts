import { readSet } from '../../text/data.js'
import { type EffectAct, ACT_OF_EFFECT } from '@plimsoll/contracts'
import { type ActedOn, type Effects, LOSSES } from '../effects.js'
import { PATH_KINDS, pathKindOf } from '../paths.js'
import { pathFrom } from '../shell/own-folders.js'
import { PATH_MAX } from './known-world.js'

/** Roots of systems: what is below them starts the machine, its programs or Plimsoll's. */
const SYSTEM = readSet('arguments', 'thrownAwaySystem')
/** Folders whose own folders are homes or projects. */
const HOLDS_PROJECTS = readSet('arguments', 'thrownAwayHoldsProjects')
const HOMES: ReadonlySet<string> = new Set(['home', 'users'])

/** Kinds of files whose loss is none on a disposable machine: neither settings of an agent nor what runs later. */
const ORDINARY: ReadonlySet<unknown> = new Set([
  PATH_KINDS.plain,
  PATH_KINDS.credentials,
  PATH_KINDS.sensitive,
  PATH_KINDS.home,
  PATH_KINDS.system,
  PATH_KINDS.temp,
])

/**
 * Whether what a local program deletes or empties is lost with its machine anyway, by the path alone. Never a path that may hold what guards
 * the agent: a home, a project, a hidden folder, a part of the system, Plimsoll. A pattern at its end stands for what the folder holds.
 */
export function isThrownAway(path: string, effects: Effects): boolean {
  if (effects.world?.isDisposable !== true || path.length > PATH_MAX) return false
  const slash = path.lastIndexOf('/')
  const isPattern = /[*?[\]]/.test(path.slice(slash + 1))
  if (isPattern && (slash < 1 || path[slash + 1] === '.')) return false
  const whole = isPattern ? path.slice(0, slash) : path
  if (!ORDINARY.has(pathKindOf(whole)) || /plimsoll/i.test(path)) return false
  const ofHome = /^~\/(.+)$/.exec(whole)?.[1]
  const from = ofHome ?? whole
  // Of the home nothing is known but what is below it.
  const seen = ofHome === undefined ? pathFrom(from, effects) : pathFrom(`/home/user/${from}`, effects)
  if (seen === undefined) return false
  const parts = seen.split('/').filter((part) => part !== '')
  if (parts.some((part) => part.startsWith('.'))) return false
  return seen.startsWith('/') ? isBelowHolders(seen, parts, effects.world.folder) : !isRootName(parts)
}

/** A shell may be in the root, where `opt` is that of the system. */
const isRootName = (parts: readonly string[]): boolean => {
  const [first = ''] = parts
  return (
    parts.length === 1 &&
    (SYSTEM.has(first) || HOLDS_PROJECTS.has(first) || /^(?:home|Users|opt|var|tmp)$/.test(first))
  )
}

function isBelowHolders(path: string, parts: readonly string[], folder: string | undefined): boolean {
  const first = parts[0]?.toLowerCase() ?? ''
  if (SYSTEM.has(first) || (first === 'var' && parts[1] === 'log')) return false
  if (folder !== undefined && (folder === path || folder.startsWith(`${path}/`))) return false
  // Without a declared folder, any of these may be the project.
  const further = folder === undefined ? 1 : 0
  if (HOMES.has(first)) return parts.length >= 3 + further
  return parts.length >= 2 + (HOLDS_PROJECTS.has(first) ? further : 0)
}

const lossOf = (act: EffectAct): number => {
  const behind = ACT_OF_EFFECT[act]
  return behind === 'delete' || behind === 'overwrite' ? LOSSES[behind] : 0
}

/** Bits of what is lost by the objects from the place `from` on. */
export const lossesOf = (objects: readonly Pick<ActedOn, 'act'>[], from = 0): number =>
  objects.reduce((bits, { act }, i) => (i < from ? bits : bits | lossOf(act)), 0)

/**
 * Takes `disposable` back, and own things, where the step also loses something that has no object of its own: nobody could tell the one loss
 * from the other.
 */
export function settleLosses({ objects, losses, openLosses }: Effects): void {
  const others = lossesOf(objects.filter(({ reach }) => reach !== 'disposable'))
  const open = openLosses | (losses & ~others)
  if (open === 0) return
  for (const [i, each] of objects.entries()) {
    if ((lossOf(each.act) & open) === 0) continue
    const isOpen = (openLosses & lossOf(each.act)) !== 0
    objects[i] = {
      ...each,
      reach: each.reach === 'disposable' ? 'shared' : each.reach,
      own: isOpen ? [] : each.own,
    }
  }
}
