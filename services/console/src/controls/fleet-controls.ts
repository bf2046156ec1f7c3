import { type Topics, PlimsollError } from '@plimsoll/contracts'
import {
  type ControlChannel,
  type ControlStatus,
  controlStatuses,
  openControlChannel,
  partitionsOf,
  sendControl,
} from '@plimsoll/operations'
import { type Clock, type EventLog, type Logger, type Registry, openRegistry } from '@plimsoll/runtime'
import type { ControlRequest, ControlSent, Controls } from '../api.js'
import type { Tenants } from '../store/read-store.js'
import { changeOf, entryOf, settingsOf } from './control-entries.js'

/** Longest wait for the reports of all partitions, milliseconds. */
const REPORTS_MS_MAX = 10_000
/** Changes of the audit that are shown. */
const HISTORY_MAX = 100
/** Refusals that are listed; their number is that of partitions. */
const REFUSED_MAX = 100

export interface FleetControlsOptions {
  readonly log: EventLog
  readonly topics: Topics
  /** Undefined: what is in force is shown, unverified, and cannot be changed here. */
  readonly signingKey: string | undefined
  /** Of the monitors. */
  readonly group: string
  /** Something may be in force that was not before. Must not throw. */
  readonly onChange: () => void
  readonly logger: Logger
  readonly clock: Clock
  readonly signal: AbortSignal
}

export interface FleetControls {
  /** Undefined where the deployment has none. */
  readonly registry: Registry | undefined
  /** Of most partitions; undefined without a registry. */
  status(): ControlStatus | undefined
  /** What is in force for `tenants` and for the fleet. */
  read(tenants: Tenants): Controls
  /**
   * Sends a change and waits for the reports on it, at most 10 s. Rejects with `forbidden` where nobody can change anything here, and with
   * `queue_full` while another change is sent.
   */
  change(request: ControlRequest, by: string): Promise<ControlSent>
  close(): Promise<void>
}

/** The controls of the fleet, by the operations of the command line. It waits without end for a log that is away. */
export async function openFleetControls(options: FleetControlsOptions): Promise<FleetControls> {
  const { log, topics, signal } = options
  const { registry, channel, problem, ...opened } = await open(options)
  let { partitions } = opened
  let isSending = false

  async function send(request: ControlRequest, by: string): Promise<ControlSent> {
    if (!channel) throw new PlimsollError('forbidden', problem)
    // Each change is newer than the one before: two at once could refuse each other.
    if (isSending) throw new PlimsollError('queue_full', 'another change is being sent: try again')
    isSending = true
    try {
      // There may be more of them since the console started: a stop must reach all.
      partitions = (await partitionsOf(log, topics.events)).length
      const sent = await sendControl(
        { ...channel, partitions },
        changeOf(request, by),
        REPORTS_MS_MAX,
        signal,
      )
      const of = (outcome: string): number => sent.outcomes.filter((each) => each.outcome === outcome).length
      return {
        entry: entryOf(sent.control),
        partitions: sent.outcomes.length,
        applied: of('applied'),
        silent: of('silent'),
        refused: sent.outcomes
          .flatMap((each) =>
            each.outcome === 'refused'
              ? [{ partition: each.partition, code: each.code, message: each.message }]
              : [],
          )
          .slice(0, REFUSED_MAX),
        ...(sent.monitors !== undefined && { monitors: sent.monitors }),
      }
    } finally {
      isSending = false
    }
  }

  return {
    registry,
    status: () => registry && controlStatuses(registry, partitions).statuses[0],
    read(tenants) {
      const none: Controls = { settings: [], partitions, differing: [], stragglers: [], history: [], problem }
      if (!registry) return none
      const isShown = ({ tenant }: { readonly tenant?: string }): boolean =>
        tenant === undefined || tenants === undefined || tenants.includes(tenant)
      const { statuses, stragglers } = controlStatuses(registry, partitions)
      const [most, ...others] = statuses
      return {
        settings: most ? settingsOf(most).filter(isShown) : [],
        partitions,
        differing: others.flatMap((other) => other.partitions).toSorted((a, b) => a - b),
        stragglers: stragglers.map(({ partition, refused }) => ({
          partition,
          ...(refused && { refused: refused.code }),
        })),
        history: registry.controls().map(entryOf).filter(isShown).slice(-HISTORY_MAX).toReversed(),
        ...(channel ? {} : { problem }),
      }
    },
    change: send,
    close: async () => registry?.close(),
  }
}

interface Opened {
  readonly registry: Registry | undefined
  readonly partitions: number
  readonly channel: ControlChannel | undefined
  /** Why nothing can be changed without a channel. */
  readonly problem: string
}

async function open(options: FleetControlsOptions): Promise<Opened> {
  const { log, topics, signingKey, group, onChange, logger, clock, signal } = options
  const partitions = (await partitionsOf(log, topics.events)).length
  const problem = 'this console has no signing key: set `PLIMSOLL_SIGNING_KEY`'
  try {
    if (signingKey === undefined) {
      const registry = await openRegistry({ log, topic: topics.registry, logger, onReport: onChange, signal })
      return { registry, partitions, channel: undefined, problem }
    }
    const now = () => clock.now()
    const own = { log, topics, signingKey, group, now, onReport: onChange, signal }
    const channel = await openControlChannel(own)
    return { registry: channel.registry, partitions, channel, problem }
  } catch (error) {
    if (!(error instanceof PlimsollError && error.code === 'config_invalid')) throw error
    logger.warn('there is no registry: controls and documents are not shown', { error })
    const missing = `there is no topic \`${topics.registry}\`: \`plimsoll doctor --create\` creates it`
    return { registry: undefined, partitions, channel: undefined, problem: missing }
  }
}
