import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { startProcess } from '../support/components/local-process.js'
import { freePorts } from '../support/components/free-ports.js'
import { cacheDirectory } from '../support/paths.js'
import { waitUntil } from '../support/wait-until.js'

const run = promisify(execFile)

/** The last that runs on Node 20. No dependency of the project: it brings 57 MB. */
const VERDACCIO = '6.7.4'

export interface Registry {
  readonly url: string
  publish(tarball: string): Promise<void>
  stop(): Promise<void>
}

/** A registry on 127.0.0.1: packages of ours are what was published to it; all others come from the registry that npm uses here. */
export async function startRegistry(): Promise<Registry> {
  const program = await obtainVerdaccio()
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-registry-'))
  const [port] = await freePorts(1)
  const url = `http://127.0.0.1:${port}`
  const config = path.join(folder, 'config.yaml')
  const { stdout: uplink } = await run('npm', ['config', 'get', 'registry'])
  await writeFile(config, configuration(path.join(folder, 'storage'), uplink.trim()))
  // npm publishes only with a token; this registry takes any.
  const npmrc = path.join(folder, 'npmrc')
  await writeFile(npmrc, `registry=${url}\n//127.0.0.1:${port}/:_authToken=any\n`)
  const verdaccio = await startProcess({
    command: process.execPath,
    args: [program, '--config', config, '--listen', url],
    logFile: path.join(folder, 'log'),
    directoryOfOurs: folder,
  })
  const stop = async () => {
    await verdaccio.end('SIGTERM')
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const hopeless = () => (verdaccio.isRunning() ? undefined : verdaccio.lastLines())
    await waitUntil('the registry answers', async () => (await fetch(`${url}/-/ping`)).ok, { hopeless })
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url,
    stop,
    publish: async (tarball) => {
      const args = ['publish', tarball, '--userconfig', npmrc, '--registry', url, '--provenance=false']
      await run('npm', args, { cwd: folder })
    },
  }
}

const configuration = (storage: string, uplink: string): string => `
storage: ${JSON.stringify(storage)}
uplinks:
  npm:
    url: ${JSON.stringify(uplink)}
    timeout: 60s
packages:
  '@plimsoll/*': { access: $all, publish: $all }
  plimsoll: { access: $all, publish: $all }
  '**': { access: $all, proxy: npm }
web: { enable: false }
max_body_size: 50mb
log: { type: stdout, format: pretty, level: warn }
`

async function obtainVerdaccio(): Promise<string> {
  const folder = path.join(cacheDirectory(), `verdaccio-${VERDACCIO}`)
  const program = path.join(folder, 'node_modules/verdaccio/bin/verdaccio')
  if (existsSync(program)) return program
  await mkdir(cacheDirectory(), { recursive: true })
  const made = await mkdtemp(`${folder}-`)
  // A part of it asks for a tag of node-fetch, which mirrors of the registry lack.
  const manifest = {
    private: true,
    dependencies: { verdaccio: VERDACCIO },
    overrides: { 'node-fetch': '2.7.0' },
  }
  await writeFile(path.join(made, 'package.json'), JSON.stringify(manifest))
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: made,
  })
  // Whole or not at all; another run may have been first.
  await rename(made, folder).catch(() => rm(made, { recursive: true }))
  return program
}
