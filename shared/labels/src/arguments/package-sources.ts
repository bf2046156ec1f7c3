import { patternOf, readSet, readTable, longPattern } from '../text/data.js'
import { type Effects, does, raise } from './effects.js'
import { actsOn, namesOfAddress } from './objects.js'

/** Files that say where package managers take packages from, and a line of theirs that names such a place. */
const FILES = patternOf(readTable<string>('paths', 'packageSources'))
const LINE = longPattern('package-sources.LINE')

/** Places that everybody takes packages from, and hosts of the organisation's own kind. */
const KNOWN = readSet('paths', 'packageHosts')
const INSIDE = longPattern('package-sources.INSIDE')

/** Characters of a text that are read, and places in it. */
const TEXT_MAX = 16_384
const PLACES_MAX = 4

/**
 * Records that a package manager will take its packages from another place, whose programs then run at each installation: a task that names
 * the address asks for it. Linear in the text.
 */
export function notePackageSources(path: string, text: string, effects: Effects): void {
  if (path.length > 512 || !FILES.test(path)) return
  let left = PLACES_MAX
  for (const [, host = '', rest = ''] of text.slice(0, TEXT_MAX).matchAll(LINE)) {
    if (isKnownHost(host.toLowerCase())) continue
    if ((left -= 1) < 0) return
    raise(
      effects,
      { capability: 'write', reversibility: 'irreversible' },
      'a file that takes packages from another place',
    )
    does(effects, 'grant')
    const address = `https://${host}${rest}`
    actsOn(effects, 'persist', {
      kind: 'setting',
      byName: true,
      names: namesOfAddress(address, host),
      thing: address,
    })
  }
}

/** Whether the host is known, or a domain that it is below. */
function isKnownHost(host: string): boolean {
  if (INSIDE.test(host)) return true
  for (let at = 0; at >= 0; at = host.indexOf('.', at) + 1 || -1) if (KNOWN.has(host.slice(at))) return true
  return false
}
