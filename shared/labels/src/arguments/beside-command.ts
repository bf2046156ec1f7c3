import { longPattern } from '../text/data.js'
import { quoted } from './shell/call.js'

/** Characters of an argument beside a command that are read, and variables of an environment. */
const TEXT_MAX = 16_384
const VARIABLES_MAX = 64

const ENVIRONMENT = longPattern('beside-command.ENVIRONMENT')
const INPUT = longPattern('beside-command.INPUT')
const LATER = longPattern('beside-command.LATER')
/** Another machine on which the command runs. */
const MACHINE = longPattern('beside-command.MACHINE')
/** A host by its full name or with a user; `node` and `devbox` may be this one. */
const REMOTE = longPattern('beside-command.REMOTE')
const OWN_MACHINE = longPattern('beside-command.OWN_MACHINE')
const NAME = /^[A-Za-z_]\w{0,127}$/

/**
 * The command line that a shell's arguments make together: the command with its environment and standard input, what runs before or
 * after it, and the machine on which it runs. Undefined if no argument beside the command has a part in it.
 *
 * @example wholeCommand('psql prod', { input: 'DROP TABLE a' }) // "psql prod <<'END_OF_INPUT'\nDROP TABLE a\nEND_OF_INPUT"
 */
export function wholeCommand(command: string, beside: Readonly<Record<string, unknown>>): string | undefined {
  let whole = command
  for (const [name, value] of Object.entries(beside)) {
    if (ENVIRONMENT.test(name)) whole = `${assignments(value)}${whole}`
    else if (typeof value !== 'string' || value === '' || value.length > TEXT_MAX) continue
    else if (INPUT.test(name)) whole = `${whole} <<'${END}'\n${value}\n${END}`
    else if (MACHINE.test(name) && REMOTE.test(value) && !OWN_MACHINE.test(value))
      whole = `ssh ${quoted([value, whole])}`
    else if (LATER.test(name)) whole = `${whole}\n${value}`
  }
  return whole === command ? undefined : whole
}

const END = 'END_OF_INPUT'

function assignments(environment: unknown): string {
  if (typeof environment !== 'object' || environment === null || Array.isArray(environment)) return ''
  return Object.entries(environment)
    .slice(0, VARIABLES_MAX)
    .filter(([name, value]) => NAME.test(name) && typeof value === 'string' && value.length <= TEXT_MAX)
    .map(([name, value]) => `${name}=${quoted([String(value)])} `)
    .join('')
}
