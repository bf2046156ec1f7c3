import { raise } from '../effects.js'
import { readAssignmentWord } from './assignments.js'
import { type Call, type ShellContext, UNKNOWN_VALUE, restOf, withUnknown } from './call.js'
import { COMMAND_LABELS } from './programs/commands.js'
import { oneByProgram, programsThat } from './programs/command-table.js'

/** A command that runs another, which follows its own options and operands. */
interface Wrapper {
  /** Options that take the next word. */
  readonly valued?: string
  /** Options without a value; single letters are listed separately. Any other option may or may not take the next word. */
  readonly flags?: string
  /** Number of its own operands before the command: a duration, a folder. */
  readonly operands?: number
  /** It does nothing but start the command. */
  readonly plain?: true
}

const WRAPPERS = oneByProgram<Wrapper>('wraps')

interface Options {
  readonly valued: ReadonlySet<string>
  readonly flags: ReadonlySet<string>
}
const OPTIONS = new Map<string, Options>(
  [...WRAPPERS].map(([name, { valued = '', flags = '' }]) => [
    name,
    { valued: new Set(valued.split(' ')), flags: new Set(flags.split(' ')) },
  ]),
)

/** Commands that run others as another user, mostly root. */
export const PRIVILEGED = programsThat('privileged')

/** The command that `call` runs; `none` for a wrapper without one (`env`), undefined if `call` is no wrapper. */
export function unwrap(call: Call, context: ShellContext): Call | 'none' | undefined {
  const wrapper = WRAPPERS.get(call.name)
  if (!wrapper) return undefined
  if (call.name === 'command' && /^-[a-zA-Z]*[vV]/.test(call.args[0] ?? '')) return 'none'
  const text = TAKES_LINE.has(call.name) ? lineIn(call) : undefined
  if (text !== undefined) {
    raise(context.effects, COMMAND_LABELS.EXECUTE, `\`${call.name}\` that runs another command`)
    context.nested(text, context)
    return 'none'
  }
  const { at, isKnown } = commandAt(call, wrapper, context)
  if (!isKnown || (wrapper.plain !== true && !PRIVILEGED.has(call.name)))
    raise(context.effects, COMMAND_LABELS.EXECUTE, `\`${call.name}\` that runs another command`)
  const inner = restOf(call, at)
  if (call.name !== 'xargs') return inner ?? 'none'
  return inner ? fed(call, inner, at) : 'none'
}

/** Wrappers that also take a command line as one word: `script -c 'a; b'`, `flock FILE -c 'a; b'`, `watch 'a; b'`. */
const TAKES_LINE: ReadonlySet<string> = new Set(['script', 'flock', 'watch'])

function lineIn({ name, args }: Call): string | undefined {
  const joined = args.find((arg) => arg.startsWith('--command='))
  if (joined !== undefined) return joined.slice('--command='.length)
  const at = args.findIndex((arg) => /^(?:-[a-zA-Z]*c|--command)$/.test(arg))
  if (name !== 'watch') return at < 0 ? undefined : args[at + 1]
  // It gives its words to a shell.
  return args.some((arg) => !arg.startsWith('-') && /[\s;&|]/.test(arg))
    ? args.filter((arg) => !/^(?:-|\d)/.test(arg)).join(' ')
    : undefined
}

/** Adds the unknown words of `xargs`: at the end of its command, or in place of a marker. */
function fed(call: Call, inner: Call, at: number): Call {
  const options = call.args.slice(0, at)
  const place = options.findIndex((arg) => /^-[Ii]|^--replace/.test(arg))
  if (place < 0) return withUnknown(inner)
  const given = options[place] ?? ''
  const mark =
    given === '-I' ? (options[place + 1] ?? '{}') : given.replace(/^-[Ii]|^--replace=?/, '') || '{}'
  const marked = inner.args.map((arg) => arg.includes(mark))
  return {
    ...inner,
    name: inner.name.includes(mark) ? '$' : inner.name,
    open: inner.open.map((open, i) => open || marked[i] === true),
    loose: inner.loose.map((loose, i) =>
      inner.args[i]?.startsWith(mark) === true ? [UNKNOWN_VALUE] : loose,
    ),
  }
}

function commandAt(call: Call, wrapper: Wrapper, context: ShellContext): { at: number; isKnown: boolean } {
  const options = OPTIONS.get(call.name)
  let operands = wrapper.operands ?? 0
  let isKnown = true
  let at = 0
  for (; at < call.args.length; at += 1) {
    const arg = call.args[at] ?? ''
    const isOpen = call.open[at] === true
    if (arg === '--') {
      at += 1
      if (operands > 0) at += operands
      break
    }
    // The words that follow belong to the command in the text.
    if (call.name === 'env' && /^-[a-zA-Z0]*S|^--s/.test(arg)) {
      readSplit(call, at, context)
      return { at: call.args.length, isKnown: false }
    }
    if (options?.valued.has(arg)) at += 1
    else if (arg.startsWith('-') && !isOpen) isKnown &&= isFlag(arg, options)
    else if (isAssignment(arg) && (call.name === 'env' || call.name === 'sudo' || call.name === 'doas'))
      readAssignmentWord(arg, isOpen, context)
    else if (operands > 0) operands -= 1
    else break
  }
  return { at, isKnown }
}

/** Whether an option certainly takes no further word: a known flag, a number (`-5`) or an attached value (`-n1`, `--signal=9`). */
function isFlag(arg: string, options: Options | undefined): boolean {
  if (options?.flags.has(arg) || /^-\d+$/.test(arg)) return true
  const equals = arg.indexOf('=')
  if (arg.startsWith('--')) return equals > 0 && options?.valued.has(arg.slice(0, equals)) === true
  return options?.valued.has(arg.slice(0, 2)) === true || /^-i./.test(arg)
}

/** Reads `env -S 'curl -d a b'`, which splits the text into words much like the shell. */
function readSplit(call: Call, at: number, context: ShellContext): void {
  const arg = call.args[at] ?? ''
  const attached = arg.startsWith('--')
    ? arg.slice(arg.indexOf('=') + 1 || arg.length)
    : arg.slice(arg.indexOf('S') + 1)
  const rest = call.args.slice(at + 1).join(' ')
  context.nested(`${attached} ${rest}`, context)
}

const isAssignment = (arg: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*=/.test(arg)
