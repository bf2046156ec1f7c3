import { createGuard, OBSERVER_PARTS, type GuardOptions } from '@plimsoll/client'
import { microsOf, quantile, type Report } from '../report.js'

const CALLS = 200_000
const WARM_UP = 20_000
const CALLS_PER_SESSION = 20
const ARGUMENTS = {
  to: 'press@example.org',
  subject: 'Harbour dues',
  body: 'The dues of next year. '.repeat(8),
}

/**
 * `propose` and `complete` in library mode, as an agent's host waits for them: event, digest of 250 bytes of arguments, engine, decision;
 * by labels alone, and with all that is seen of the arguments.
 */
export async function benchGuard(): Promise<Report> {
  return {
    name: 'guard',
    figures: {
      ...(await measure('labels alone', { without: OBSERVER_PARTS }, CALLS)),
      ...(await measure('texts seen', {}, CALLS / 4)),
    },
  }
}

async function measure(what: string, options: GuardOptions, calls: number): Promise<Report['figures']> {
  const guard = await createGuard(options)
  const proposals: number[] = []
  const completions: number[] = []
  for (let i = 0; i < calls + WARM_UP; i += CALLS_PER_SESSION) {
    const session = await guard.startSession({ category: 'research_comms' })
    for (let call = 0; call < CALLS_PER_SESSION; call++) {
      const start = performance.now()
      const answer = await session.propose({ tool: 'list_files', arguments: ARGUMENTS })
      const answered = performance.now()
      await session.complete(answer)
      if (i < WARM_UP) continue
      proposals.push(answered - start)
      completions.push(performance.now() - answered)
    }
    await session.end()
  }
  await guard.close()
  return {
    [`${what}: proposals`]: proposals.length,
    [`${what}: propose p50, µs`]: microsOf(quantile(proposals, 0.5)),
    [`${what}: propose p99, µs`]: microsOf(quantile(proposals, 0.99)),
    [`${what}: complete p50, µs`]: microsOf(quantile(completions, 0.5)),
  }
}
