import { pause } from '@plimsoll/runtime'
import type { CliProcess } from '../../e2e/cli-process.js'
import { latencyOf, startLoad, type Sample } from '../clients/open-loop.js'
import { roundedMs, type Report } from '../report.js'
import { startMonitorProcess } from './monitor-process.js'
import { withBenchDeployment, type BenchDeployment } from '../world.js'

const RATE = 100
/** The setting's default; what the figures of a kill are held against. */
const SESSION_TIMEOUT_MS = 10_000
const SETTLE_MS = 8_000

/** How long verdicts stay away when two monitors are restarted one after the other, and when one of them is killed. */
export function benchRestart(): Promise<Report> {
  return withBenchDeployment(async (deployment) => {
    const first = await startMonitorProcess(deployment)
    const second = await startMonitorProcess(deployment)
    await pause(SETTLE_MS)
    const rolling = await gapsDuring(deployment, 'rolling', async () => {
      const third = await replace(deployment, first)
      await pause(SETTLE_MS)
      const fourth = await replace(deployment, second)
      return [third, fourth]
    })
    const [victim, survivor] = rolling.result
    const killed = await gapsDuring(deployment, 'killed', async () => {
      victim?.signal('SIGKILL')
      await pause(SESSION_TIMEOUT_MS + 2 * SETTLE_MS)
    })
    survivor?.signal('SIGTERM')
    await survivor?.ended
    return {
      name: 'restart',
      figures: {
        'proposals/s': RATE,
        monitors: 2,
        'rolling restart, proposals answered': rolling.answered,
        'rolling restart, proposals unanswered': rolling.withoutVerdict,
        'rolling restart, longest time without a verdict, s': rolling.silence,
        'rolling restart, longest wait of a proposal, s': rolling.wait,
        'kill, session timeout, s': SESSION_TIMEOUT_MS / 1000,
        'kill, proposals answered': killed.answered,
        'kill, proposals unanswered': killed.withoutVerdict,
        'kill, longest time without a verdict, s': killed.silence,
        'kill, longest wait of a proposal, s': killed.wait,
      },
    }
  })
}

async function gapsDuring<T>(deployment: BenchDeployment, run: string, disturb: () => Promise<T>) {
  const load = await startLoad(deployment, { answers: deployment.topics.decisions, run, rate: RATE })
  await pause(SETTLE_MS)
  const result = await disturb()
  await pause(SETTLE_MS)
  const { samples, withoutVerdict } = await load.end()
  return {
    result,
    answered: samples.length,
    withoutVerdict,
    silence: roundedMs(longestSilence(samples) / 1000),
    wait: roundedMs(Math.max(...samples.map(latencyOf)) / 1000),
  }
}

/** The longest time in which a partition gave no answer, milliseconds: load flows to each of them all the time. */
function longestSilence(samples: readonly Sample[]): number {
  const last = new Map<number, number>()
  let longest = 0
  for (const { partition, answeredAt } of [...samples].sort((a, b) => a.answeredAt - b.answeredAt)) {
    longest = Math.max(longest, answeredAt - (last.get(partition) ?? answeredAt))
    last.set(partition, answeredAt)
  }
  return longest
}

async function replace(deployment: BenchDeployment, old: CliProcess): Promise<CliProcess> {
  old.signal('SIGTERM')
  await old.ended
  return startMonitorProcess(deployment)
}
