import { fail, ok, type Finding } from './finding.js'

const ANSWER_MS_MAX = 3_000

/** Asks the monitor whose probes are served at `url` whether it is ready. */
export async function checkReadiness(url: string, signal?: AbortSignal): Promise<Finding> {
  const name = `monitor ${url}`
  const late = AbortSignal.timeout(ANSWER_MS_MAX)
  try {
    const probe = new URL('/readyz', url)
    const answer = await fetch(probe, { signal: signal ? AbortSignal.any([signal, late]) : late })
    if (answer.ok) return ok(name, 'ready')
    return fail(
      name,
      `not ready (${answer.status})`,
      'see its log: Kafka or Redis may be away from where it runs',
    )
  } catch {
    return fail(name, 'does not answer', 'see whether it runs, and PLIMSOLL_HTTP_HOST and PLIMSOLL_HTTP_PORT')
  }
}
