import { longPattern } from '../../../text/data.js'
import { readCode } from '../../code.js'
import { readProgramTexts } from '../../program-texts.js'
import { raise, runsFile, signal } from '../../effects.js'
import { type Call, type ShellContext, operandsOf, restOf } from '../call.js'
import { opaque } from './irreversible.js'
import { COMMAND_LABELS } from './commands.js'
import { onlyLooks } from './looks.js'
import { readModule, readFrameworkScript, readTestScript } from './runners.js'
import { isHelp, readSubcommand } from './subcommands.js'

const { EXECUTE, ASK } = COMMAND_LABELS

const PYTHON = longPattern('interpreters.PYTHON')
/** Python options that change neither the program nor its modules and take no value. */
const PLAIN_OPTION = /^-[BbdEIOPqRsSuvx]+$/
const NETWORK_MODULE = longPattern('interpreters.NETWORK_MODULE')

/** Cost of one program, in nodes. */
const PROGRAM_NODES = 32

/** What all later commands read is replaced: `exec < FILE`. */
const FEEDS_ALL = /\bexec\s{0,8}\d{0,2}</

/** Reads python, node, perl and others: inline code is read as code, a file is not read. */
export function readInterpreter(call: Call, context: ShellContext): void {
  const { effects } = context
  context.budget.nodes -= PROGRAM_NODES
  if (isHelp(call)) return
  if (onlyLooks(call)) return raise(effects, COMMAND_LABELS.READ, 'a command that looks')
  const first = call.args.findIndex((arg) => !(PYTHON.test(call.name) && PLAIN_OPTION.test(arg)))
  const option = first < 0 ? '' : (call.args[first] ?? '')
  if (PYTHON.test(call.name) && option === '-m') return readPythonModule(call, first + 1, context)
  if (call.name === 'deno' && option === 'eval') {
    raise(effects, EXECUTE, 'a program is run')
    return readProgram(operandsOf(call)[1] ?? '', 'other', context)
  }
  const script = PYTHON.test(call.name) && first >= 0 ? restOf(call, first) : undefined
  if (script && call.fed === undefined && readTestScript(script, context)) return
  const own = /^(?:php|ruby)$/.test(call.name) ? restOf(call, 0) : undefined
  if (own && call.fed === undefined && readFrameworkScript(own, context)) return
  const at = call.args.findIndex(
    (arg) => /^-[a-zA-Z]*[ceEprn]$/.test(arg) || arg === '--eval' || arg === '--print',
  )
  const isIn = at === first && at >= 0 && call.open[at + 1] !== true
  const isFed =
    call.fed !== undefined &&
    !call.piped &&
    call.args.slice(Math.max(0, first)).every((arg, i) => i > 0 || arg === '-')
  const language = PYTHON.test(call.name) && (option === '-c' || isFed) ? 'python' : 'other'
  const file = at < 0 && call.fed === undefined && !call.piped ? fileIn(call) : undefined
  if (file !== undefined) return runsFile(effects, file, EXECUTE, 'a program is run')
  raise(effects, EXECUTE, 'a program is run', language === 'python' && (isIn || isFed))
  if (at >= 0) readProgram(call.args[at + 1] ?? '', language, context)
  else if (call.fed !== undefined) readProgram(call.fed, isFed ? language : 'other', context)
  else if (operandsOf(call).every((operand) => operand === '-')) {
    if (call.piped || FEEDS_ALL.test(context.text)) opaque(effects, 'an interpreter runs what it is fed')
    // What is typed into it later is read then.
    else raise(effects, EXECUTE, 'an interpreter waits for what is typed')
  }
}

/** Reads the code of `bun -e CODE`; what else `bun` does is known by its words. */
export function evaluated(call: Call, context: ShellContext): void {
  if (/^(?:-e|--eval|-p|--print)$/.test(call.args[0] ?? '')) readInterpreter(call, context)
}

/** The file that an interpreter runs, if that is plain to see: its first argument, but for options without a value. */
function fileIn({ name, args, open }: Call): string | undefined {
  const at = PYTHON.test(name) ? args.findIndex((arg) => !PLAIN_OPTION.test(arg)) : 0
  const file = args[at] ?? ''
  return !open.includes(true) && /^[\w./+@~-]{0,240}\.[a-z]{1,4}$/.test(file) ? file : undefined
}

function readProgram(text: string, language: 'python' | 'other', context: ShellContext): void {
  const { effects } = context
  readCode(text, effects, language)
  readProgramTexts(text, effects, context.organisation, (command, own) =>
    context.nested(command, own === effects ? context : { ...context, effects: own }),
  )
}

function readPythonModule(call: Call, at: number, context: ShellContext): void {
  const module = call.open[at] === true ? '$' : (call.args[at] ?? '')
  const rest = restOf(call, at)
  if (rest && readModule(module, rest, context)) return
  if (rest && module === 'twine') return void readSubcommand({ ...rest, name: module }, undefined, context)
  raise(
    context.effects,
    EXECUTE,
    'a module is run',
    module === 'venv' && rest !== undefined && !rest.open.includes(true),
  )
  if (!NETWORK_MODULE.test(module)) return
  raise(context.effects, { ...ASK, reversibility: 'partial' }, 'a module of the network is run')
  if (!module.startsWith('http')) signal(context.effects, 'outside', 1)
}
