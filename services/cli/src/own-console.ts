import { randomBytes } from 'node:crypto'
import {
  type Console,
  type ConsoleOptions,
  ANY_TENANT,
  hashOfToken,
  parseUsers,
  startConsole,
} from '@plimsoll/console'
import {
  type Decision,
  type Documents,
  type Topics,
  PlimsollError,
  decisionSchema,
  parseJson,
} from '@plimsoll/contracts'
import type { SubmitReview } from '@plimsoll/fleet'
import { type EventLog, pause } from '@plimsoll/runtime'
import { defaultApprover } from './approval-places.js'
import type { Output } from './command.js'

/** The page of this process, for the one who started it. */
export interface OwnConsole extends Console {
  /** Opens the page logged in, once. */
  readonly address: string
}

/**
 * Serves the page on the wanted port, or on a free one if it is taken. Undefined, with a line on `stderr`, where it cannot run on this
 * platform: everything else does.
 */
export async function startOwnConsole(
  options: Omit<ConsoleOptions, 'users' | 'codes' | 'portIfTaken' | 'documents'>,
  documents: Documents,
  stderr: Output,
): Promise<OwnConsole | undefined> {
  const code = randomBytes(24).toString('base64url')
  const name = defaultApprover()
  // The hash of a token that nobody has: only the code logs in.
  const tokens = [randomBytes(32).toString('hex')]
  const users = parseUsers({ users: [{ name, tokens, roles: { [ANY_TENANT]: 'admin' } }] })
  const codes = new Map([[hashOfToken(code), name]])
  try {
    const console = await startConsole({ ...options, users, codes, documents: [documents], portIfTaken: 0 })
    if (options.port !== 0 && new URL(console.url).port !== String(options.port))
      stderr.write(`port ${options.port} is taken; a free one is used for the page\n`)
    // In the fragment, which browsers do not send. They keep it in their history: so it logs in once.
    return { ...console, address: `${console.url}/#code=${code}` }
  } catch (error) {
    if (!(error instanceof PlimsollError && error.code === 'config_invalid')) throw error
    stderr.write(`no page is served: ${error.message}\n`)
    return undefined
  }
}

/** How long a question is left to the one who watches the page, milliseconds. */
const READER_MS = 30_000

/**
 * Reviews of simulated humans that leave questions to the reader while `isWatched`: they answer after half a minute, or not at all if
 * the question was answered before.
 */
export async function createPatientReviewer(
  log: Pick<EventLog, 'tail'>,
  topics: Pick<Topics, 'decisions'>,
  submit: SubmitReview,
  isWatched: () => boolean,
  signal: AbortSignal,
): Promise<SubmitReview> {
  /** By session and call, what ends the wait. */
  const waiting = new Map<string, AbortController>()
  const keyOf = ({ sessionId, callId }: Decision): string => `${sessionId} ${callId}`
  await log.tail(
    topics.decisions,
    ({ value }) => {
      if (waiting.size === 0) return
      const { data } = decisionSchema.safeParse(parseJson(value))
      if (data?.kind === 'approval') waiting.get(keyOf(data))?.abort()
    },
    { signal },
  )
  return async (decision, review) => {
    if (!isWatched()) return submit(decision, review)
    const answered = new AbortController()
    waiting.set(keyOf(decision), answered)
    await pause(READER_MS, AbortSignal.any([signal, answered.signal]))
    waiting.delete(keyOf(decision))
    if (!answered.signal.aborted && !signal.aborted) await submit(decision, review)
  }
}
