import { freePorts } from '../components/free-ports.js'
import type { Restartable } from '../components/local-server.js'
import { unwindOnFailure } from '../releasers.js'
import { waitUntil } from '../wait-until.js'

export interface ContainerOptions {
  readonly image: string
  readonly port: number
  readonly command?: readonly string[]
  /** Made of the address that clients will use, which a broker has to advertise. */
  readonly environment?: (host: string, port: number) => Record<string, string>
  readonly answers: (host: string, port: number) => Promise<boolean>
}

export interface Container extends Restartable {
  readonly host: string
  readonly port: number
}

const startTimeoutMs = 180_000

/** Starts a container whose port is bound to a port chosen beforehand, so that it is the same after a restart. */
export function startContainer(options: ContainerOptions): Promise<Container> {
  return unwindOnFailure(async (releasers) => {
    // Loaded only here: it takes longer to load than most tests to run.
    const { GenericContainer, getContainerRuntimeClient } = await import('testcontainers')
    const client = await getContainerRuntimeClient()
    const { host } = client.info.containerRuntime
    const [port = 0] = await freePorts(1)
    const described = new GenericContainer(options.image)
      .withExposedPorts({ container: options.port, host: port })
      .withEnvironment(options.environment?.(host, port) ?? {})
      .withStartupTimeout(startTimeoutMs)
    if (options.command !== undefined) described.withCommand([...options.command])
    const started = await described.start()
    releasers.add(async () => {
      await started.stop({ timeout: 0 })
    })
    const handle = client.container.getById(started.getId())
    const untilAnswers = () =>
      waitUntil(`start of ${options.image}`, () => options.answers(host, port), {
        timeoutMs: startTimeoutMs,
        hopeless: async () => ((await handle.inspect()).State.Running ? undefined : 'the container ended'),
      })
    await untilAnswers()
    return {
      host,
      port,
      stop: () => releasers.releaseAll(),
      kill: async () => {
        await handle.kill()
      },
      restart: async () => {
        await handle.restart({ t: 10 })
        await untilAnswers()
      },
    }
  })
}
