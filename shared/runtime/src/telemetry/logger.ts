const SECRET_NAME =
  /passw|secret|token|authori[sz]ation|credential|passphrase|api_?key|signing_?key|private_?key|^key$|^sasl$/i
const USER_IN_URL = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi
const REDACTED = '[redacted]'

/** `value` as it may be logged under `name`. */
export function redact(name: string, value: unknown): unknown {
  if (value === undefined || value === null) return value
  if (SECRET_NAME.test(name)) return REDACTED
  return typeof value === 'string' ? value.replace(USER_IN_URL, `$1${REDACTED}@`) : value
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

/** An error and its causes for the log. Errors without a code are unexpected and include the top of their stack. */
export function describeError(error: Error, depth = 0): DescribedError {
  const { name, message, cause } = error
  const code: unknown = 'code' in error ? error.code : undefined
  const stack = code === undefined ? error.stack?.split('\n').slice(0, STACK_LINES_MAX).join('\n') : undefined
  const reported = cause instanceof Error && depth < CAUSES_MAX ? describeError(cause, depth + 1) : undefined
  return {
    name,
    message,
    ...(code !== undefined && { code }),
    ...(stack && { stack }),
    ...(reported && { cause: reported }),
  }
}

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number] | 'silent'

export type LogFields = Readonly<Record<string, unknown>>

/** Structured logger. Redacts fields whose names suggest a secret, and credentials in URLs. */
export interface Logger {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** A logger that adds `fields` to each line. */
  child(fields: LogFields): Logger
}

export interface LoggerOptions {
  /** Lowest level that is written; `info` by default. */
  readonly level?: LogLevel
  /** Writes one line, which ends in a newline. */
  readonly write: (line: string) => void
  /** Milliseconds since 1970; the system's by default. */
  readonly now?: () => number
}

/**
 * A logger that writes one JSON object a line: `{"time":"2026-11-21T22:00:00.000Z","level":"info","msg":"…",…fields}`. Errors among
 * the fields become `{name, message, code, cause}`.
 */
export function createLogger(options: LoggerOptions): Logger {
  return loggerWith(options, {})
}

/** Discards everything. */
export const silentLogger: Logger = createLogger({ level: 'silent', write: () => {} })

function loggerWith(options: LoggerOptions, common: LogFields): Logger {
  const { level: least = 'info', write, now = Date.now } = options
  const from = least === 'silent' ? LOG_LEVELS.length : LOG_LEVELS.indexOf(least)
  const at =
    (level: (typeof LOG_LEVELS)[number]) =>
    (message: string, fields: LogFields = {}) => {
      if (LOG_LEVELS.indexOf(level) < from) return
      const head = { time: new Date(now()).toISOString(), level, msg: message }
      write(`${asJson({ ...head, ...common, ...fields }) ?? asJson({ ...head, unloggable: true })}\n`)
    }
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => loggerWith(options, { ...common, ...fields }),
  }
}

/** Undefined if `line` cannot be encoded: logging must not throw. */
function asJson(line: object): string | undefined {
  try {
    return JSON.stringify(line, replaceField)
  } catch {
    return undefined
  }
}

function replaceField(name: string, value: unknown): unknown {
  if (value instanceof Error) return describeError(value)
  if (typeof value === 'bigint') return String(value)
  return redact(name, value)
}
