import { PlimsollError } from '@plimsoll/contracts'

export type Arguments = Readonly<Record<string, unknown>>

/**
 * A copy of a step's arguments that nobody can change: what is asked about is what runs. It is what JSON holds of them, for that
 * is what their digest is over. Throws `schema_invalid` for what JSON cannot hold.
 */
export function frozenArguments(tool: string, values: Arguments = {}): Arguments {
  try {
    const copy: Arguments = JSON.parse(JSON.stringify(values))
    return freeze(copy)
  } catch (cause) {
    throw unserialisableError(tool, cause)
  }
}

export function unserialisableError(tool: string, cause: unknown): PlimsollError {
  const problem = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause)
  const message = `the arguments of \`${tool}\` cannot be written as JSON: ${problem}`
  return new PlimsollError('schema_invalid', message, { cause })
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) freeze(member)
  return Object.freeze(value)
}
