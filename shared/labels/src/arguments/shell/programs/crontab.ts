import { readSet } from '../../../text/data.js'
import { does, raise } from '../../effects.js'
import { actsOn } from '../../objects.js'
import type { Special } from '../call.js'
import { opaque } from './irreversible.js'
import { COMMAND_LABELS } from './commands.js'

const { DESTROY } = COMMAND_LABELS

/** Words by which tasks name what runs by the clock. */
const TIMES = [...readSet('shell', 'timers')]

/** Reads a change of the table of timed commands. */
export const crontab: Special = (call, { effects, whole }) => {
  if (call.args.includes('-r')) opaque(effects, 'the table of timed commands is deleted')
  else if (!call.args.includes('-l')) {
    raise(effects, DESTROY, 'commands that run later')
    does(effects, 'grant')
    actsOn(effects, 'persist', {
      byName: true,
      kind: 'setting',
      names: TIMES,
      thing: 'the table of timed commands',
    })
    // What is fed replaces all entries, unless they are among it.
    if (call.args.includes('-') && !/crontab\s{1,4}-l/.test(whole)) {
      does(effects, 'overwrite')
      actsOn(effects, 'change', {
        kind: 'setting',
        names: ['replace', 'crontab'],
        thing: 'all timed commands',
      })
    }
  }
}
