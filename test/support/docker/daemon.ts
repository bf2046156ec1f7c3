import { existsSync } from 'node:fs'
import { type RequestOptions, request } from 'node:http'
import { homedir } from 'node:os'
import path from 'node:path'

const timeoutMs = 2_000

/** Why there is no Docker here; undefined if a daemon answers. Asks the daemon itself, for testcontainers takes long to give up. */
export async function dockerMissing(): Promise<string | undefined> {
  const named = process.env.DOCKER_HOST
  if (named !== undefined && named !== '') {
    const options = requestOptions(named)
    // Its TLS or its tunnel is testcontainers' affair: naming a daemon so is deliberate.
    if (options === undefined || process.env.DOCKER_TLS_VERIFY === '1') return undefined
    return (await answers(options)) ? undefined : `nothing answers at DOCKER_HOST \`${named}\``
  }
  for (const socketPath of socketPaths().filter((file) => existsSync(file))) {
    if (await answers({ socketPath })) return undefined
  }
  return 'no Docker daemon'
}

const socketPaths = (): readonly string[] => [
  '/var/run/docker.sock',
  path.join(process.env.XDG_RUNTIME_DIR ?? `/run/user/${process.getuid?.() ?? 0}`, 'docker.sock'),
  path.join(homedir(), '.docker/run/docker.sock'),
  path.join(homedir(), '.docker/desktop/docker.sock'),
]

function requestOptions(dockerHost: string): RequestOptions | undefined {
  const { protocol, hostname, port, pathname } = new URL(dockerHost)
  if (protocol === 'unix:') return { socketPath: pathname }
  if (protocol === 'tcp:' || protocol === 'http:')
    return { host: hostname, port: port === '' ? 2375 : Number(port) }
  return undefined
}

function answers(options: RequestOptions): Promise<boolean> {
  return new Promise((resolve) => {
    const ping = request({ ...options, path: '/_ping', timeout: timeoutMs }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    ping.on('timeout', () => ping.destroy())
    ping.on('error', () => resolve(false))
    ping.end()
  })
}
