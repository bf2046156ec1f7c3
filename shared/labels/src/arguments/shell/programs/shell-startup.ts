import { type Effects, does, raise } from '../../effects.js'
import { actsOn, wordsIn } from '../../objects.js'
import { SHELL_STARTUP } from '../../runs-later.js'

/** Records that every new shell runs something else from now on: a task that names the file, the shell or what is set there asks for it. */
export function noteShellStartup(path: string, text: string, effects: Effects): void {
  if (!SHELL_STARTUP.test(path) || effects.world?.isDisposable === true) return
  const name = path.split(/[\\/]/).at(-1) ?? path
  raise(
    effects,
    { capability: 'write', reversibility: 'irreversible' },
    'what every new shell runs is changed',
  )
  does(effects, 'grant')
  actsOn(effects, 'persist', {
    kind: 'setting',
    byName: true,
    names: [name, name.replace(/^\./, ''), ...OF_SHELLS, ...wordsIn(text.slice(0, 512)).slice(0, 8)],
    thing: path,
  })
}
const OF_SHELLS = 'path shell terminal profile alias environment'.split(' ')
