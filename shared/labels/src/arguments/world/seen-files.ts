import type { LossAt } from '../../observer-views.js'
import { type ActedOn, type Effects, LOSSES } from '../effects.js'
import { actsOnPath } from '../objects.js'
import { PATH_KINDS, pathKindOf } from '../paths.js'
import { ownNames } from '../shell/own-folders.js'
import { deletes, isMadeAgain } from '../shell/programs/deletions.js'
import { fromFolder } from './known-world.js'

const howOf = ({ act, own }: ActedOn): 'delete' | 'restore' | undefined => {
  if (act === 'delete') return 'delete'
  return act === 'change' && own.some((name) => name.startsWith('ownthing:edited:')) ? 'restore' : undefined
}

/** Whether a tool of this machine that deletes files takes what can be made again, by its name: a command that does so records no loss. */
const isMade = ({ act, kind, thing = '' }: ActedOn, effects: Effects): boolean =>
  effects.commands === 0 &&
  act === 'delete' &&
  kind === 'path' &&
  (isMadeAgain(fromFolder(thing, effects), true) || pathKindOf(thing) === PATH_KINDS.temp)

/**
 * Takes what was seen of the files over what names say: a loss that can be taken back is none, with the reach `disposable`; a deleted file
 * that is there, neither committed nor new, is one whatever its name.
 *
 * @param isHere whether the tool is on no other server
 */
export function settleSeen(effects: Effects, lossAt: LossAt | undefined, isHere: boolean): void {
  const { objects, openLosses, doubtful, commands } = effects
  for (const [i, each] of objects.entries()) {
    const how = each.kind !== 'path' || each.reach === 'control' ? undefined : howOf(each)
    if (how === undefined || (openLosses & LOSSES[how === 'delete' ? 'delete' : 'overwrite']) !== 0) continue
    const place = commands === 0 ? each.thing : each.place
    const isLost =
      isHere && isMade(each, effects) ? false : place === undefined ? undefined : lossAt?.(place, how)
    if (isLost === false) objects[i] = { ...each, reach: 'disposable' }
  }
  if (doubtful.length === 0 || lossAt === undefined) return
  effects.folder = ''
  for (const path of doubtful) {
    if (lossAt(path, 'work') !== true) continue
    deletes('files are deleted that nothing brings back', effects)
    actsOnPath(effects, 'delete', path, ownNames(path, effects))
    const last = objects.at(-1)
    if (last?.thing === path) objects[objects.length - 1] = { ...last, place: path }
  }
}
