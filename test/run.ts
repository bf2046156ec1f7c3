/**
 * Runs the tests of all packages: `npm test [-- [--all] [--except PART-OF-A-PATH] [--name PATTERN] PART-OF-A-PATH …]`; `--all`
 * with the long ones (`*.long.test.ts`). Those that need a container engine (`*.engine.test.ts`) run only by name.
 *
 * Starts one Kafka and one Redis for all of them, or takes those that KAFKA_BROKERS and REDIS_URL name. With
 * PLIMSOLL_REQUIRE_BROKERS=1 it is a failure if one of the two cannot be had or if any test is skipped.
 */
import { setMaxListeners } from 'node:events'
import { parseArgs } from 'node:util'
import { type Pair, obtainPair } from './support/components/pair.js'
import { projectRoot } from './support/paths.js'
import { findTestFiles } from './support/run/test-files.js'
import { runTestFiles } from './support/run/test-run.js'

const report = (line: string) => process.stderr.write(`test: ${line}\n`)
const required = process.env.PLIMSOLL_REQUIRE_BROKERS === '1'
const interruption = new AbortController()
// One listener a file.
setMaxListeners(0, interruption.signal)

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      all: { type: 'boolean', default: false },
      except: { type: 'string', multiple: true, default: [] },
      name: { type: 'string', multiple: true, default: [] },
    },
  })
  const files = findTestFiles(projectRoot, { filters: positionals, except: values.except, all: values.all })
  if (files.length === 0) {
    report('no test file matches')
    return 1
  }
  const pair = await obtainPair(process.env)
  try {
    return await runOn(pair, files, values.name)
  } finally {
    await pair.stop()
  }
}

async function runOn(pair: Pair, files: readonly string[], namePatterns: readonly string[]): Promise<number> {
  for (const reason of pair.missing) report(`*** ${reason}: the tests that need it are skipped ***`)
  if (required && pair.missing.length > 0) return 1
  // The files' processes get it with the rest of the environment; Node 20 has no other way.
  if (pair.brokers !== undefined) process.env.KAFKA_BROKERS = pair.brokers.join(',')
  if (pair.redisUrl !== undefined) process.env.REDIS_URL = pair.redisUrl
  if (interruption.signal.aborted) return 130
  report(
    `${files.length} files, Kafka at ${pair.brokers?.join(',') ?? '-'}, Redis at ${pair.redisUrl ?? '-'}`,
  )
  const { failed, skipped } = await runTestFiles({
    files,
    namePatterns,
    signal: interruption.signal,
    onSkip: report,
  })
  if (interruption.signal.aborted) return 130
  if (failed > 0) return 1
  if (!required || skipped === 0) return 0
  report(`${skipped} skipped, where PLIMSOLL_REQUIRE_BROKERS allows none`)
  return 1
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => interruption.abort())

try {
  process.exitCode = await main()
} catch (error) {
  report(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
