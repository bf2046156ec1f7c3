import { createClient, type PlimsollClient } from '@plimsoll/client'
import {
  hashOfToken,
  parseUsers,
  startConsole,
  type ApiError,
  type Console,
  type ConsoleOptions,
  type LoggedIn,
  type LoginRequest,
} from '@plimsoll/console'
import { noMetrics, silentLogger } from '@plimsoll/runtime'
import { type Deployment, type DeploymentKind, SIGNING_KEY, deploy } from './sessions/deployment.js'

/** The people of the console; the token of each is `token-of-NAME`. */
const USERS = {
  ines: { '*': 'admin' },
  omar: { '*': 'approver' },
  vera: { '*': 'viewer' },
  acme: { acme: 'approver' },
  opal: { acme: 'operator', globex: 'viewer' },
  mixed: { acme: 'viewer', globex: 'approver' },
} as const
export type UserName = keyof typeof USERS

const users = parseUsers({
  users: Object.entries(USERS).map(([name, roles]) => ({
    name,
    roles,
    tokens: [hashOfToken(`token-of-${name}`)],
  })),
})

/** Codes of each user: `code-of-NAME-0`, `code-of-NAME-1` and so on. */
export const CODES_MAX = 50
const codes = new Map(
  Object.keys(USERS).flatMap((name) =>
    Array.from({ length: CODES_MAX }, (_, i) => [hashOfToken(`code-of-${name}-${i}`), name] as const),
  ),
)

export interface Reply<T> {
  readonly status: number
  readonly body: T & Partial<ApiError>
  readonly headers: Headers
}

/** A browser's part, logged in. */
export interface Visitor {
  readonly cookie: string
  /** What its page sends with each `POST`. */
  readonly secret: string
  get<T>(path: string): Promise<Reply<T>>
  post<T>(path: string, body: object, headers?: Readonly<Record<string, string>>): Promise<Reply<T>>
  /** Follows live until `isEnough`, and returns every event. */
  follow(
    path: string,
    isEnough: (events: readonly LiveEvent[]) => boolean,
    lastId?: string,
  ): Promise<readonly LiveEvent[]>
}

export interface LiveEvent {
  readonly id: string | undefined
  readonly name: string
  readonly data: unknown
}

export const HEADERS = { 'content-type': 'application/json', 'x-plimsoll-console': '1' }

async function replyOf<T>(response: Response): Promise<Reply<T>> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return {
    status: response.status,
    body: (isJson ? JSON.parse(text) : {}) as T & Partial<ApiError>,
    headers: response.headers,
  }
}

/** Requests with `cookie`, and the `secret` of a page; without a cookie nobody is logged in. */
export function visitorOf(url: string, cookie = '', secret = '1'): Visitor {
  return {
    cookie,
    secret,
    get: async (path) => replyOf(await fetch(`${url}${path}`, { headers: { cookie } })),
    post: async (path, body, headers = {}) =>
      replyOf(
        await fetch(`${url}${path}`, {
          method: 'POST',
          headers: { ...HEADERS, 'x-plimsoll-console': secret, cookie, ...headers },
          body: JSON.stringify(body),
        }),
      ),
    async follow(path, isEnough, lastId) {
      const ending = new AbortController()
      const headers = { cookie, ...(lastId !== undefined && { 'last-event-id': lastId }) }
      const { body } = await fetch(`${url}${path}`, { headers, signal: ending.signal })
      const events: LiveEvent[] = []
      let text = ''
      const decoder = new TextDecoder()
      try {
        for await (const chunk of body ?? []) {
          text += decoder.decode(chunk, { stream: true })
          const blocks = text.split('\n\n')
          text = blocks.pop() ?? ''
          events.push(...blocks.flatMap(eventIn))
          if (isEnough(events)) return events
        }
      } finally {
        ending.abort()
      }
      throw new Error(`the stream ended after ${events.length} events`)
    },
  }
}

function eventIn(block: string): readonly LiveEvent[] {
  const of = (name: string) =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2)
  const name = of('event')
  return name === undefined ? [] : [{ id: of('id'), name, data: JSON.parse(of('data') ?? 'null') }]
}

/** Rejects unless the log-in is accepted. */
export async function logInWith(url: string, request: LoginRequest): Promise<Visitor> {
  const { status, headers, body } = await visitorOf(url).post<LoggedIn>('/api/login', request)
  if (status !== 200) throw new Error(`nobody is logged in: ${status}`)
  return visitorOf(url, headers.get('set-cookie')?.split(';')[0] ?? '', body.secret)
}

export interface ConsoleDeployment extends Deployment {
  readonly console: Console
  /** Starts another console over the same log. */
  startConsole(options?: Partial<ConsoleOptions>): Promise<Console>
  logIn(name: UserName, console?: Console): Promise<Visitor>
  /** A host whose agents disclose everything. */
  connect(): Promise<PlimsollClient>
}

/** Long, since it only bounds a failure. */
const TIMEOUT_MS = 60_000

/** Runs `play` on a log, a store, a monitor and a console, and closes everything started. */
export async function withConsole(
  kind: DeploymentKind,
  play: (fixture: ConsoleDeployment) => Promise<void>,
  options: Partial<ConsoleOptions> = {},
): Promise<void> {
  const deployment = await deploy(kind)
  const releases: (() => Promise<void>)[] = []
  const { log, topics } = deployment
  const open: ConsoleDeployment['startConsole'] = async (given = {}) => {
    const opened = await startConsole({
      log,
      topics,
      users,
      codes,
      port: 0,
      signingKey: SIGNING_KEY,
      documents: deployment.documents.slice(0, 1),
      metrics: noMetrics,
      logger: silentLogger,
      ...given,
    })
    releases.push(() => opened.close())
    return opened
  }
  try {
    await deployment.startMonitor().started
    const console = await open(options)
    await play({
      ...deployment,
      console,
      startConsole: open,
      logIn: (name, at = console) => logInWith(at.url, { token: `token-of-${name}` }),
      connect: async () => {
        const disclose = [{ tools: ['*'], arguments: ['*'] }]
        const client = await createClient({ log, topics, timeoutMs: TIMEOUT_MS, disclose })
        releases.push(() => client.close())
        return client
      },
    })
  } finally {
    for (const release of releases.toReversed()) await release()
    await deployment.close()
  }
}
