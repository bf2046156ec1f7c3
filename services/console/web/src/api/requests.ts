import type {
  AnswerRequest,
  Answered,
  ApiError,
  AppealRequest,
  Appealed,
  Appeals,
  ApprovalAnswer,
  ControlRequest,
  ControlSent,
  Controls,
  Fleet,
  LoggedIn,
  LoginRequest,
  Me,
  Met,
  Policies,
  Queue,
  SessionPage,
} from '../../../src/api.js'
import { keepSecret, secretOfTab } from './login.js'

/** Why the console did not do what was asked. */
export class RequestProblem extends Error {
  /** Of HTTP; 0 where no answer came. */
  readonly status: number
  readonly code: string
  /** Of a question that somebody else answered first. */
  readonly answered: ApprovalAnswer | undefined

  constructor(status: number, code: string, message: string, answered?: ApprovalAnswer) {
    super(message)
    this.name = 'RequestProblem'
    this.status = status
    this.code = code
    this.answered = answered
  }
}

export interface FleetFilter {
  readonly tenant?: string
  readonly category?: string
  readonly agent?: string
  readonly level?: string
}

let whenLoggedOut: () => void = () => undefined

/** Calls `listener`, and no earlier one, whenever the console answers that nobody is logged in. */
export function onLoggedOut(listener: () => void): void {
  whenLoggedOut = listener
}

const READ_TRIES_MAX = 5
const READ_AGAIN_MS = 1_000

/** Rows that the page asks for at once: the most that the console gives. */
export const ROWS_MAX = 500

export const fetchMe = (): Promise<Me> => read('me')
export const fetchQueue = (): Promise<Queue> => read('queue')
export const fetchSession = (id: string): Promise<SessionPage> => read(`sessions/${encodeURIComponent(id)}`)
export const fetchFleet = (filter: FleetFilter, limit = ROWS_MAX): Promise<Fleet> =>
  read(`fleet?${new URLSearchParams({ ...filter, limit: String(limit) })}`)

export const fetchAppeals = (): Promise<Appeals> => read('appeals')
export const fetchPolicies = (version?: string): Promise<Policies> =>
  read(version === undefined ? 'policies' : `policies?${new URLSearchParams({ version })}`)
/** @param version of the policy whose spec is shown beside */
export const fetchMet = (code: string, version?: string): Promise<Met> =>
  read(`met?${new URLSearchParams({ code, ...(version !== undefined && { version }) })}`)
export const fetchControls = (): Promise<Controls> => read('controls')

/** Logs in, and keeps the secret by which this tab may answer. */
export async function login(by: LoginRequest): Promise<Me> {
  const { secret, ...me } = await send<LoggedIn>('login', by)
  keepSecret(secret)
  return me
}
export const logout = (): Promise<undefined> => send('logout', {})
export const answerQuestion = (decisionId: string, answer: AnswerRequest): Promise<Answered> =>
  send(`approvals/${encodeURIComponent(decisionId)}`, answer)
export const appealStep = (decisionId: string, appeal: AppealRequest): Promise<Appealed> =>
  send(`appeals/${encodeURIComponent(decisionId)}`, appeal)
export const changeControls = (request: ControlRequest): Promise<ControlSent> => send('controls', request)

/** Reads again while the console cannot be reached or is not ready, as at its start. */
async function read<T>(path: string): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await request<T>(path, { headers: { accept: 'application/json' } })
    } catch (cause) {
      const isAway = cause instanceof RequestProblem && (cause.status === 0 || cause.status === 503)
      if (!isAway || tries === READ_TRIES_MAX) throw cause
      await new Promise((resolve) => setTimeout(resolve, READ_AGAIN_MS))
    }
}

const send = <T>(path: string, body: object): Promise<T> =>
  request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-plimsoll-console': secretOfTab() ?? '1' },
    body: JSON.stringify(body),
  })

async function request<T>(path: string, options: RequestInit): Promise<T> {
  let response: Response
  try {
    response = await fetch(`./api/${path}`, { ...options, credentials: 'same-origin', cache: 'no-store' })
  } catch {
    throw new RequestProblem(0, 'unreachable', 'the console cannot be reached: check your connection')
  }
  const text = await response.text().catch(() => '')
  if (response.status === 401) whenLoggedOut()
  if (!response.ok) throw problemOf(response.status, text)
  return (text === '' ? undefined : JSON.parse(text)) as T
}

function problemOf(status: number, text: string): RequestProblem {
  try {
    const { error } = JSON.parse(text) as ApiError
    return new RequestProblem(status, error.code, error.message, error.answered)
  } catch {
    return new RequestProblem(status, 'unreadable', `the console answered with status ${status}`)
  }
}
