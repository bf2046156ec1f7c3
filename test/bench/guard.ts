import { createGuard } from '@plimsoll/client'
import { microsOf, quantile, type Report } from './report.js'

const CALLS = 200_000
const WARM_UP = 20_000
const CALLS_PER_SESSION = 20
const ARGUMENTS = {
  to: 'press@example.org',
  subject: 'Harbour dues',
  body: 'The dues of next year. '.repeat(8),
}

/** `propose` in library mode, as an agent's host waits for it: event, digest of 250 bytes of arguments, engine, decision. */
export async function benchGuard(): Promise<Report> {
  const guard = await createGuard()
  const spent: number[] = []
  for (let i = 0; i < CALLS + WARM_UP; i += CALLS_PER_SESSION) {
    const session = await guard.startSession({ category: 'research_comms' })
    for (let call = 0; call < CALLS_PER_SESSION; call++) {
      const start = performance.now()
      const answer = await session.propose({ tool: 'list_files', arguments: ARGUMENTS })
      if (i >= WARM_UP) spent.push(performance.now() - start)
      await session.complete(answer)
    }
    await session.end()
  }
  await guard.close()
  return {
    name: 'guard',
    figures: {
      proposals: spent.length,
      'propose p50, µs': microsOf(quantile(spent, 0.5)),
      'propose p99, µs': microsOf(quantile(spent, 0.99)),
    },
  }
}
