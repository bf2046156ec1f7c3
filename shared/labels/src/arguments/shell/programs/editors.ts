import { mentionsDeletion, raise, signal } from '../../effects.js'
import { type Call, type Special, hasOption, operandsOf } from '../call.js'
import { opaque } from './irreversible.js'
import { COMMAND_LABELS } from './commands.js'
import { type ProgramAct, awkAct, sedAct } from './programs.js'

const { EXECUTE, WRITE } = COMMAND_LABELS

const editor =
  (actOf: (program: string) => ProgramAct, programs: (call: Call) => string[]): Special =>
  (call, { effects, variables }) => {
    for (const loose of call.loose) if (loose) variables.demand(loose, 'option')
    for (const program of programs(call)) {
      const act = actOf(program)
      if (act === 'runs') raise(effects, EXECUTE, `\`${call.name}\` that runs commands`)
      if (act === 'runs' && mentionsDeletion(program))
        opaque(effects, `\`${call.name}\` that takes something away`)
      if (act !== 'writes') continue
      raise(effects, WRITE, `\`${call.name}\` that writes files`)
      signal(effects, 'code', 1)
    }
  }

/** The values of `-e` and `--expression`, or else the first operand. */
function sedPrograms(call: Call): string[] {
  const given = call.args.flatMap((arg, i) =>
    /^-[a-zA-Z]*e$|^--e[a-z]*$/.test(arg)
      ? [call.args[i + 1] ?? '']
      : /^--e[a-z]*=/.test(arg)
        ? [arg.slice(arg.indexOf('=') + 1)]
        : /^-[nrEszu]*e./.test(arg)
          ? [arg.slice(arg.indexOf('e') + 1)]
          : [],
  )
  return given.length > 0 ? given : operandsOf(call).slice(0, 1)
}

/** Reads the program of `sed`. */
export const sed: Special = (call, context, run) => {
  const { effects } = context
  editor(sedAct, sedPrograms)(call, context, run)
  if (hasOption(call, 'i', '--in-place')) raise(effects, WRITE, '`sed` that writes its files')
  if (call.args.some((arg) => /^-[nrEsziu]*f|^--fi/.test(arg)))
    raise(effects, EXECUTE, '`sed` with a program from a file')
  if (isOpenProgram(call)) raise(effects, EXECUTE, '`sed` with a program that only the run decides')
}

/** Whether the program contains a variable, or is one. */
function isOpenProgram(call: Call): boolean {
  const programs = new Set(sedPrograms(call))
  return call.args.some((arg, i) => call.open[i] === true && programs.has(arg))
}

/** Reads the program of `awk`. */
export const awk: Special = (call, context, run) => {
  const { effects } = context
  if (call.args.some((arg) => /^-[fEilD]|^--(?:f|ex|in|lo|de|so|pr)/.test(arg)))
    raise(effects, EXECUTE, '`awk` with a program or a library from a file')
  editor(awkAct, (given) => given.args.filter((arg) => !arg.startsWith('-')))(call, context, run)
  if (
    call.open.some(
      (open, i) =>
        open &&
        /[{("]|^\$/.test(call.args[i] ?? '') &&
        !(call.args[i - 1] ?? '').startsWith('-v') &&
        looksLikeProgram(call, i),
    )
  )
    raise(effects, EXECUTE, '`awk` with a program that only the run decides')
  if (call.args.includes('inplace')) raise(effects, WRITE, '`awk` that writes its files')
}

/** Whether the argument at `at` is the first operand, which is the program. */
function looksLikeProgram(call: Call, at: number): boolean {
  for (let i = 0; i < at; i += 1) {
    const arg = call.args[i] ?? ''
    if (/^-[vF]$/.test(arg)) i += 1
    else if (!arg.startsWith('-')) return false
  }
  return true
}
