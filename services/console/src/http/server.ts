import type { Clock, Logger } from '@plimsoll/runtime'
import { PlimsollError } from '@plimsoll/contracts'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { z } from 'zod'
import { type LoginCodes, createCodeTaker } from '../auth/codes.js'
import { cookieOf, noCookie, secretIn } from '../auth/cookie.js'
import { type Login, createLoginLimit, createLogins } from '../auth/logins.js'
import { type UsersDocument, createTokenFinder, hasRole } from '../auth/users.js'
import type { LoggedIn } from '../api.js'
import type { LiveEvent, LiveFeed } from '../live/live-feed.js'
import { answerErrors } from './errors.js'
import { serveLive } from './live-route.js'
import { type PageFile, readPage } from './page-files.js'
import type { RouteContext } from './route.js'
import { ROUTES, meOf } from './routes.js'
import { REQUEST_HEADER, SECURITY_HEADERS, assertSameOrigin } from './security.js'

/** Largest body, bytes: an answer with its reason. */
const BODY_BYTES_MAX = 16 * 1024
const REQUEST_TIMEOUT_MS = 30_000
/** Longest parameter of a path: decision ids have up to 400 characters, and `%` escapes. */
const PARAM_CHARS_MAX = 1_300

export interface ServerOptions {
  readonly users: UsersDocument
  readonly codes: LoginCodes
  readonly context: RouteContext
  readonly feed: LiveFeed
  /** Where people open the page, if a proxy is in front of it; `https:` makes cookies secure. */
  readonly publicUrl?: string | undefined
  readonly logger: Logger
  readonly clock: Clock
}

const secretSchema = z.string().min(1).max(1_000)
const loginSchema = z.union([z.strictObject({ token: secretSchema }), z.strictObject({ code: secretSchema })])
const liveSchema = z.strictObject({ session: z.string().min(1).max(200).optional() })

/** The console's routes, not listening yet. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { users, codes, context, feed, publicUrl, logger, clock } = options
  const { metrics } = context
  const app = fastify({
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: true,
    logger: false,
    routerOptions: { maxParamLength: PARAM_CHARS_MAX },
  })
  const logins = createLogins(clock)
  const isSecure = publicUrl?.startsWith('https:') ?? false
  answerErrors(app, (error) => logger.error('a request failed', { error }))
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...SECURITY_HEADERS, 'cache-control': 'no-store' })
    if (request.method === 'POST') assertSameOrigin(request, publicUrl)
  })
  app.addHook('onResponse', async (request, reply) => {
    metrics.request(request.routeOptions.url ?? 'unknown', reply.statusCode, reply.elapsedTime / 1000)
  })

  function loginOf({ headers }: FastifyRequest): Login {
    const secret = secretIn(headers.cookie)
    const login = secret === undefined ? undefined : logins.find(secret)
    if (login) return login
    throw new PlimsollError('unauthenticated', 'log in with a token of this console')
  }

  /** Throws `forbidden` unless the page itself asks: others may have its cookie. */
  function assertPage(login: Login, { headers }: FastifyRequest): void {
    if (logins.mayChange(login, String(headers[REQUEST_HEADER]))) return
    throw new PlimsollError('forbidden', 'you logged in elsewhere: log in again in this tab')
  }

  for (const { method, path, answer } of ROUTES)
    app.route({
      method,
      url: path,
      handler: async (request) => {
        const { params, query, body } = request as FastifyRequest<{ Params: Record<string, string> }>
        const login = loginOf(request)
        if (method === 'POST') assertPage(login, request)
        return answer({ login, params, query, body }, context)
      },
    })
  app.get('/api/live', async (request, reply) => {
    const login = loginOf(request)
    const { data, error } = liveSchema.safeParse(request.query)
    if (error) throw new PlimsollError('schema_invalid', 'query: expected only `session`')
    const isWanted = ({ about }: LiveEvent) =>
      about === undefined
        ? data.session === undefined
        : hasRole(login.user, about.tenant, 'viewer') &&
          (data.session === undefined || data.session === about.sessionId)
    const secret = secretIn(request.headers.cookie) ?? ''
    const isLoggedIn = () => logins.find(secret) !== undefined
    serveLive(request, reply, { user: login.user.name, isWanted, isLoggedIn, feed, metrics, clock })
  })
  addLogin(app, { users, codes, logins, isSecure, context, clock })
  app.post('/api/logout', async (request, reply) => {
    const secret = secretIn(request.headers.cookie)
    const login = secret === undefined ? undefined : logins.find(secret)
    if (login) assertPage(login, request)
    if (secret !== undefined) logins.end(secret)
    return reply.header('set-cookie', noCookie(isSecure)).status(204).send()
  })
  for (const [path, file] of await readPage()) addPageFile(app, path, file)
  return app
}

interface LoginOptions extends Pick<ServerOptions, 'users' | 'codes' | 'context' | 'clock'> {
  readonly logins: ReturnType<typeof createLogins>
  readonly isSecure: boolean
}

const CODE_REFUSED =
  'the address works once: go on in the tab that it opened; if that is gone, start the console again for another'

function addLogin(
  app: FastifyInstance,
  { users, codes, logins, isSecure, context, clock }: LoginOptions,
): void {
  const { metrics, canAnswer } = context
  const findUser = createTokenFinder(users)
  const takeCode = createCodeTaker(codes, users)
  const limit = createLoginLimit(clock)
  app.post('/api/login', async (request, reply) => {
    const { data } = loginSchema.safeParse(request.body)
    const isCode = data !== undefined && 'code' in data
    const user = data && (isCode ? takeCode(data.code) : findUser(data.token))
    // A right token is never refused: strangers could keep people out.
    if (!user) {
      const mayTry = limit.mayTry()
      metrics.login(mayTry ? 'refused' : 'limited')
      if (!mayTry) throw new PlimsollError('quota_exceeded', 'too many attempts to log in: wait 10 s')
      limit.refused()
      throw new PlimsollError(
        'unauthenticated',
        isCode ? CODE_REFUSED : 'the token is not one of this console',
      )
    }
    metrics.login('ok')
    const { secret, pageSecret, expiresAt } = logins.begin(user)
    void reply.header('set-cookie', cookieOf(secret, expiresAt - clock.now(), isSecure))
    const loggedIn: LoggedIn = { ...meOf({ user, expiresAt }, clock.now(), canAnswer), secret: pageSecret }
    return loggedIn
  })
}

/** Files keep their names when they change: the browser asks each time whether its copy is current. */
function addPageFile(app: FastifyInstance, path: string, { body, gzipped, type, etag }: PageFile): void {
  app.get(path, async (request, reply: FastifyReply) => {
    void reply.headers({ 'cache-control': 'no-cache', vary: 'accept-encoding', etag })
    if (request.headers['if-none-match'] === etag) return reply.status(304).send()
    if (!/\bgzip\b/.test(String(request.headers['accept-encoding']))) return reply.type(type).send(body)
    return reply.type(type).header('content-encoding', 'gzip').send(gzipped)
  })
}
