/**
 * `npm run kafka:up` starts a Kafka and a Redis on this machine, to stay, and prints what to export; once they run, it only prints.
 * `npm run kafka:down` ends them, with `-- --wipe` their data too.
 *
 *   eval "$(npm run --silent kafka:up)"
 */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { prepare, root } from './prepare.mjs'

const usage = 'usage: scripts/kafka.mjs up [--kafka-port 9092] [--redis-port 6379] | down [--wipe]'

async function main() {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      'kafka-port': { type: 'string', default: process.env.PLIMSOLL_KAFKA_PORT ?? '9092' },
      'redis-port': { type: 'string', default: process.env.PLIMSOLL_REDIS_PORT ?? '6379' },
      wipe: { type: 'boolean', default: false },
    },
  })
  const [command] = positionals
  if (command !== 'up' && command !== 'down') throw new Error(usage)
  await prepare(['test'])
  const module = path.join(root, 'test/dist/support/components/developer-pair.js')
  const { startDeveloperPair, stopDeveloperPair } = await import(pathToFileURL(module).href)
  if (command === 'up') {
    const ports = { kafka: portOf(values, 'kafka-port'), redis: portOf(values, 'redis-port') }
    const { brokers, redisUrl } = await startDeveloperPair(ports)
    process.stdout.write(`export KAFKA_BROKERS=${brokers}\nexport REDIS_URL=${redisUrl}\n`)
  } else {
    const ended = await stopDeveloperPair(values.wipe)
    process.stderr.write(
      `kafka:down: ${ended.length === 0 ? 'nothing ran' : `ended ${ended.join(' and ')}`}\n`,
    )
  }
}

function portOf(values, name) {
  const port = Number(values[name])
  // Kafka takes the two ports above its own as well.
  if (Number.isInteger(port) && port > 0 && port <= 65_533) return port
  throw new Error(`\`${values[name]}\` is no port for --${name}`)
}

try {
  await main()
} catch (error) {
  process.stderr.write(`kafka: ${error.message}\n`)
  process.exitCode = 1
}
