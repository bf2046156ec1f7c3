import { randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { type Answer, type PlimsollClient, createClient } from '@plimsoll/client'
import { PlimsollError, digestOf } from '@plimsoll/contracts'
import type { ObserverPart } from '@plimsoll/labels'
import {
  type DescribeTool,
  type ReadProgress,
  type Trace,
  blindOf,
  foldOf,
  readDescriptions,
  readTraces,
} from '@plimsoll/trainer'
import type { Output } from '../../command.js'
import { within } from '../../deployment.js'
import { createProgress } from '../../format/progress.js'
import { type ReplayFigures, createReplayReport } from './replay-report.js'
import type { Transport } from './transport.js'

export interface Selection {
  readonly files: readonly string[]
  /** Sessions of this fold alone. */
  readonly fold: number | undefined
  readonly limit: number | undefined
}

/** The selected sessions, one at a time. Throws `traces_invalid` where the files hold none at all. */
export async function* selectTraces(
  { files, fold, limit = Infinity }: Selection,
  onProgress: (progress: ReadProgress) => void,
): AsyncGenerator<Trace, void, void> {
  let selected = 0
  let read = 0
  for await (const trace of readTraces(files, onProgress)) {
    read++
    if (fold !== undefined && foldOf(trace) !== fold) continue
    if (selected++ >= limit) return
    yield trace
  }
  if (read === 0) throw new PlimsollError('traces_invalid', 'there is no session in the files')
}

/** Has `play` take the traces, `concurrency` at a time; rejects with its first error once none is under way. */
export async function playAll(
  traces: AsyncGenerator<Trace, void, void>,
  concurrency: number,
  play: (trace: Trace) => Promise<void>,
): Promise<void> {
  const failure = new AbortController()
  const worker = async (): Promise<void> => {
    try {
      while (!failure.signal.aborted) {
        const next = await traces.next()
        if (next.done) return
        await play(next.value)
      }
    } catch (error) {
      failure.abort()
      throw error
    }
  }
  const outcomes = await Promise.allSettled(Array.from({ length: concurrency }, worker))
  await traces.return()
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}

const LENGTH_MAX = 160
const MARK_LENGTH = 17

/** The session that replays a trace in a run: the same for the same two, within what ids may be, and telling where it comes from. */
export function sessionIdOf(run: string, traceId: string): string {
  const id = `${run}/${traceId.replaceAll(/[^A-Za-z0-9._:/@+=~-]/g, '_')}`
  if (id.length <= LENGTH_MAX && id.endsWith(traceId)) return id
  // Two ids that were made alike, or cut alike, must not meet.
  return `${id.slice(0, LENGTH_MAX - MARK_LENGTH)}~${digestOf(traceId).slice(0, MARK_LENGTH - 1)}`
}

/** How long a step waits for its verdict: a backlog is no failure here. */
const TIMEOUT_MS = 60_000

export interface PlayOptions {
  readonly client: PlimsollClient
  readonly run: string
  readonly hasCategory: boolean
  readonly describe: DescribeTool
  readonly signal: AbortSignal
  /** Told of each answer, with the time from publishing the proposal to it, milliseconds. */
  readonly onAnswer: (trace: Trace, answer: Answer, latencyMs: number) => void
}

/**
 * Plays a recorded session: every step is proposed, those that may run are completed with the recorded result. What is stopped is
 * recorded, and the recorded agent goes on: nothing can be asked of it any more. The client is given what a client has, and not what is
 * judged by.
 */
export async function playTrace(trace: Trace, options: PlayOptions): Promise<void> {
  const { client, run, hasCategory, describe, signal, onAnswer } = options
  const { category, task, steps } = blindOf(trace, describe)
  const session = await client.startSession({
    id: sessionIdOf(run, trace.trace_id),
    agent: `replay/${trace.source}`,
    task,
    ...(hasCategory && { category }),
  })
  for (const [i, { tool, description, args, result, error }] of steps.entries()) {
    const began = performance.now()
    const answer = await session.propose(
      { tool, ...(description !== undefined && { description }), arguments: args, callId: `step-${i}` },
      { timeoutMs: TIMEOUT_MS, signal },
    )
    onAnswer(trace, answer, performance.now() - began)
    if (answer.mayRun) await session.complete(answer, { outcome: error ? 'error' : 'ok', result })
  }
  await session.end('completed')
}

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
