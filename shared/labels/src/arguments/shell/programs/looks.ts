import { matchesGlob } from '@plimsoll/contracts'
import { readTable, wordsIn } from '../../../text/data.js'
import type { Call } from '../call.js'

/** For programs that mostly change something: the first words by which they only look. */
const LOOKS = new Map(
  Object.entries(readTable<Readonly<Record<string, string>>>('shell', 'looks')).flatMap(([names, words]) =>
    wordsIn(names).map((name) => [name, wordsIn(words)] as const),
  ),
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
const CHANGES =
  /^(?:(?:--)?(?:set|unset|add|remove|delete|destroy|update)(?:=.*)?|create|rm|restart|stop|kill|revoke|transfer|rename)$/
const MODIFIES = /^(?:-[nvxtw46]{1,4}|--(?:line-numbers|verbose|json|numeric|table|wait|all))(?:=.*)?$/

const TRIAL =
  /^(?:--(?:dry-?run(?:=(?:true|client|server))?|what-?if|simulate|preview|no-act|syntax-check|list-(?:tasks|hosts))|-WhatIf)$/i
const PLANS = /^(?:terraform|tofu|terragrunt)$/

/** Whether a command only says what it would do. */
export const isTrial = ({ name, args }: Pick<Call, 'name' | 'args'>): boolean =>
  args.some((arg) => arg.startsWith('-') && TRIAL.test(arg)) ||
  (name === 'ansible-playbook' && args.some((arg) => arg === '--check' || arg === '-C')) ||
  (PLANS.test(name) && args.includes('plan')) ||
  (/^(?:kubectl|oc)$/.test(name) && args.includes('can-i')) ||
  (name === 'zfs' && args.some((arg) => /^-[a-z]*n[a-z]*$/.test(arg)))
