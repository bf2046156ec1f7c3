import { matchesGlob } from '@plimsoll/contracts'
import { wordsIn, longPattern } from '../../../text/data.js'
import type { Call } from '../call.js'
import { oneByProgram } from './command-table.js'

/** For programs that mostly change something: the first words by which they only look. */
const LOOKS = new Map(
  [...oneByProgram<string>('looks')].map(([name, words]) => [name, wordsIn(words)] as const),
)

/** Whether the first word after a program's name, or that behind its plain options, says that it only looks. */
export function onlyLooks({ name, args }: Pick<Call, 'name' | 'args'>): boolean {
  // `php artisan migrate:status`, `python manage.py check`.
  if (/^(?:php|python\d?)$/.test(name) && args[0] !== undefined && LOOKS.has(args[0]))
    return onlyLooks({ name: args[0], args: args.slice(1) })
  const words = LOOKS.get(name.slice(name.lastIndexOf('/') + 1))
  if (!words) return false
  const operand = args.find((arg) => !arg.startsWith('-')) ?? ''
  const isLook = (arg: string): boolean => words.some((word) => matchesGlob(word, arg))
  // `fly apps list` looks, `fly apps destroy` does not.
  if (isLook(operand) && args.some((arg) => arg !== operand && CHANGES.test(arg))) return false
  if (!isLook(args[0] ?? '')) return words.some((word) => !word.startsWith('-') && matchesGlob(word, operand))
  // A further option may do more.
  return (
    !(args[0] ?? '').startsWith('-') ||
    args.every((arg) => !arg.startsWith('-') || isLook(arg) || MODIFIES.test(arg))
  )
}
const CHANGES = longPattern('looks.CHANGES')
const MODIFIES = longPattern('looks.MODIFIES')

const TRIAL = longPattern('looks.TRIAL')
const PLANS = longPattern('looks.PLANS')

/** Whether a command only says what it would do. */
export const isTrial = ({ name, args }: Pick<Call, 'name' | 'args'>): boolean =>
  args.some((arg) => arg.startsWith('-') && TRIAL.test(arg)) ||
  (/^robocopy(?:\.exe)?$/i.test(name) && args.some((arg) => /^\/(?:l|quit)$/i.test(arg))) ||
  (/^xcopy(?:\.exe)?$/i.test(name) && args.some((arg) => /^\/l$/i.test(arg))) ||
  (/^g?make$/.test(name) && args.some((arg) => DRY_RUN.test(arg))) ||
  (name === 'ansible-playbook' && args.some((arg) => arg === '--check' || arg === '-C')) ||
  (PLANS.test(name) && args.includes('plan')) ||
  (/^(?:kubectl|oc)$/.test(name) && args.includes('can-i')) ||
  (name === 'zfs' && args.some((arg) => /^-[a-z]*n[a-z]*$/.test(arg)))

/** Whether an interpreter is only to check the text of a script: `bash -n deploy.sh`, `node --check a.mjs`. */
export const onlyChecks = ({ name, args }: Pick<Call, 'name' | 'args'>): boolean => {
  const option = CHECKS.get(name.slice(name.lastIndexOf('/') + 1))
  if (option !== undefined) return args.slice(0, OPTIONS_MAX).some((arg) => option.test(arg))
  return (
    /^python[\d.]{0,5}$/.test(name) &&
    args[0] === '-m' &&
    /^(?:py_compile|compileall|ast|tokenize)$/.test(args[1] ?? '')
  )
}
/** A script's own options stand behind its name, and those of the interpreter first. */
const OPTIONS_MAX = 1
const CHECKS: ReadonlyMap<string, RegExp> = new Map([
  ...['bash', 'sh', 'zsh', 'dash', 'ksh'].map((name) => [name, /^-[euxv]{0,4}n[euxv]{0,4}$/] as const),
  ['node', /^(?:--check|-c)$/],
  ['perl', /^-w?c$/],
  ['ruby', /^-w?c$/],
  ['php', /^(?:-l|--syntax-check)$/],
])

const DRY_RUN = longPattern('looks.DRY_RUN')
