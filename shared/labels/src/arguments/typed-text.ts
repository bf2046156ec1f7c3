import { noteCodeActs } from './code-acts.js'
import { type Call, type Effects, createEffects } from './effects.js'
import { readProgramTexts } from './program-texts.js'
import { readShell } from './shell/read-shell.js'
import { readPossibleSql } from './sql/read-sql.js'

/** Tools that type into a program that runs already, also of a server, and what they type. */
const TYPING: ReadonlySet<string> = new Set([
  'write_stdin',
  'write_bash',
  'send_command_input',
  'interact_with_process',
  'send_keys',
  'send_input_to_process',
  'terminal_input',
])
const OF_SERVER = /^.{0,64}__$/
const TEXTS = ['chars', 'input', 'text', 'keys', 'data', 'command']
const TEXT_MAX = 16_384

/**
 * Records the acts of a text that a tool types into a running program: a shell, a database, or an interpreter of another language. What it is typed into is not
 * known, so only acts count that a text plainly shows in one of these.
 */
export function readTypedText(tool: string, args: Readonly<Record<string, unknown>>, call: Call): void {
  const own = tool.lastIndexOf('__') + 2
  if (!TYPING.has(own < 2 ? tool : tool.slice(own)) || (own >= 2 && !OF_SERVER.test(tool.slice(0, own))))
    return
  for (const name of TEXTS) {
    const text = Object.hasOwn(args, name) ? args[name] : undefined
    if (typeof text === 'string' && text.length <= TEXT_MAX) readTyped(text, call)
  }
}

function readTyped(text: string, { effects, organisation }: Call): void {
  const shell = (command: string, to: Effects) => readShell(command, to, organisation)
  const tried = createEffects()
  shell(text, tried)
  if (tried.signals['unreadable'] === undefined) shell(text, effects)
  noteCodeActs(text, effects)
  readPossibleSql(text, effects)
  readProgramTexts(text, effects, organisation, shell, false)
}
