import { type ErrorCode, PlimsollError } from '@plimsoll/contracts'
import { nearest } from '@plimsoll/policy'

/** The name of every option in `T`: without one of them it does not compile. */
export type OptionNames<T> = Readonly<Record<keyof T, true>>

interface Terms {
  /** Default: `config_invalid`. */
  readonly code?: ErrorCode
  /** What to write in place of a name that is often used wrongly. */
  readonly instead?: Readonly<Record<string, string>>
}

/**
 * Throws an error that names every option in `given` that `call` does not have, and what to write instead. In JavaScript nothing else
 * notices one, and what it was meant to do does not happen.
 */
export function assertOptions(
  call: string,
  given: object,
  known: Readonly<Record<string, true>>,
  { code = 'config_invalid', instead = {} }: Terms = {},
): void {
  let unknown: string[] | undefined
  for (const name in given)
    if (!Object.hasOwn(known, name) && given[name as keyof typeof given] !== undefined)
      (unknown ??= []).push(name)
  if (!unknown) return
  const names = Object.keys(known)
  const problems = unknown.map((name) => {
    const meant = nearest(name, names)
    const other = meant === undefined ? `it has \`${names.join('`, `')}\`` : `did you mean \`${meant}\`?`
    const right = Object.hasOwn(instead, name) ? `use \`${instead[name]}\`` : other
    return `\`${call}\` has no option \`${name}\`: ${right}`
  })
  throw new PlimsollError(code, problems.join('; '))
}

/** Throws `schema_invalid` if `given` has what `call` calls `member` under one of `others`. */
export function assertNamed(call: string, member: string, given: object, others: readonly string[]): void {
  for (const other of others)
    if (given[other as keyof typeof given] !== undefined)
      throw new PlimsollError('schema_invalid', `\`${call}\` has no member \`${other}\`: use \`${member}\``)
}
