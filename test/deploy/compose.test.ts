import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, test } from 'node:test'
import { COMMANDS, runCli } from '@plimsoll/cli'
import { hashOfToken, parseUsers } from '@plimsoll/console'
import { hashOfKey, parsePrincipals } from '@plimsoll/gateway'
import { parse } from 'yaml'
import { kafkaImage } from '../support/kafka/docker.js'
import { projectRoot } from '../support/paths.js'
import { REDIS_IMAGE } from '../support/redis/docker.js'
import { COMPOSE_FILE, compose, volumesOf } from './compose-file.js'
import { parseDockerfile } from './dockerfile.js'
import { DEPLOY_TOOLS, findProgram } from './programs.js'
import { readText, readYaml } from './rule-files.js'

const dockerCompose = findProgram('docker-compose', DEPLOY_TOOLS)
const services = Object.entries(compose.services)
const ours = services.filter(([, { image }]) => image === 'plimsoll:local')
const inRoot = (file: string) => path.join(projectRoot, file)

test(
  'Docker Compose loads the file: schema, references, variables',
  { skip: dockerCompose.skip },
  async () => {
    const printed = await dockerCompose.output(['--file', COMPOSE_FILE, 'config', '--format', 'json'])
    const project = JSON.parse(printed) as { services: object }
    assert.deepEqual(Object.keys(project.services).sort(), services.map(([name]) => name).sort())
  },
)

test('the image is built once, by a service that all others of it depend on', () => {
  const [builder, ...more] = services.filter(([, { build }]) => build !== undefined)
  assert.deepEqual([builder?.[0], more], ['key', []])
  assert.ok(existsSync(inRoot(builder?.[1].build?.dockerfile ?? '')))
  const dependsOnBuilder = (name: string): boolean =>
    name === 'key' || Object.keys(compose.services[name]?.depends_on ?? {}).some(dependsOnBuilder)
  for (const [name, { pull_policy }] of ours)
    assert.deepEqual([pull_policy, dependsOnBuilder(name)], ['never', true], name)
})

test('Kafka and Redis are those that the tests start', () =>
  assert.deepEqual(
    [compose.services['kafka']?.image, compose.services['redis']?.image],
    [kafkaImage(), REDIS_IMAGE],
  ))

test('every environment variable is optional', () => {
  const taken = readText(COMPOSE_FILE).match(/\$\{[^}]*\}/g) ?? []
  assert.deepEqual(
    taken.filter((each) => !each.includes(':-')),
    [],
  )
})

for (const [name, service] of services)
  describe(name, () => {
    test('has a pinned image, and ports on localhost only', () => {
      assert.match(service.image, /^plimsoll:local$|:v?\d+\.\d+[\w.-]*$/)
      for (const port of service.ports ?? []) assert.match(port, /^127\.0\.0\.1:(\d+):\1$/)
    })

    test('mounts only existing paths and volumes', () => {
      for (const { source, mode, isPath } of volumesOf(service)) {
        assert.ok(isPath ? existsSync(inRoot(source)) : source in compose.volumes, source)
        if (isPath) assert.equal(mode, 'ro', `${source}: what is the project's is not written to`)
      }
    })

    test('depends only on services with a health check or that run once', () => {
      for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
        const awaited = compose.services[other]
        if (condition === 'service_healthy') assert.ok(awaited?.healthcheck?.test, `${other} has no check`)
        else assert.deepEqual([condition, awaited?.restart], ['service_completed_successfully', 'no'])
      }
    })

    test('restarts, unless it has finished', () =>
      assert.match(service.restart ?? '', /^(unless-stopped|no)$/))
  })

for (const [name, service] of ours)
  describe(`${name}, of our own image`, () => {
    const { command = [], environment = {} } = service
    const known = COMMANDS.find((each) => each.name === command[0])

    test('has minimal privileges', () => {
      assert.equal(service.read_only, true)
      if (service.restart !== 'no') assert.deepEqual(service.cap_drop, ['ALL'])
    })

    test('runs an existing command, or a file of the image', async () => {
      if (service.entrypoint) return assert.ok(existsSync(inRoot(inImage(service.entrypoint[1]))))
      assert.ok(known, `\`plimsoll ${command[0]}\``)
      let isCalled = false
      const written = { isTerminal: false, write: (text: string) => assert.fail(text) }
      const run = async () => ((isCalled = true), 0 as const)
      const { signal } = new AbortController()
      await runCli(command, [{ ...known, run }], { env: {}, stdout: written, stderr: written, signal })
      assert.ok(isCalled, 'and not its help')
    })

    test('gets no unknown variable', () => {
      if (!known) return assert.match(Object.keys(environment).join(), /^(PLIMSOLL_SIGNING_KEY|GATEWAY_KEY)$/)
      const settings = Object.values(known.environment ?? {})
      for (const [variable, value] of Object.entries(environment)) {
        const secret = settings.find((each) => each.isSecret && `${each.env}_FILE` === variable)
        const setting = settings.find((each) => each.env === variable)
        assert.ok(setting ?? secret, variable)
        if (setting) assert.ok(setting.parse(resolve(String(value))).ok, `${variable}=${value}`)
        if (secret) assert.ok(volumesOf(service).some(({ target }) => String(value).startsWith(`${target}/`)))
      }
    })

    test('has a health check file in the image', () => {
      const { test: check, disable } = service.healthcheck ?? {}
      if (disable !== true) assert.ok(existsSync(inRoot(inImage(check?.[2]))), String(check))
    })
  })

const resolve = (value: string) => value.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')
const inImage = (file = '') => file.replace(/^\/app\//, '')

interface Scrape {
  readonly job_name: string
  readonly static_configs?: readonly { readonly targets: readonly string[] }[]
  readonly dns_sd_configs?: readonly { readonly names: readonly string[]; readonly port: number }[]
}

describe('related values agree', () => {
  const prometheus = readYaml('deploy/prometheus/prometheus.yml') as {
    readonly scrape_configs: readonly Scrape[]
    readonly alerting: { readonly alertmanagers: readonly Pick<Scrape, 'static_configs'>[] }
  }
  const isListening = (host: string, port: string) =>
    host === '127.0.0.1' ||
    compose.services[host]?.ports?.some((each) => each.endsWith(`:${port}`)) === true ||
    compose.services[host]?.expose?.includes(port) === true

  test('the port of monitors, gateways and consoles: setting, image, Prometheus', () => {
    const scraped = prometheus.scrape_configs.find(({ job_name }) => job_name === 'plimsoll')
    const [{ names, port } = { names: [], port: 0 }] = scraped?.dns_sd_configs ?? []
    assert.deepEqual([...names], ['monitor', 'gateway', 'console'])
    assert.deepEqual(parseDockerfile(readText('deploy/image/Dockerfile')).launch.ports, [port])
    for (const name of names) {
      assert.equal(compose.services[name]?.environment?.['PLIMSOLL_HTTP_PORT'], port)
      assert.ok(isListening(name, String(port)))
    }
  })

  test('agents on this machine reach the gateway, with an existing principal', () => {
    const { environment = {}, ports } = compose.services['gateway'] ?? {}
    assert.equal(environment['PLIMSOLL_GATEWAY_HOST'], '0.0.0.0')
    assert.deepEqual(ports, [`127.0.0.1:${environment['PLIMSOLL_GATEWAY_PORT']}:9465`])
    const folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-principals-'))
    const script = inRoot('deploy/image/make-principals.mjs')
    const run = (options: readonly string[], key = '') =>
      spawnSync(process.execPath, [script, folder, ...options], {
        env: { GATEWAY_KEY: key },
        encoding: 'utf8',
      })
    const make = (key: string) => {
      const { status, stderr, stdout } = run([], key)
      assert.equal(status, 0, stderr)
      const file = path.join(folder, path.basename(String(environment['PLIMSOLL_PRINCIPALS'])))
      return { stdout, ...parsePrincipals(parse(readFileSync(file, 'utf8'))) }
    }
    const shown = () => /^GATEWAY_KEY=(.*)$/m.exec(run(['--show']).stdout)?.[1] ?? ''
    try {
      const before = run(['--show'])
      assert.deepEqual([before.status, before.stdout], [1, ''])
      assert.match(before.stderr, /no gateway key is kept here: start the stack/)
      const first = make('')
      const key = shown()
      assert.match(key, /^[0-9a-f]{64}$/)
      assert.deepEqual(first.principals[0]?.keys, [hashOfKey(key)])
      const again = make('')
      assert.deepEqual(again.principals, first.principals)
      assert.doesNotMatch(`${first.stdout}${again.stdout}`, new RegExp(key))
      assert.equal(shown(), key, 'shown again at any time')
      assert.equal(statSync(path.join(folder, 'gateway-key')).mode & 0o777, 0o400)
      assert.notEqual(run(['--shw']).status, 0)
      assert.deepEqual(make('a key of our own').principals[0]?.keys, [hashOfKey('a key of our own')])
      assert.equal(shown(), 'a key of our own')
      const { environment: page = {}, ports: pagePorts } = compose.services['console'] ?? {}
      assert.deepEqual(pagePorts, [`127.0.0.1:${page['PLIMSOLL_CONSOLE_PORT']}:9466`])
      const users = readFileSync(
        path.join(folder, path.basename(String(page['PLIMSOLL_CONSOLE_USERS']))),
        'utf8',
      )
      const token = /^http:\/\/127\.0\.0\.1:9466\n(.*)$/m.exec(run(['--show-page']).stdout)?.[1] ?? ''
      assert.ok(!run(['--show']).stdout.includes(token))
      assert.deepEqual(parseUsers(parse(users)).users[0]?.tokens, [hashOfToken(token)])
      const fingerprints = path.basename(String(environment['PLIMSOLL_FINGERPRINT_KEY_FILE']))
      assert.match(readFileSync(path.join(folder, fingerprints), 'utf8'), /^[0-9a-f]{64}$/)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('Prometheus scrapes existing services at their ports', () => {
    const targets = [...prometheus.scrape_configs, ...prometheus.alerting.alertmanagers].flatMap(
      ({ static_configs = [] }) => static_configs.flatMap((each) => each.targets),
    )
    assert.ok(targets.length > 2)
    for (const target of targets)
      assert.ok(isListening(target.split(':')[0] ?? '', target.split(':')[1] ?? ''), target)
  })

  test('Grafana finds Prometheus and its mounted dashboards', () => {
    const { datasources } = readYaml('deploy/grafana/provisioning/datasources/prometheus.yml') as {
      readonly datasources: readonly { readonly url: string }[]
    }
    const { hostname, port } = new URL(datasources[0]?.url ?? '')
    assert.ok(isListening(hostname, port))
    const { providers } = readYaml('deploy/grafana/provisioning/dashboards/plimsoll.yml') as {
      readonly providers: readonly { readonly options: { readonly path: string } }[]
    }
    const grafana = compose.services['grafana'] ?? { image: '' }
    const mount = volumesOf(grafana).find(({ target }) => target === providers[0]?.options.path)
    assert.ok(mount)
    const home = String(grafana.environment?.['GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH'])
    assert.ok(existsSync(inRoot(home.replace(mount.target, mount.source))), home)
  })

  test('Prometheus finds its mounted rules', () => {
    const mounts = volumesOf(compose.services['prometheus'] ?? { image: '' })
    const { rule_files } = prometheus as unknown as { readonly rule_files: readonly string[] }
    const [folder = ''] = rule_files.map((glob) => path.dirname(glob))
    assert.ok(
      mounts.some(({ target, source }) => target === folder && source.endsWith('deploy/prometheus/rules')),
    )
  })
})

test('the key is made once and kept, and nothing overwrites it', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-key-'))
  const file = path.join(folder, 'signing-key')
  const make = (key = '') => {
    const { status, stderr } = spawnSync(process.execPath, [inRoot('deploy/image/make-key.mjs'), file], {
      env: { PLIMSOLL_SIGNING_KEY: key },
      encoding: 'utf8',
    })
    return { status, stderr, kept: existsSync(file) ? readFileSync(file, 'utf8') : undefined }
  }
  const own = 'a key of our own, long enough'
  try {
    const { kept: first } = make()
    assert.match(first ?? '', /^[0-9a-f]{64}$/)
    assert.equal(statSync(file).mode & 0o777, 0o440)
    assert.deepEqual(make(), { status: 0, stderr: '', kept: first })
    assert.deepEqual(make(first), { status: 0, stderr: '', kept: first })
    const other = make(own)
    assert.deepEqual([other.status, other.kept], [1, first])
    assert.match(other.stderr, /not the signing key that is kept here.*unset the variable/)
    rmSync(file)
    const short = make('too short')
    assert.deepEqual([short.status, short.kept], [1, undefined])
    assert.match(short.stderr, /needs at least 16/)
    assert.deepEqual(make(own), { status: 0, stderr: '', kept: own })
    writeFileSync(file, '')
    assert.equal(make(own).kept, own, 'an empty file is no key')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
