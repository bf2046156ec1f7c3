import { type Topics, PlimsollError } from '@plimsoll/contracts'
import {
  type Clock,
  type EventLog,
  type LogRecord,
  type Logger,
  type PartitionInfo,
  createBackoff,
  followTopic,
  pause,
  systemClock,
  withReleasers,
} from '@plimsoll/runtime'
import type { EntrySource, NewEntry } from '../file/entry.js'
import { lockFolder } from '../file/folder.js'
import type { ProofMetrics } from '../metrics.js'
import type { SigningKey } from '../tree/keys.js'
import { FLEET_TREE } from '../tree/names.js'
import { type ProofFiles, openProofFiles } from './proof-files.js'
import { createRecordReader } from './read-record.js'

export interface RecorderOptions {
  readonly log: EventLog
  readonly topics: Topics
  /** Gets the files. Made if it is missing. */
  readonly folder: string
  readonly key: SigningKey
  /** Without it signatures of answers and control changes are not checked. */
  readonly signingKey?: string | undefined
  /** Verify the tokens of sessions. */
  readonly identityKeys?: readonly string[]
  /** How long an entry waits for its checkpoint, milliseconds. Default: 10 s. */
  readonly checkpointMs?: number
  readonly metrics: ProofMetrics
  readonly logger: Logger
  readonly clock?: Clock
  /** Ends it while it waits for the log at its start; it then throws `closed`. */
  readonly signal?: AbortSignal
}

export interface Recorder {
  /** Resolves once everything that was in the log at the start is entered. */
  readonly caughtUp: Promise<void>
  isRunning(): boolean
  /** Records that are not entered yet. */
  lag(): number
  /** Signs what is not signed yet. */
  sign(): Promise<void>
  /** Resolves once everything that is in the log now is entered; with false if that takes longer than `DRAIN_MS_MAX`. */
  drain(): Promise<boolean>
  /** Signs the rest, and closes the files. The log stays open: its owner closes it. */
  close(): Promise<void>
}

const CHECKPOINT_MS = 10_000
const DRAIN_MS_MAX = 10_000
/** How often `drain` looks, milliseconds. */
const DRAIN_EVERY_MS = 10

/**
 * Enters decisions, starts of sessions, answers of humans and control changes into the trees of their tenants, each partition in the order of
 * its offsets. What a file has is never entered twice, and nothing is left out: after a crash it goes on by the files themselves. Rejects with
 * `record_invalid` for a file that does not verify, `log_changed` if the topics were created again, and `contended` if another records there.
 */
export async function startRecorder(options: RecorderOptions): Promise<Recorder> {
  const { value, release } = await withReleasers(async (onRelease) => {
    const unlock = await lockFolder(options.folder)
    onRelease(unlock)
    const files = await openProofFiles(options.folder, options.key)
    const recording = createRecording(options, files)
    onRelease(() => recording.sign())
    const followed = await recording.follow()
    onRelease(followed.close)
    const timer = setInterval(() => void recording.signOrWarn(), options.checkpointMs ?? CHECKPOINT_MS)
    timer.unref()
    onRelease(async () => clearInterval(timer))
    return { ...followed, sign: recording.sign, drain: recording.drain }
  })
  return { ...value, close: release }
}

function createRecording(options: RecorderOptions, files: ProofFiles) {
  const { log, topics, metrics, logger, clock = systemClock, signingKey, identityKeys = [] } = options
  const read = createRecordReader({ topics, signingKey, identityKeys })
  const closing = new AbortController()
  const signal = options.signal ? AbortSignal.any([closing.signal, options.signal]) : closing.signal
  let last: Promise<unknown> = Promise.resolve()

  /** One at a time: both topics write into the same files. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }

  async function enter(records: readonly LogRecord[]): Promise<void> {
    /** By partition, the offset that follows. */
    const expected = new Map<number, bigint>()
    try {
      for (const record of records) {
        const { topic, partition, offset } = record
        const follows = expected.get(partition) ?? files.next(topic).get(partition)
        if (follows !== undefined && offset > follows) await enterGap(record, follows)
        await enterRecord(record)
        expected.set(partition, offset + 1n)
      }
      await files.flush()
    } catch (error) {
      files.reopen()
      throw error
    }
    metrics.unsigned(files.unsigned())
  }

  async function enterRecord(record: LogRecord): Promise<void> {
    const { topic, partition, offset, timeMs } = record
    const recorded = read(record)
    if (!recorded) return
    const { tree, kind, body } = recorded
    await add(tree, { kind, body, source: { topic, partition, offset: String(offset), time: timeMs } })
  }

  /** Records that retention deleted before they were read, or offsets that never had one. */
  async function enterGap({ topic, partition, offset, timeMs }: LogRecord, from: bigint): Promise<void> {
    const to = offset - 1n
    logger.warn('offsets of the log have no records any more', { topic, partition, from, to })
    const body = { topic, partition, from: String(from), to: String(to) }
    const source = { topic, partition, offset: String(to), time: timeMs }
    await add(FLEET_TREE, { kind: 'gap', body, source })
  }

  async function add(tree: string, entry: NewEntry & { readonly source: EntrySource }): Promise<void> {
    const file = await files.of(tree)
    if (file.state.has(entry.source)) return
    file.add(entry)
    metrics.entered(entry.kind)
  }

  async function sign(): Promise<void> {
    await inTurn(async () => {
      try {
        for (const { state } of await files.sign(clock.now())) {
          const { tree = '', size, root } = state.checkpoint()?.checkpoint ?? {}
          metrics.signed()
          logger.info('signed a checkpoint', { tree, size, root })
        }
      } catch (error) {
        files.reopen()
        throw error
      }
      metrics.unsigned(files.unsigned())
    })
  }

  async function followOne(topic: string) {
    const backoff = createBackoff()
    return followTopic({
      log,
      topic,
      next: files.next(topic),
      onRecords: async (records) => {
        await inTurn(() => enter(records))
        backoff.reset()
      },
      onError: async (error) => {
        metrics.failed()
        logger.warn('retrying records that were not entered', { topic, error })
        await pause(backoff.next(), signal)
      },
      signal,
    })
  }

  /** Waits for a log that is away. */
  async function partitionsOf(topic: string): Promise<readonly PartitionInfo[]> {
    const backoff = createBackoff()
    while (!signal.aborted) {
      try {
        return (await log.describe(topic)) ?? []
      } catch (error) {
        if (!(error instanceof PlimsollError && error.code === 'log_unavailable')) throw error
        await pause(backoff.next(), signal)
      }
    }
    throw new PlimsollError('closed', 'closed before the log answered')
  }

  async function follow() {
    for (const topic of [topics.events, topics.decisions])
      assertUnchanged(await partitionsOf(topic), topic, files)
    const followed = await Promise.all([topics.events, topics.decisions].map(followOne))
    return {
      caughtUp: Promise.all(followed.map((each) => each.caughtUp)).then(() => undefined),
      isRunning: () => followed.every((each) => each.isRunning()),
      lag: () => followed.reduce((sum, each) => sum + each.lag(), 0),
      close: async () => {
        closing.abort()
        await Promise.all(followed.map((each) => each.close()))
      },
    }
  }

  let isSigning = false
  async function signOrWarn(): Promise<void> {
    if (isSigning) return
    isSigning = true
    await sign().catch((error: unknown) => logger.warn('no checkpoint was signed', { error }))
    isSigning = false
  }

  async function drain(): Promise<boolean> {
    const ends = await Promise.all(
      [topics.events, topics.decisions].map(async (topic) => [topic, await partitionsOf(topic)] as const),
    )
    const isDrained = () =>
      ends.every(([topic, partitions]) =>
        partitions.every(
          ({ partition, firstOffset, nextOffset }) =>
            nextOffset === firstOffset || (files.next(topic).get(partition) ?? 0n) >= nextOffset,
        ),
      )
    for (let waitedMs = 0; waitedMs < DRAIN_MS_MAX; waitedMs += DRAIN_EVERY_MS) {
      if (isDrained()) return true
      await pause(DRAIN_EVERY_MS, signal)
    }
    return false
  }

  return { follow, sign, signOrWarn, drain }
}

/** Offsets of a topic that was created again say nothing of the records that the files have. */
function assertUnchanged(partitions: readonly PartitionInfo[], topic: string, files: ProofFiles): void {
  const changed = partitions.find(({ partition, nextOffset }) => files.isBefore(topic, partition, nextOffset))
  if (!changed) return
  throw new PlimsollError(
    'log_changed',
    `the files have later records of \`${topic}\`, partition ${changed.partition}, than the topic: it was created again. Record into a new folder`,
  )
}
