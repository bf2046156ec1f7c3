import { longPattern } from '../../../text/data.js'
import { type Effects, does, raise } from '../../effects.js'
import { actsOn, namesOfPath } from '../../objects.js'

/** A package by its place: a URL, a repository. The hosts of well-known indexes are none. */
const SOURCE = longPattern('sources.SOURCE')
const INDEXES = longPattern('sources.INDEXES')

/** Records that a package comes from where only its name's author says: a task that names the place asks for it. */
export function noteSource(name: string, effects: Effects): void {
  if (name.length > 512 || !SOURCE.test(name) || INDEXES.test(name)) return
  raise(effects, { reversibility: 'irreversible' }, 'a package from a place that no index keeps')
  does(effects, 'grant')
  const place = name.replace(/^[^:]{0,64}:(?:\/\/)?/, '').split(/[#?@]/)[0] ?? ''
  actsOn(effects, 'persist', {
    kind: 'host',
    byName: true,
    names: [name, place, ...namesOfPath(place.replace(/\.git$/, ''))],
    thing: place,
  })
}
