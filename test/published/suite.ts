import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFile, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type CliProcess, startNode } from '../e2e/cli-process.js'
import { projectRoot } from '../support/paths.js'
import { readmeExample } from '../support/readme.js'
import type { PublishedPackages } from './packages.js'
import { type Project, createProject } from './project.js'

/** Entry points that need no framework. */
const ENTRIES = [
  '@plimsoll/client',
  '@plimsoll/client/gateway',
  '@plimsoll/client/kafka',
  '@plimsoll/contracts',
  '@plimsoll/contracts/errors',
] as const

/** A use of each entry, so that its types are looked at. */
const USES = `
import { type Answer, createGuard } from '@plimsoll/client'
import { connectGateway } from '@plimsoll/client/gateway'
import { connectClient } from '@plimsoll/client/kafka'
import { type Decision, parseJson } from '@plimsoll/contracts'
import { PlimsollError } from '@plimsoll/contracts/errors'

const guard = await createGuard({ mode: 'observe' })
const session = await guard.startSession({ category: 'research_comms' })
const answer: Answer = await session.propose({ tool: 'read_email', arguments: { id: 7 } })
export const decision: Decision | undefined = answer.decision
export const connect = [connectGateway, connectClient, parseJson, PlimsollError]
`

/** Its types would be `any` if they could not be found below. */
const WRONG_USE = `
import type { Answer } from '@plimsoll/client'

export const verdictOf = ({ verdict }: Answer): number => verdict
`

const COMMONJS_USES = `
import client = require('@plimsoll/client')

export const make: () => Promise<client.Guard> = client.createGuard
`

/** Bytes unpacked at most, and dependencies at most. */
const BARS: Readonly<Record<string, { readonly bytes: number; readonly dependencies: number }>> = {
  '@plimsoll/contracts': { bytes: 600_000, dependencies: 1 },
  '@plimsoll/client': { bytes: 1_000_000, dependencies: 5 },
  plimsoll: { bytes: 4_000_000, dependencies: 24 },
}

interface Manifest {
  readonly version: string
  readonly license: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly publishConfig: { readonly provenance: boolean }
}

export function testTarballs({ tarballs }: PublishedPackages): void {
  for (const { name, file, bytes } of tarballs)
    test(`the tarball of ${name} has what its users need, and nothing else`, () => {
      const files = execFileSync('tar', ['-tzf', file], { encoding: 'utf8' }).trim().split('\n')
      for (const needed of ['package.json', 'README.md', 'LICENSE'])
        assert.ok(files.includes(`package/${needed}`), needed)
      const foreign = /\.(test|map|tsbuildinfo)\b|(?<!\.d)\.ts$|node_modules|\/src\//
      assert.deepEqual(
        files.filter((each) => foreign.test(each)),
        [],
      )
      const manifest = JSON.parse(textIn(file, 'package.json')) as Manifest
      const { bytes: bytesMax, dependencies } = BARS[name] ?? { bytes: 0, dependencies: 0 }
      assert.ok(bytes <= bytesMax, `${bytes} bytes`)
      assert.ok(Object.keys(manifest.dependencies).length <= dependencies)
      for (const [library, range] of Object.entries(manifest.dependencies))
        assert.match(range, library.startsWith('@plimsoll/') ? /^\d+\.\d+\.\d+$/ : /^[\^~]?\d/)
      assert.equal(manifest.license, 'Apache-2.0')
      assert.equal(manifest.publishConfig.provenance, true)
      for (const page of files.filter((each) => each.endsWith('.md')))
        for (const [, link = ''] of proseIn(file, page).matchAll(/\]\((?!https?:|#)([^)#]*)/g)) {
          const target = path.posix.join(path.posix.dirname(page), link)
          assert.ok(
            files.some((each) => each.startsWith(target)),
            `${page} links to ${link}`,
          )
        }
    })
}

const textIn = (tarball: string, file: string): string =>
  execFileSync('tar', ['-xzOf', tarball, `package/${file}`], { encoding: 'utf8' })

/** A page of a tarball without its blocks of code. */
const proseIn = (tarball: string, page: string): string =>
  textIn(tarball, page.replace(/^package\//, '')).replaceAll(/^```[^]*?^```$/gm, '')

/** Installs the packages in empty projects on `node`, and does there what the docs say. */
export function testInstalled({ registry }: PublishedPackages, name: string, node: string): void {
  describe(`a project on ${name}`, () => {
    let project: Project
    before(async () => {
      project = await createProject({ registry: registry.url, node })
      await project.write('package.json', '{ "private": true }')
      await project.install('plimsoll', '@plimsoll/client', '@plimsoll/contracts', '@types/node@20')
    })
    after(() => project.remove())

    test("runs README's agent, which may not mail what it has read", async () => {
      await project.write('agent.mjs', await readmeExample('@plimsoll/client'))
      const { stdout, stderr } = await project.run('node', ['agent.mjs'])
      assert.match(stdout, /^block /)
      assert.match(stdout, /carries sensitive data/)
      assert.equal(stderr, '')
    })

    for (const name of ['client', 'contracts'])
      test(`runs the example of the readme of @plimsoll/${name}`, async () => {
        const readme = await readFile(
          path.join(project.folder, 'node_modules/@plimsoll', name, 'README.md'),
          'utf8',
        )
        const [, code = ''] = /^```js\n([^]*?)^```$/m.exec(readme) ?? []
        const { stdout, stderr } = await project.run('node', ['--input-type=module', '-e', code])
        assert.match(stdout, name === 'client' ? /^sent to ann@example\.org$/m : /^false \[/)
        assert.equal(stderr, '')
      })

    test('loads each entry point by `require`, as the same module', async () => {
      const same = 'if (require(entry) !== (await import(entry))) throw new Error(entry)'
      const code = `(async () => { for (const entry of ${JSON.stringify(ENTRIES)}) { ${same} } })()`
      await project.write('all.cjs', code)
      assert.deepEqual(await project.run('node', ['all.cjs']), { stdout: '', stderr: '' })
    })

    test('checks its types strictly, those of libraries too', async () => {
      const stricter = { exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true }
      const files = { 'uses.mts': USES, 'uses.cts': COMMONJS_USES }
      assert.deepEqual(await project.typeErrors(files, stricter), [])
      assert.equal((await project.typeErrors({ 'wrong.mts': WRONG_USE })).length, 1)
    })

    test('shows its help', async () => {
      const { stdout, stderr } = await project.run('npx', ['plimsoll', '--help'])
      assert.match(stdout, /^Usage: plimsoll/)
      assert.equal(stderr, '')
    })

    test("has a gateway for README's agent, and writes nothing", async () => {
      const files = await filesOf(project.folder)
      const up = startUp(project)
      try {
        const { url, key } = await gatewayOf(up)
        const example = await readmeExample('@plimsoll/client/gateway')
        const code = example.replace('http://127.0.0.1:9465', url)
        const { stdout } = await project.run('node', ['--input-type=module', '-e', code], {
          GATEWAY_KEY: key,
        })
        assert.equal(stdout, 'sent to ann@example.org\n')
      } finally {
        up.signal('SIGTERM')
      }
      const { code, stderr } = await up.ended
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
      assert.deepEqual(await filesOf(project.folder), files)
    })

    test('has the data and the workers of its commands', async () => {
      await project.write('policy.yaml', await readFile(POLICY, 'utf8'))
      const shown = await project.run('sh', ['-c', COMMANDS.join('; ')])
      assert.match(shown.stdout, /kind: plimsoll\.pack/)
      assert.match(shown.stdout, /^category: /m)
      assert.match(shown.stdout, /runs of up to 2 transitions/)
      assert.equal(shown.stderr, '')
    })
  })
}

const POLICY = path.join(projectRoot, 'shared/policy/policies/default.yaml')

/** The last proves nothing at this depth, and says so by its exit code. */
const COMMANDS = [
  'bin=node_modules/.bin/plimsoll',
  '$bin policy packs payments',
  '$bin category mail the customer',
  '$bin verify policy.yaml --depth 2 || true',
]

export const startUp = ({ folder, env, node }: Project): CliProcess =>
  startNode(
    [
      path.join(folder, 'node_modules/plimsoll/bin/plimsoll.js'),
      'up',
      '--port',
      '0',
      '--gateway',
      '0',
      '--console',
      '0',
    ],
    {
      cwd: folder,
      env,
      node,
    },
  )

/** Where `plimsoll up` says that agents connect. */
export async function gatewayOf(up: CliProcess): Promise<{ readonly url: string; readonly key: string }> {
  const [, url = '', key = ''] =
    /agents at (\S+) with GATEWAY_KEY=(\S+)/.exec(await up.printed(/agents at /)) ?? []
  return { url, key }
}

/** Each with the time of its last change. */
async function filesOf(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true })
  return Promise.all(
    names.toSorted().map(async (name) => `${name} ${(await stat(path.join(folder, name))).mtimeMs}`),
  )
}
