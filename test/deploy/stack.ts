import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePorts } from '../support/components/free-ports.js'
import { COMPOSE_FILE, compose } from './compose-file.js'
import { type Program, DEPLOY_TOOLS, findProgram } from './programs.js'

/** Other than that of the file, so that it touches no stack and no volume of a developer's. */
const PROJECT = 'plimsoll-test'

/** Served on this machine, at ports of the test's own. */
const PUBLISHED = [
  ['gateway', 9465],
  ['kafka', 9092],
  ['prometheus', 9090],
  ['alertmanager', 9093],
  ['grafana', 3000],
] as const

export interface Readiness {
  readonly status: number
  readonly text: string
}

/** The stack of docker-compose.yml under a project name and ports of its own. */
export interface Stack {
  readonly gatewayUrl: string
  /** Runs `docker compose …` and gives what it prints on stdout. */
  compose(...args: readonly string[]): Promise<string>
  /** Starts every service but those in `without`, and waits until the gateway is ready. */
  up(): Promise<void>
  /** Of a container by service and number, such as `monitor-1`. */
  inspect(container: string): Promise<ContainerState>
  readyz(container: string): Promise<Readiness>
  /** Ends a container's process with SIGKILL. */
  kill(container: string): Promise<void>
  /** Ends everything, with its volumes. */
  remove(): Promise<void>
}

export interface ContainerState {
  readonly State: {
    readonly Status: string
    readonly ExitCode: number
    readonly Health?: { readonly Status: string }
  }
  readonly Config: { readonly User: string }
  readonly HostConfig: { readonly ReadonlyRootfs: boolean }
}

export const dockerCompose = findProgram('docker-compose', DEPLOY_TOOLS)
export const docker = findProgram('docker', 'apt install docker.io')

/** Asks the container's own probe address, for the status and the text. */
const READYZ = `const answer = await fetch('http://127.0.0.1:9464/readyz')
const text = await answer.text()
console.log(JSON.stringify({ status: answer.status, text }))`

export async function createStack(without: readonly string[]): Promise<Stack> {
  const folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-stack-'))
  const ports = await freePorts(PUBLISHED.length)
  const override = path.join(folder, 'ports.yaml')
  writeFileSync(override, overrideOf(ports))
  const files = ['--project-name', PROJECT, '--file', COMPOSE_FILE, '--file', override]
  const run = (...args: readonly string[]) => dockerCompose.output([...files, ...args])
  const services = Object.keys(compose.services).filter((name) => !without.includes(name))
  const nameOf = (container: string) => `${PROJECT}-${container}`
  return {
    gatewayUrl: `http://127.0.0.1:${ports[0]}`,
    compose: run,
    up: async () => {
      await run('up', '--detach', '--no-build', ...services)
      // All at once it would take the end of those that run once for a failure.
      await run('up', '--detach', '--no-build', '--wait', 'gateway')
    },
    inspect: async (container) => {
      const [state] = JSON.parse(await docker.output(['inspect', nameOf(container)])) as ContainerState[]
      if (!state) throw new Error(`no container \`${container}\``)
      return state
    },
    readyz: async (container) =>
      JSON.parse(
        await docker.output(['exec', nameOf(container), 'node', '--input-type=module', '--eval', READYZ]),
      ) as Readiness,
    kill: async (container) => void (await docker.output(['kill', '--signal', 'KILL', nameOf(container)])),
    remove: async () => {
      await run('down', '--volumes', '--timeout', '5')
      rmSync(folder, { recursive: true })
    },
  }
}

const overrideOf = (ports: readonly number[]): string =>
  `services:\n${PUBLISHED.map(
    ([name, inside], i) => `  ${name}:\n    ports: !override ['127.0.0.1:${ports[i]}:${inside}']\n`,
  ).join('')}`

/** The services whose images are neither here nor in reach. */
export async function servicesWithoutImage(engine: Program): Promise<readonly string[]> {
  const absent: string[] = []
  for (const [name, { image }] of Object.entries(compose.services)) {
    if (image === 'plimsoll:local') continue
    try {
      await engine.output(['image', 'inspect', image]).catch(() => engine.output(['pull', '--quiet', image]))
    } catch {
      absent.push(name)
    }
  }
  return absent
}
