import { randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { createClient } from '@plimsoll/client'
import type { ObserverPart } from '@plimsoll/labels'
import { readDescriptions } from '@plimsoll/trainer'
import type { Output } from '../command.js'
import { within } from '../pipeline/within.js'
import { createProgress } from '../progress.js'
import { playAll, selectTraces, type Selection } from './play-all.js'
import { playTrace } from './play-trace.js'
import { createReplayReport, type ReplayFigures } from './replay-report.js'
import type { Transport } from './transport.js'

export interface ReplayPlan extends Selection {
  readonly run: string
  readonly hasCategory: boolean
  /** Sessions at a time. */
  readonly concurrency: number
  /** Parts of what is seen of texts that are not told. */
  readonly without: readonly ObserverPart[]
}

/** Another in each run: what it makes leaves the run nowhere. */
const KEY_BYTES = 32

/**
 * Plays the selected sessions over `transport` and counts. Asked to end before, it gives what has been played so far. Rejects with
 * what is fatal to the monitor, and with `traces_invalid`.
 */
export function runReplay(
  plan: ReplayPlan,
  { log, topics, own, identityKey, catalogue, disclose }: Transport,
  stderr: Output,
  signal: AbortSignal,
): Promise<ReplayFigures> {
  // Every session waits on it.
  setMaxListeners(0, signal)
  return within(async (onRelease) => {
    const describe = await readDescriptions(plan.files)
    const { without } = plan
    const fingerprintKey = randomBytes(KEY_BYTES)
    const client = await createClient({
      log,
      topics,
      catalogue,
      disclose,
      fingerprintKey,
      identityKey,
      principal: 'plimsoll replay',
      without,
    })
    onRelease(() => client.close())
    const report = createReplayReport()
    const progress = followReplay(plan, report, stderr)
    const traces = selectTraces(plan, progress.read)
    const began = performance.now()
    const played = playAll(traces, plan.concurrency, async (trace) => {
      progress.begun()
      await playTrace(trace, { ...plan, client, describe, signal, onAnswer: report.answer })
      report.session(trace)
      progress.ended()
    })
    await Promise.race([played, ...(own ? [own.failed] : [])]).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
    progress.close()
    return report.figures((performance.now() - began) / 1000, own?.decisionMicros)
  })
}

/** The bar: of what has been read, the part that has been played. */
function followReplay({ limit }: ReplayPlan, report: ReturnType<typeof createReplayReport>, stderr: Output) {
  const bar = createProgress(stderr, 'replay')
  let shareRead = 0
  let begun = 0
  return {
    read: ({ bytesRead, bytesTotal }: { bytesRead: number; bytesTotal: number }) => {
      shareRead = bytesRead / bytesTotal
    },
    begun: () => void begun++,
    ended: () => {
      const sessions = report.sessions()
      const shareOfLimit = limit === undefined ? 0 : sessions / limit
      const share = Math.max(shareOfLimit, (shareRead * sessions) / begun)
      bar.update(share, `${sessions} sessions, ${report.steps()} steps`)
    },
    close: () => bar.end(),
  }
}
