/**
 * The settings of a test's Redis, wherever it runs. The append-only file is written before a reply and never waits for a sync, so
 * that what was acknowledged outlives a kill of the process, though not of the machine, at the least cost.
 */
const settings: Readonly<Record<string, string>> = {
  save: '',
  appendonly: 'yes',
  appendfsync: 'no',
  'maxmemory-policy': 'noeviction',
}

export const redisArguments: readonly string[] = Object.entries(settings).flatMap(([name, value]) => [
  `--${name}`,
  value,
])
