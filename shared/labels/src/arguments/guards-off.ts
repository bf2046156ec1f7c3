import { longPattern } from '../text/data.js'
import { type Effects, does, raise } from './effects.js'
import { actsOn, wordsIn } from './objects.js'

/** Characters of a text that are read, and settings of it. */
const TEXT_MAX = 16_384
const SETTINGS_MAX = 32

/** Files that say how infrastructure is set up. */
const OF_INFRASTRUCTURE = longPattern('guards-off.OF_INFRASTRUCTURE')

/** A setting of what infrastructure is guarded by, and whether it is on. */
const GUARD = longPattern('guards-off.GUARD')

/**
 * Records that an edit switches off what guards infrastructure: `deletion_protection = true` becomes `false`. A task that names the guard asks for it.
 * What a new file has from the beginning switches nothing off. Linear in the texts.
 */
export function noteGuardsOff(path: string, before: string, after: string, effects: Effects): void {
  if (before === '' || !OF_INFRASTRUCTURE.test(path)) return
  const was = guardsIn(before)
  if (was.size === 0) return
  for (const [name, isOn] of guardsIn(after)) {
    if (isOn || was.get(name) !== true) continue
    raise(
      effects,
      { capability: 'write', reversibility: 'irreversible' },
      'an edit that takes a protection away',
    )
    does(effects, 'grant')
    const names = [name, ...wordsIn(name.replaceAll('_', ' ')).filter((word) => !GENERAL.has(word))]
    actsOn(effects, 'control', { kind: 'setting', names, thing: name, byName: true })
  }
}

/** Words of such names that say nothing of what is guarded. */
const GENERAL: ReadonlySet<string> = new Set([
  'enable',
  'enabled',
  'is',
  'point',
  'in',
  'time',
  'key',
  'public',
  'storage',
  'block',
])

function guardsIn(text: string): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>()
  for (const [, name = '', value = ''] of text.slice(0, TEXT_MAX).matchAll(GUARD)) {
    if (found.size >= SETTINGS_MAX) break
    found.set(name.toLowerCase(), /^(?:true|enabled)$/i.test(value))
  }
  return found
}
