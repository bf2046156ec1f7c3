import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { freePorts } from '../support/components/free-ports.js'
import { projectRoot } from '../support/paths.js'
import { waitUntil } from '../support/wait-until.js'
import { type Launch, parseDockerfile } from './dockerfile.js'
import { buildImage, makeReadOnly } from './image-build.js'
import { readText } from './rule-files.js'

const dockerfile = parseDockerfile(readText('deploy/image/Dockerfile'))
const { launch } = dockerfile
const [, nodeVersion = ''] = /^node:([\d.]+)-/.exec(dockerfile.bases[0] ?? '') ?? []
/** Of /app, beside what the image of Node has. */
const APP_MB_MAX = 60

const folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-image-'))
const programs = path.join(folder, 'node/bin')

test('both stages use the same Node, pinned to its patch version', () => {
  assert.equal(new Set(dockerfile.bases).size, 1)
  assert.match(dockerfile.bases[0] ?? '', /^node:24\.\d+\.\d+-[a-z]+-slim$/)
})

test('runs as a numeric non-root user', () => assert.match(launch.user, /^[1-9]\d*:[1-9]\d*$/))

describe('the image, built without Docker', () => {
  let root = ''
  before(async () => {
    // The container runs as another user.
    chmodSync(folder, 0o755)
    // The npm of this machine is another: that of the base image has left out dependencies before.
    const script = path.join(projectRoot, 'scripts/node-release.sh')
    const release = spawnSync(script, [nodeVersion, path.dirname(programs)], { encoding: 'utf8' })
    assert.equal(release.status, 0, release.stderr)
    root = await buildImage({ dockerfile, context: projectRoot, folder, programs })
    makeReadOnly(root)
  })
  after(() => {
    spawnSync('chmod', ['-R', 'u+w', folder])
    rmSync(folder, { recursive: true })
  })

  test('contains only what runs, without build or test files', () => {
    assert.deepEqual(readdirSync(path.join(root, 'app')).sort(), [
      'deploy',
      'lab',
      'node_modules',
      'package.json',
      'services',
      'shared',
    ])
    for (const gone of [
      'typescript',
      'prettier',
      'testcontainers',
      '@grafana',
      '@anthropic-ai',
      '@mastra',
      'langchain',
      'ai',
    ])
      assert.ok(!existsSync(path.join(root, 'app/node_modules', gone)), gone)
    const files = readdirSync(path.join(root, 'app'), { recursive: true, encoding: 'utf8' }).filter(
      // Links to the packages.
      (file) => !file.startsWith('node_modules/@plimsoll/'),
    )
    for (const dispensable of [
      /\.[mc]?ts(\.map)?$|\.tsbuildinfo$/,
      /\.test\.js(\.map)?$|node_modules\/(@[^/]+\/)?[^/]+\/tests?$/,
      /^(shared|services|lab)\/.*\/testing(\.js|$)/,
    ])
      assert.deepEqual(
        files.filter((file) => dispensable.test(file)),
        [],
      )
    const bytes = files.reduce((sum, file) => sum + lstatSync(path.join(root, 'app', file)).size, 0)
    assert.ok(bytes < APP_MB_MAX * 1e6, `${bytes} bytes`)
    assert.ok(existsSync(path.join(root, 'app/node_modules/.bin/plimsoll')))
    assert.ok(existsSync(path.join(root, 'app/node_modules/zod')), 'a dependency that is a peer of others')
  })

  test('cannot write to it', async () => {
    const attempt = "require('node:fs').writeFileSync('x', '')"
    assert.notEqual(await exitCode(root, ['node', '-e', `try { ${attempt} } catch { process.exit(13) }`]), 0)
  })

  test('prints its commands', async () => {
    const child = start(root, [...launch.entrypoint, '--help'])
    let said = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (said += text))
    const [code] = (await once(child, 'close')) as [number | null]
    assert.equal(code, 0)
    assert.match(said, /Usage: plimsoll \[options\] \[command\]/)
  })

  test('runs the monitor on a read-only file system as another user; its probe answers, and SIGTERM ends it', async () => {
    const [port = 0] = await freePorts(1)
    const env = {
      // The check of health asks 127.0.0.1.
      PLIMSOLL_HTTP_PORT: String(port),
      KAFKA_BROKERS: '127.0.0.1:1',
      REDIS_URL: 'redis://127.0.0.1:1',
    }
    const monitor = start(root, [...launch.entrypoint, ...launch.command], env)
    const ended = once(monitor, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
    monitor.stdout?.resume()
    try {
      await waitUntil(
        'the probe finds it alive',
        async () => (await exitCode(root, launch.health, env)) === 0,
      )
      const ready = launch.health.map((word) => word.replace('/healthz', '/readyz'))
      assert.equal(await exitCode(root, ready, env), 1, 'not ready without Kafka')
    } finally {
      monitor.kill('SIGTERM')
    }
    assert.deepEqual(await ended, [0, null])
    assert.equal(await exitCode(root, launch.health, env), 1, 'nobody answers any more')
  })
})

/** Starts `argv` as the image would: its environment, its user where we may choose one, its paths where they lie here. */
function start(
  root: string,
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  const [command = '', ...args] = argv
  assert.equal(command, 'node')
  const here = args.map((arg) => (arg.startsWith('/app/') ? path.join(root, arg) : arg))
  return spawn(path.join(programs, 'node'), here, {
    cwd: path.join(root, 'app'),
    env: { ...environmentOf(launch), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    ...userOf(launch),
  })
}

async function exitCode(root: string, argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = start(root, argv, env)
  child.stdout?.resume()
  const [code] = (await once(child, 'close')) as [number | null]
  return code
}

/** All but the PATH, for Node is where it is here. */
const environmentOf = ({ env }: Launch): Record<string, string> =>
  Object.fromEntries([...env].filter(([name]) => name !== 'PATH'))

function userOf({ user }: Launch) {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = user.split(':').map(Number)
  return { uid, gid }
}
