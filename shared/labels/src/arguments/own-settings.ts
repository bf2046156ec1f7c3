import { longPattern } from '../text/data.js'
import type { Effects } from './effects.js'
import { actsOn } from './objects.js'
import { raiseIrreversible } from './shell/programs/irreversible.js'

const TEXT_MAX = 65_536
/** Files from which programs take their environment, or a deployment its settings; not examples of them. */
const SETTINGS = longPattern('own-settings.SETTINGS')
/** Sets one of Plimsoll's own variables. */
const SETS = longPattern('own-settings.SETS')

/**
 * Records that a file of settings gets one of Plimsoll's variables: `PLIMSOLL_MODE=observe` in `.env`. Only a task that names it or Plimsoll
 * asks for that.
 */
export function noteOwnSettings(path: string, text: string, effects: Effects): void {
  if (!text.includes('PLIMSOLL_') || text.length > TEXT_MAX || !SETTINGS.test(path.slice(-256))) return
  const [, name] = SETS.exec(text) ?? []
  if (name === undefined) return
  raiseIrreversible('grant', "a file that changes Plimsoll's settings", effects, 'write')
  actsOn(effects, 'control', {
    kind: 'setting',
    reach: 'control',
    byName: true,
    names: [name, 'plimsoll'],
    thing: name,
  })
}
