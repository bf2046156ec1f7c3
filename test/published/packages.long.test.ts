import assert from 'node:assert/strict'
import { cp, readFile, symlink } from 'node:fs/promises'
import path from 'node:path'
import { execFileSync } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { startNode } from '../e2e/cli-process.js'
import { kafka, redis, uniquePrefix, withoutPair } from '../support/components/components.js'
import { projectRoot } from '../support/paths.js'
import { readmeExample } from '../support/readme.js'
import { NODE_22, obtainNode, obtainNode24 } from '../support/run/node-24.js'
import { publishPackages } from './packages.js'
import { type Project, createProject } from './project.js'
import { gatewayOf, testInstalled } from './suite.js'

const published = await publishPackages()
after(() => published.remove())
const { url: registry } = published.registry
const versionOf = (node: string): string =>
  `Node ${execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim()}`
const newer = [await obtainNode(NODE_22), await obtainNode24()]
for (const each of newer)
  if ('missing' in each) test('a newer Node', { skip: each.missing }, () => undefined)
  else testInstalled(published, versionOf(each.program), each.program)

test('from `npx plimsoll up` in an empty folder, with nothing cached, to a decision on an own step', async (t) => {
  const project = await createProject({ registry, node: process.execPath, hasEmptyCache: true })
  t.after(() => project.remove())
  const startedAt = performance.now()
  const up = startNode(['--yes', 'plimsoll', 'up', '--port', '0', '--gateway', '0', '--console', '0'], {
    node: 'npx',
    cwd: project.folder,
    env: project.env,
  })
  try {
    const { url, key } = await gatewayOf(up)
    const upMs = performance.now() - startedAt
    await project.install('@plimsoll/client')
    const code = (await readmeExample('@plimsoll/client/gateway')).replace('http://127.0.0.1:9465', url)
    const { stdout } = await project.run('node', ['--input-type=module', '-e', code], { GATEWAY_KEY: key })
    assert.equal(stdout, 'sent to ann@example.org\n')
    const ms = performance.now() - startedAt
    t.diagnostic(`the gateway after ${Math.round(upMs)} ms, the first decision after ${Math.round(ms)} ms`)
  } finally {
    up.signal('SIGTERM')
    await up.ended
  }
})

test("README's agent over Kafka gets a decision of a monitor", { skip: withoutPair }, async (t) => {
  const project = await createProject({ registry, node: process.execPath })
  t.after(() => project.remove())
  await project.write('package.json', '{ "private": true }')
  await project.install('plimsoll', '@plimsoll/client')
  const topicPrefix = `${uniquePrefix()}plimsoll`
  const env = {
    KAFKA_BROKERS: kafka.brokers.join(','),
    REDIS_URL: redis.url,
    PLIMSOLL_TOPIC_PREFIX: topicPrefix,
    PLIMSOLL_SIGNING_KEY: 'a signing key of tests, with some length',
    PLIMSOLL_HTTP_PORT: '0',
  }
  const bin = path.join(project.folder, 'node_modules/plimsoll/bin/plimsoll.js')
  const monitor = startNode([bin, 'monitor'], { cwd: project.folder, env: { ...project.env, ...env } })
  try {
    const example = await readmeExample('@plimsoll/client/kafka')
    const code = example.replace(
      "['127.0.0.1:9092']",
      `${JSON.stringify(kafka.brokers)}, topicPrefix: '${topicPrefix}', timeoutMs: 60_000`,
    )
    await monitor.printed(/"partitions assigned"/)
    const { stdout } = await project.run(
      'node',
      ['--input-type=module', '-e', `${code}\nconsole.log(final.by, final.verdict)`],
      {
        FINGERPRINT_KEY: 'a key of fingerprints for tests',
      },
    )
    assert.equal(stdout, 'decision allow\n')
  } finally {
    monitor.signal('SIGTERM')
    assert.equal((await monitor.ended).code, 0)
  }
})

/** Entry points, and the libraries whose own declarations have errors. */
const ADAPTERS = {
  langchain: /^$/,
  'openai-agents': /^$/,
  'claude-agent': /^$/,
  'ai-sdk': /^$/,
  mastra: /^node_modules\/@mastra\//,
} as const

describe('a project with agent frameworks', () => {
  let project: Project
  before(async () => {
    const node = newer[1]
    if (node === undefined || 'missing' in node) throw new Error('the frameworks need a Node 24')
    project = await createProject({ registry, node: node.program })
    await project.write('package.json', '{ "private": true, "type": "module" }')
    const { peerDependencies, dependencies } = JSON.parse(
      await readFile(path.join(projectRoot, 'test/package.json'), 'utf8'),
    ) as Record<string, Readonly<Record<string, string>>>
    const frameworks = Object.entries(peerDependencies ?? {}).map(([name, range]) => `${name}@${range}`)
    const zod = `zod@${dependencies?.zod}`
    await project.install('@plimsoll/client', '@plimsoll/contracts', '@types/node@20', zod, ...frameworks)
  })
  after(() => project.remove())

  for (const [entry, library] of Object.entries(ADAPTERS))
    test(`has sound types of @plimsoll/client/${entry}`, async () => {
      const uses = `import * as adapter from '@plimsoll/client/${entry}'\nexport const keys = Object.keys(adapter)\n`
      const errors = await project.typeErrors({ 'uses.mts': uses })
      assert.deepEqual(
        errors.filter((error) => !library.test(error)),
        [],
      )
    })

  test("runs the docs' examples of all frameworks", async () => {
    // The tests of the adapters, with the packages of this project; their helper alone reads a default document itself.
    for (const folder of ['test/dist/frameworks', 'test/dist/support', 'docs', 'README.md'])
      await cp(path.join(projectRoot, folder), path.join(project.folder, folder), { recursive: true })
    await symlink(
      path.join(projectRoot, 'shared/policy'),
      path.join(project.folder, 'node_modules/@plimsoll/policy'),
    )
    const files = ['readme', 'ai-sdk-6', 'ai-sdk-7', 'mastra'].map(
      (name) => `test/dist/frameworks/${name}.test.js`,
    )
    const args = ['--test', '--test-reporter=tap', '--test-name-pattern', 'README', ...files]
    const { stdout } = await project.run('node', args)
    const passed = [...stdout.matchAll(/^ *ok \d+ - README.*(?<!# SKIP.*)$/gm)]
    assert.ok(passed.length >= 6, stdout)
    assert.match(stdout, /^# fail 0$/m)
  })
})

test('a release does all but publish with `--dry-run`', async () => {
  const { stdout, stderr } = await startNode([path.join(projectRoot, 'scripts/release.mjs'), '--dry-run'])
    .ended
  for (const name of ['@plimsoll/contracts', '@plimsoll/client', 'plimsoll'])
    assert.ok(stdout.includes(`+ ${name}@`), stdout + stderr)
  assert.match(stderr, /total files:/)
  assert.match(stderr, /^release: /m)
})
