import { type Container, startContainer } from '../docker/container.js'
import { redisAnswers } from './probe.js'
import { redisArguments } from './settings.js'

/** The one of docker-compose.yml. */
export const REDIS_IMAGE = 'redis:7.4-alpine'

const urlOf = (host: string, port: number) => `redis://${host}:${port}`

/** Redis in a container. PLIMSOLL_REDIS_IMAGE names another image of the same make, say of a mirror. */
export async function startDockerRedis(): Promise<Container & { url: string }> {
  const container = await startContainer({
    image: process.env.PLIMSOLL_REDIS_IMAGE ?? REDIS_IMAGE,
    port: 6379,
    // Its clients come from outside the container, which protected mode would refuse.
    command: ['redis-server', '--protected-mode', 'no', ...redisArguments],
    answers: (host, port) => redisAnswers(urlOf(host, port)),
  })
  return { ...container, url: urlOf(container.host, container.port) }
}
