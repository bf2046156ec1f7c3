import { ERRORS, PlimsollError } from '@plimsoll/contracts'
import { within } from '@plimsoll/runtime'

/** `warn`: it works, but not as safely as it should. `fail`: it does not work, or not for long. */
export type Status = 'ok' | 'warn' | 'fail'

/** What one check came to. */
export interface Finding {
  readonly name: string
  readonly status: Status
  /** One line that says what is. */
  readonly what: string
  /** One line that says what to do, where something is to be done. */
  readonly mend?: string
}

export const ok = (name: string, what: string): Finding => ({ name, status: 'ok', what })
export const warn = (name: string, what: string, mend: string): Finding => ({
  name,
  status: 'warn',
  what,
  mend,
})
export const fail = (name: string, what: string, mend: string): Finding => ({
  name,
  status: 'fail',
  what,
  mend,
})

/** A check that has not ended by then is given up: it has bounds of its own, and this one holds where they do not. */
const CHECK_MS_MAX = 30_000

/** What `look` finds; a failure where it rejects or does not end. Never rejects. */
export async function examined(
  name: string,
  look: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    const late = fail(name, `no answer within ${CHECK_MS_MAX / 1000} s`, 'see whether its host is overloaded')
    return await within(CHECK_MS_MAX, look(), [late])
  } catch (error) {
    if (error instanceof PlimsollError) return [fail(name, error.message, ERRORS[error.code].help)]
    return [fail(name, `the check itself failed: ${String(error)}`, 'report this')]
  }
}
