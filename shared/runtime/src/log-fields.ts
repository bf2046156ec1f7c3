const SECRET_NAME =
  /passw|secret|token|authori[sz]ation|credential|passphrase|api_?key|signing_?key|private_?key|^key$|^sasl$/i
const USER_IN_URL = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi
const BLACKED_OUT = '[redacted]'

/** `value` as it may be logged under `name`. */
export function redact(name: string, value: unknown): unknown {
  if (value === undefined || value === null) return value
  if (SECRET_NAME.test(name)) return BLACKED_OUT
  return typeof value === 'string' ? value.replace(USER_IN_URL, `$1${BLACKED_OUT}@`) : value
}

export interface DescribedError {
  readonly name: string
  readonly message: string
  readonly code?: unknown
  readonly stack?: string
  readonly cause?: unknown
}

const CAUSES_MAX = 4
const STACK_LINES_MAX = 8

/** What is worth knowing of an error and of its causes. One with a code is expected; any other brings the top of its stack. */
export function describeError(error: Error, depth = 0): DescribedError {
  const { name, message, cause } = error
  const code: unknown = 'code' in error ? error.code : undefined
  const stack = code === undefined ? error.stack?.split('\n').slice(0, STACK_LINES_MAX).join('\n') : undefined
  const told = cause instanceof Error && depth < CAUSES_MAX ? describeError(cause, depth + 1) : undefined
  return {
    name,
    message,
    ...(code !== undefined && { code }),
    ...(stack && { stack }),
    ...(told && { cause: told }),
  }
}
