import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROLES, ROUTES, hashOfToken, parseUsers, type Role, type Route } from '@plimsoll/console'
import {
  type ConsoleDeployment,
  HEADERS,
  logInWith,
  visitorOf,
  withConsole,
} from '../../support/console-world.js'
import { waitUntil } from '../../support/wait-until.js'

/** What the routes are about is of this tenant. */
const TENANT = 'acme'
const SESSION = `${TENANT}~run-1`

/** Every role in the tenant, in another one, and nobody. */
const PEOPLE: readonly { readonly name: string; readonly role: Role | undefined }[] = [
  { name: 'nobody', role: undefined },
  ...ROLES.flatMap((role) => [
    { name: `own-${role}`, role },
    { name: `any-${role}`, role },
    { name: `other-${role}`, role: undefined },
    // Narrower in this tenant than elsewhere.
    { name: `narrow-${role}`, role: 'viewer' as const },
  ]),
]

const rolesOf = (name: string): Readonly<Record<string, Role>> => {
  const [where, role] = name.split('-') as [string, Role]
  if (where === 'own') return { [TENANT]: role }
  if (where === 'any') return { '*': role }
  return where === 'other' ? { globex: role } : { '*': role, [TENANT]: 'viewer' }
}

const users = parseUsers({
  users: PEOPLE.filter(({ name }) => name !== 'nobody').map(({ name }) => ({
    name,
    tokens: [hashOfToken(`token-of-${name}`)],
    roles: rolesOf(name),
  })),
})

const visitorNamed = ({ console: { url } }: ConsoleDeployment, name: string) =>
  logInWith(url, { token: `token-of-${name}` })

const canSee = (role: Role | undefined): boolean => role !== undefined
const hasRole = (role: Role | undefined, needed: Role): boolean =>
  role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(needed)

/** What is sent to each address that changes something: refused for what is missing or wrong, so that nothing is changed. */
const BODIES: Readonly<Record<string, object>> = {
  '/api/approvals/:decisionId': { resolution: 'denied' },
  '/api/appeals/:decisionId': { expected: 'a wish' },
  '/api/controls': { action: 'stop', tenant: TENANT },
}

const QUERIES: Readonly<Record<string, string>> = { '/api/met': '?code=irreversible_not_asked' }

/** The answer that each person must get at each route. */
function expectedStatus({ method, path, role: needed }: Route, name: string, role: Role | undefined): number {
  if (name === 'nobody') return 401
  // The body names the tenant.
  if (path === '/api/controls' && method === 'POST') return hasRole(role, needed) ? 400 : 403
  // Lists leave out what is of other tenants.
  if (!path.includes(':')) return 200
  if (!canSee(role)) return 404
  // Approved without sight of the arguments: refused for that alone.
  return hasRole(role, needed) ? (needed === 'viewer' ? 200 : 400) : 403
}

test('each route refuses each person without its role in the tenant', async () => {
  await withConsole(
    'embedded',
    async (fixture) => {
      const session = await (await fixture.connect()).startSession({ id: SESSION })
      const asked = await session.propose({ tool: 'send_email', arguments: { to: 'a@example.org' } })
      const decisionId = asked.decision?.id ?? ''
      const admin = await visitorNamed(fixture, 'any-admin')
      await waitUntil('the question', async () => {
        const { body } = await admin.get<{ count: number }>('/api/queue')
        return body.count === 1
      })
      const addressOf = (route: Route) =>
        (route.path + (QUERIES[route.path] ?? ''))
          .replace(':id', encodeURIComponent(SESSION))
          .replace(':decisionId', encodeURIComponent(decisionId))
      let tried = 0
      for (const { name, role } of PEOPLE) {
        const visitor = name === 'nobody' ? visitorOf(fixture.console.url) : await visitorNamed(fixture, name)
        for (const route of ROUTES) {
          const path = addressOf(route)
          const { status, body } =
            route.method === 'GET'
              ? await visitor.get(path)
              : await visitor.post(path, BODIES[route.path] ?? assert.fail(`no body for ${route.path}`))
          assert.equal(status, expectedStatus(route, name, role), `${name} at ${route.method} ${route.path}`)
          if (!canSee(role) || status >= 400)
            for (const secret of [SESSION, 'send_email', TENANT])
              assert.ok(
                status >= 400 || !JSON.stringify(body).includes(secret),
                `${name} gets \`${secret}\` at ${route.path}`,
              )
          tried += 1
        }
        if (name === 'nobody' || canSee(role)) continue
        const named = await visitor.get(`/api/fleet?tenant=${TENANT}`)
        assert.equal(named.status, 403, name)
      }
      assert.equal(tried, PEOPLE.length * ROUTES.length)
    },
    { users },
  )
})

test('requests that change something are refused from elsewhere', async () => {
  await withConsole('embedded', async ({ console: { url }, logIn }) => {
    const { cookie, secret } = await logIn('ines')
    const page = { ...HEADERS, 'x-plimsoll-console': secret }
    const post = (path: string, headers: Readonly<Record<string, string>>) =>
      fetch(`${url}${path}`, { method: 'POST', headers, body: '{}' })
    const paths = [
      '/api/login',
      '/api/logout',
      ...ROUTES.flatMap(({ method, path }) => (method === 'POST' ? [path] : [])),
    ]
    for (const path of paths)
      for (const [what, headers] of Object.entries({
        'without the header': { 'content-type': 'application/json', cookie },
        'as a form of another page': { 'content-type': 'text/plain', cookie },
        'from another origin': { ...page, cookie, origin: 'https://evil.example' },
        'from another site': { ...page, cookie, 'sec-fetch-site': 'cross-site' },
      }))
        assert.equal((await post(path, headers)).status, 403, `${path} ${what}`)
    const preflight = await fetch(`${url}/api/logout`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    })
    assert.deepEqual([preflight.ok, preflight.headers.get('access-control-allow-origin')], [false, null])
  })
})

test('the cookie alone reads, and changes nothing: servers on other ports get it', async () => {
  await withConsole('embedded', async ({ console: { url }, connect, logIn }) => {
    const session = await (await connect()).startSession({ id: SESSION })
    const asked = await session.propose({ tool: 'send_email', arguments: { to: 'a@example.org' } })
    const ines = await logIn('ines')
    const vera = await logIn('vera')
    const answer = `/api/approvals/${encodeURIComponent(asked.decision?.id ?? '')}`
    for (const secret of ['1', '', vera.secret, ines.cookie.split('=')[1]]) {
      const thief = visitorOf(url, ines.cookie, secret)
      const { status, body } = await thief.post(answer, { resolution: 'approved', unseen: true })
      assert.equal(status, 403)
      assert.match(body.error?.message ?? '', /log in again in this tab|x-plimsoll-console/)
      assert.equal((await thief.post('/api/logout', {})).status, 403)
      const me = await thief.get('/api/me')
      assert.deepEqual([me.status, JSON.stringify(me.body).includes(ines.secret)], [200, false])
    }
    // Tabs of one browser share the cookie of the latest login.
    const later = await logIn('ines')
    const first = visitorOf(url, later.cookie, ines.secret)
    await waitUntil('the answer', async () => {
      const { status } = await first.post(answer, { resolution: 'approved', unseen: true })
      return status === 200
    })
  })
})

test('a login ends with its cookie, and wrong tokens are bounded', async () => {
  await withConsole('embedded', async ({ console: { url }, logIn }) => {
    const ines = await logIn('ines')
    assert.equal((await ines.get('/api/me')).status, 200)
    assert.equal((await ines.post('/api/logout', {})).status, 204)
    assert.equal((await ines.get('/api/me')).status, 401)
    const guess = async () => (await visitorOf(url).post('/api/login', { token: 'a guess' })).status
    const statuses: number[] = []
    for (let i = 0; i < 21; i++) statuses.push(await guess())
    assert.deepEqual([...new Set(statuses)], [401, 429])
    // The right token is not kept out by others' guesses.
    assert.equal((await (await logIn('omar')).get('/api/me')).status, 200)
  })
})

test('every answer has the headers that keep other code out', async () => {
  await withConsole('embedded', async ({ console: { url }, logIn }) => {
    const { cookie } = await logIn('vera')
    for (const path of ['/', '/api/me', '/api/nothing', '/api/live', '/../package.json']) {
      const ending = new AbortController()
      const { headers } = await fetch(`${url}${path}`, { headers: { cookie }, signal: ending.signal })
      const csp = headers.get('content-security-policy') ?? ''
      assert.match(csp, /default-src 'none'.*frame-ancestors 'none'/, path)
      assert.doesNotMatch(csp, /unsafe/, path)
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
      ending.abort()
    }
  })
})
