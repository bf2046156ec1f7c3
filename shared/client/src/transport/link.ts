import { randomBytes } from 'node:crypto'
import {
  type Catalogue,
  type EventTexts,
  type Mode,
  type World,
  EVENT_TEXTS_CHARS_MAX,
  PlimsollError,
} from '@plimsoll/contracts'
import { type Labeller, type ObserverPart, textOf } from '@plimsoll/labels'
import type { Disclosure } from '@plimsoll/policy'
import { type Clock, systemClock } from '@plimsoll/runtime'
import type { StepCall } from '../observe/handover-tracker.js'
import type { Observation } from '../observe/observation.js'
import {
  type FailMode,
  type FailModes,
  type WithoutVerdictCause,
  createFailModes,
} from '../pending/proposals.js'
import { createTenantStops } from '../pending/stop-memory.js'
import type { ProposedStep, SessionOptions, StepResult } from '../session.js'
import { type Timers, systemTimers } from '../wait.js'
import type { OptionNames } from '../options.js'
import { createIdentities } from './identities.js'
import { type Channel, createOutbound } from './outbound.js'
import { createCounters } from './receiver.js'
import { type CurrentTrace, shielded } from './trace.js'

/** Caps of a client. */
export interface ClientLimits {
  /** Events that may wait to be sent. Completions and ends may use as many again. */
  readonly queueEventsMax: number
  /** Sessions open at a time. */
  readonly sessionsMax: number
  /**
   * How long a session may be unused, milliseconds. After that it is dropped when a start finds no room, and the fail mode answers its
   * callers. Longer than any approval may take.
   */
  readonly idleMs: number
  /** Proposals that may wait for their decision at a time. */
  readonly openProposalsMax: number
  /** How long `close` may go on sending, milliseconds. */
  readonly closeMsMax: number
}

export const CLIENT_LIMITS: ClientLimits = {
  queueEventsMax: 10_000,
  sessionsMax: 10_000,
  idleMs: 24 * 3_600_000,
  openProposalsMax: 10_000,
  closeMsMax: 5_000,
}

/** How long a proposal waits for its verdict by default, milliseconds. */
export const TIMEOUT_MS = 2_000

/** A proposal that the fail mode answered. */
export interface StepWithoutVerdict {
  readonly sessionId: string
  readonly callId: string
  readonly tool: string
  /** `open`: the step was allowed to run. */
  readonly mode: FailMode
  readonly cause: WithoutVerdictCause
}

export interface ClientSettings {
  /**
   * `observe`: `propose` publishes and lets every step run at once; nothing can stop these agents, not even a stop. `enforce` (default):
   * proposals wait for their verdict; sessions that an operator set to `observe` run whatever it is.
   */
  readonly mode?: Mode
  /** How long a proposal waits for its verdict, milliseconds. Default: 2,000. */
  readonly timeoutMs?: number
  /** Whether a step may run without a verdict, by capability. Default: only reads may. */
  readonly failModes?: Partial<FailModes>
  /** Returns a tool's capability for its fail mode. Default: by the shipped catalogue. */
  readonly labeller?: Labeller
  /** Describes the tools whose texts are read; it adds to the shipped catalogues. Default: those. */
  readonly catalogue?: Catalogue
  /**
   * The deployment's fingerprint key, at least 16 characters: the same in all clients and gateways, and known to nothing else. With it the
   * client reports labels, signals and fingerprints of tasks, arguments and results, never their text. Without it, nothing of them.
   */
  readonly fingerprintKey?: string | Uint8Array
  /** With a key: parts of texts that are not reported. Default: none. */
  readonly without?: readonly ObserverPart[]
  /**
   * Arguments that are sent as they are, for policies and approvers. Default: none. `disclosuresOf` of `@plimsoll/policy` returns those
   * that a policy reads. Their digest always covers all arguments.
   *
   * @example { disclose: [{ tools: ['send_*'], arguments: ['to', 'amount'] }] }
   */
  readonly disclose?: readonly Disclosure[]
  /**
   * The deployment's identity key, at least 16 characters: the same in all trusted hosts, gateways and monitors, and known to no agent.
   * With it every session starts with a token and every event has a proof. Monitors that require identities refuse other sessions. Not for
   * clients of a gateway, which identifies them itself.
   */
  readonly identityKey?: string | undefined
  /** The name of this host in its sessions' tokens. Default: `host`. */
  readonly principal?: string
  /** Returns the trace context of events without one. Default: OpenTelemetry's active span if `@opentelemetry/api` is installed. */
  readonly trace?: CurrentTrace
  readonly onStepWithoutVerdict?: (step: StepWithoutVerdict) => void
  /** Called for each failed produce; it is retried. */
  readonly onRetry?: (error: unknown) => void
  /**
   * Called when a reader of a step's arguments throws, which is a fault of Plimsoll's: the step then has the worst labels. Default: a
   * process warning for the first. Counted in any case (`stats().readerErrors`).
   */
  readonly onReaderError?: (error: unknown) => void
  readonly limits?: Partial<ClientLimits>
  readonly clock?: Clock
  readonly timers?: Timers
}

/** Every setting, for clients that add some. */
export const CLIENT_SETTINGS: OptionNames<ClientSettings> = {
  mode: true,
  timeoutMs: true,
  failModes: true,
  labeller: true,
  catalogue: true,
  fingerprintKey: true,
  without: true,
  disclose: true,
  identityKey: true,
  principal: true,
  trace: true,
  onStepWithoutVerdict: true,
  onRetry: true,
  onReaderError: true,
  limits: true,
  clock: true,
  timers: true,
}

/** What only `createGuard` has: bundle and policy are those of the monitors. */
export const NOT_OF_CLIENTS: Readonly<Record<string, string>> = { documents: '{ catalogue }' }

export interface LinkOptions {
  readonly settings: ClientSettings
  readonly channel: Pick<Channel, 'send' | 'takesTexts'>
  readonly limits: ClientLimits
  readonly labeller: Labeller
  readonly observation: Observation
  readonly currentTrace: CurrentTrace
}

export type Link = ReturnType<typeof createLink>

/** What the sessions of one client share. */
export function createLink(options: LinkOptions) {
  const { settings, channel, limits, labeller, observation, currentTrace } = options
  const { mode = 'enforce', clock = systemClock, timers = systemTimers } = settings
  const { identityKey: key, principal = 'host' } = settings
  const counters = createCounters()
  const now = () => clock.now()
  const identities = key === undefined ? undefined : createIdentities({ key, principal, now })
  const producer = `client-${randomBytes(9).toString('hex')}`
  const onStepWithoutVerdict = shielded('onStepWithoutVerdict', settings.onStepWithoutVerdict)
  const onRetry = shielded('onRetry', settings.onRetry)
  const onFailure = (error: unknown) => {
    counters.retried++
    onRetry(error)
  }
  let made = 0
  return {
    mode,
    producer,
    nextId: () => `${producer}.${(made++).toString(36)}`,
    now,
    timers,
    timeoutMs: settings.timeoutMs ?? TIMEOUT_MS,
    currentTrace,
    textsOf: textsFor(channel.takesTexts),
    outbound: createOutbound({ channel, timers, onFailure, prove: identities?.prove }),
    queueEventsMax: limits.queueEventsMax,
    openProposalsMax: limits.openProposalsMax,
    /** Proposals of all sessions that wait. */
    openProposals: 0,
    counters,
    failModeOf: createFailModes(labeller, settings.failModes),
    tenantStops: createTenantStops(),
    viewOf: observation,
    /** Undefined if the client has no identity key. */
    identities,
    onStepWithoutVerdict: (
      sessionId: string,
      { callId, tool }: StepCall,
      failMode: FailMode,
      cause: WithoutVerdictCause,
    ): void => onStepWithoutVerdict({ sessionId, callId, tool, mode: failMode, cause }),
  }
}

/** The texts beside the events of a channel, as JSON; undefined if there are none. */
function textsFor(takesTexts: boolean | undefined) {
  return {
    started: ({ task, user }: Pick<SessionOptions, 'task' | 'user'>) =>
      takesTexts === undefined ? undefined : write({ user, task: takesTexts ? clipped(task) : undefined }),
    instructed: (text: string) => (takesTexts ? write({ task: textOf(text) }) : undefined),
    /** Throws `event_oversize`: arguments that cannot be examined must not run. */
    proposed: ({ tool, arguments: values = {}, description, isRemote }: ProposedStep, world?: World) => {
      if (!takesTexts) return undefined
      // Sent even if they are empty: without them the gateway would not know that there are none.
      const where = isRemote === true ? { isRemote } : { world }
      const texts = write({ arguments: values, description, ...where })
      if (texts === undefined || texts.length <= EVENT_TEXTS_CHARS_MAX) return texts
      const message = `the arguments of \`${tool}\` are ${texts.length} characters; the limit is ${EVENT_TEXTS_CHARS_MAX}`
      throw new PlimsollError('event_oversize', message)
    },
    /** With the arguments that ran: the gateway digests them under its own key. */
    completed: ({ result, arguments: ran }: StepResult) =>
      takesTexts ? write({ arguments: ran, result: clipped(result) }) : undefined,
  }
}

/** The part of a value's text that is read. */
const clipped = (value: unknown): string | undefined => (value === undefined ? undefined : textOf(value))

function write(texts: { readonly [K in keyof EventTexts]: EventTexts[K] | undefined }): string | undefined {
  return Object.values(texts).every((each) => each === undefined) ? undefined : JSON.stringify(texts)
}
