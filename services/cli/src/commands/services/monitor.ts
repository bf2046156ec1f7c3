import type { PlimsollError } from '@plimsoll/contracts'
import { checkMonitorSettings, monitorSettings, startMonitorService } from '@plimsoll/monitor'
import { parseConfig } from '@plimsoll/runtime'
import { defineCommand, environmentOf } from '../../command.js'

export const monitor = defineCommand({
  name: 'monitor',
  summary: 'judges the events of a Kafka topic, with its state in Redis',
  description: [
    'The stream processor, configured by its environment. As many as the topic has partitions share the work. It serves /metrics,',
    '/healthz and /readyz, waits for Kafka and Redis where they are away, and on SIGTERM leaves with its work done.',
  ],
  options: {},
  environment: environmentOf(monitorSettings),
  examples: [['', 'one monitor, on the Kafka and the Redis that the environment names']],
  async run(_values, _operands, { env, stdout, stderr, signal }) {
    const config = parseConfig(monitorSettings, env, { checks: [checkMonitorSettings] })
    let end: (fatal?: PlimsollError) => void = () => undefined
    const ended = new Promise<PlimsollError | undefined>((resolve) => (end = resolve))
    signal.addEventListener('abort', () => end(), { once: true })
    const service = await startMonitorService({ config, write: (line) => stdout.write(line), onFatal: end })
    // What is fatal at the start comes through `onFatal` as well.
    service.started.catch(() => undefined)
    const fatal = signal.aborted ? undefined : await ended
    await service.close()
    if (!fatal) return 0
    stderr.write(`plimsoll: ${fatal.code}: ${fatal.message}\n`)
    return 1
  },
})
