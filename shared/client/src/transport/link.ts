import { randomBytes } from 'node:crypto'
import {
  type Catalogue,
  type EventTexts,
  type Mode,
  EVENT_TEXTS_CHARS_MAX,
  PlimsollError,
} from '@plimsoll/contracts'
import { type Labeller, type ObserverPart, textOf } from '@plimsoll/labels'
import type { Disclosure } from '@plimsoll/policy'
import { type Clock, systemClock } from '@plimsoll/runtime'
import type { StepCall } from '../observe/lineage.js'
import type { Observation } from '../observe/observation.js'
import type { ClientLimits } from '../pending/journal.js'
import {
  type FailMode,
  type FailModes,
  type WithoutVerdictCause,
  createFailModes,
} from '../pending/proposals.js'
import { type TenantStops, createTenantStops } from '../pending/stop-memory.js'
import type { ProposedStep, SessionOptions, StepResult } from '../session.js'
import { type Timers, systemTimers } from '../wait.js'
import { type Identities, createIdentities } from './identities.js'
import { type Channel, type Outbound, createOutbound } from './outbound.js'
import { type Counters, createCounters } from './receiver.js'
import { type CurrentTrace, shielded } from './trace.js'

/** The texts that events speak of, as they travel beside them; undefined where there are none. */
export interface TextsOf {
  started(reported: Pick<SessionOptions, 'task' | 'user'>): string | undefined
  instructed(text: string): string | undefined
  /** Throws `event_oversize`: what nobody could look at is not to run. */
  proposed(step: Pick<ProposedStep, 'tool' | 'arguments' | 'description'>): string | undefined
  /** Of a long result what is read of it. */
  completed(result: Pick<StepResult, 'result' | 'arguments'>): string | undefined
}

const noTexts: TextsOf = {
  started: () => undefined,
  instructed: () => undefined,
  proposed: () => undefined,
  completed: () => undefined,
}

const onlyUser: TextsOf = { ...noTexts, started: ({ user }) => written({ user }) }

const allTexts: TextsOf = {
  started: ({ task, user }) => written({ user, task: task === undefined ? undefined : textOf(task) }),
  instructed: (text) => written({ task: textOf(text) }),
  // A step without arguments says so: where they are left out, nobody has seen them.
  proposed: ({ tool, arguments: values = {}, description }) => {
    const texts = written({ arguments: values, description })
    if (texts === undefined || texts.length <= EVENT_TEXTS_CHARS_MAX) return texts
    const message = `the arguments of \`${tool}\` are ${texts.length} characters, and ${EVENT_TEXTS_CHARS_MAX} travel`
    throw new PlimsollError('event_oversize', message)
  },
  // Anyone who digests what was proposed digests what ran: there digests are under another key.
  completed: ({ result, arguments: ran }) =>
    written({ arguments: ran, result: result === undefined ? undefined : textOf(result) }),
}

/** What goes beside the events of a channel, as it takes them. */
export const textsFor = (takesTexts: boolean | undefined): TextsOf =>
  takesTexts === undefined ? noTexts : takesTexts ? allTexts : onlyUser

function written(texts: { readonly [K in keyof EventTexts]: EventTexts[K] | undefined }): string | undefined {
  return Object.values(texts).every((each) => each === undefined) ? undefined : JSON.stringify(texts)
}

/** How long a proposal waits for its verdict where nothing else is said. */
export const TIMEOUT_MS = 2_000

/** A proposal that the fail mode answered. */
export interface StepWithoutVerdict {
  readonly sessionId: string
  readonly callId: string
  readonly tool: string
  /** `open`: the step was let run. */
  readonly mode: FailMode
  readonly cause: WithoutVerdictCause
}

export interface ClientSettings {
  /**
   * `observe`: `propose` publishes and lets every step run at once, whatever would be decided; nothing is awaited, and nothing can hold
   * these agents, a stop neither. `enforce` where it is left out: proposals wait for their verdict, and sessions that an operator has
   * set to `observe` run whatever it is.
   */
  readonly mode?: Mode
  /** How long a proposal waits for its verdict, milliseconds; 2,000 where it is left out. */
  readonly timeoutMs?: number
  /** Whether a step may run for want of a verdict, by capability: reads may, the rest not, where it is left out. */
  readonly failModes?: Partial<FailModes>
  /** Gives a tool's capability for its fail mode; that of the catalogue that ships with Plimsoll where it is left out. */
  readonly labeller?: Labeller
  /** What the tools are, for what is seen of texts; the catalogue that ships with Plimsoll where it is left out. */
  readonly catalogue?: Catalogue
  /**
   * The deployment's key of fingerprints, the same in all its clients and gateways and known to nobody else, at least 16 characters. With
   * it the client tells of tasks, arguments and results what is seen of them, never the text; without it nothing of them.
   */
  readonly fingerprintKey?: string | Uint8Array
  /** With a key: parts of what is seen of texts that are not told all the same; none where it is left out. */
  readonly without?: readonly ObserverPart[]
  /**
   * Arguments that travel as they are, for policies to read and approvers to see; none where it is left out. `disclosuresOf` of
   * `@plimsoll/policy` gives what a policy reads. Their digest is over all arguments all the same.
   *
   * @example { disclose: [{ tools: ['send_*'], arguments: ['to', 'amount'] }] }
   */
  readonly disclose?: readonly Disclosure[]
  /**
   * The deployment's identity key, the same in all its trusted hosts, gateways and monitors and known to no agent, at least 16 characters: with
   * it every session starts with a token, and every event is proved. Monitors that require identities refuse sessions without. Not for
   * clients behind a gateway, which does it for them.
   */
  readonly identityKey?: string | undefined
  /** Who this host is, as the tokens of its sessions say; `host` where it is left out. */
  readonly principal?: string
  /** Gives the trace context of events that are told without one; that of OpenTelemetry's active span where it is left out and `@opentelemetry/api` is installed. */
  readonly trace?: CurrentTrace
  readonly onStepWithoutVerdict?: (step: StepWithoutVerdict) => void
  /** Told of each failure to publish; it is tried again. */
  readonly onRetry?: (error: unknown) => void
  readonly limits?: Partial<ClientLimits>
  readonly clock?: Clock
  readonly timers?: Timers
}

/** What the sessions of one client share. */
export interface Link {
  readonly mode: Mode
  readonly producer: string
  readonly nextId: () => string
  readonly now: () => number
  readonly timers: Timers
  /** How long a proposal waits where it does not say, milliseconds. */
  readonly timeoutMs: number
  readonly outbound: Outbound
  readonly textsOf: TextsOf
  readonly currentTrace: CurrentTrace
  readonly queueEventsMax: number
  readonly openProposalsMax: number
  /** Proposals of all sessions that wait. */
  openProposals: number
  readonly counters: Counters
  readonly failModeOf: (call: StepCall) => FailMode
  readonly tenantStops: TenantStops
  readonly viewOf: Observation
  /** Undefined where the client has no identity key. */
  readonly identities: Identities | undefined
  /** Told of each proposal that the fail mode answered. Does not throw. */
  readonly onStepWithoutVerdict: (
    sessionId: string,
    call: StepCall,
    mode: FailMode,
    cause: WithoutVerdictCause,
  ) => void
}

export interface LinkOptions {
  readonly settings: ClientSettings
  readonly channel: Pick<Channel, 'send' | 'takesTexts'>
  readonly limits: ClientLimits
  readonly labeller: Labeller
  readonly observation: Observation
  readonly currentTrace: CurrentTrace
}

export function createLink(options: LinkOptions): Link {
  const { settings, channel, limits, labeller, observation, currentTrace } = options
  const { mode = 'enforce', clock = systemClock, timers = systemTimers } = settings
  const { queueEventsMax, openProposalsMax } = limits
  const counters = createCounters()
  const { identityKey: key, principal = 'host' } = settings
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
    queueEventsMax,
    openProposalsMax,
    openProposals: 0,
    counters,
    failModeOf: createFailModes(labeller, settings.failModes),
    tenantStops: createTenantStops(),
    viewOf: observation,
    identities,
    onStepWithoutVerdict: (sessionId, { callId, tool }, mode, cause) =>
      onStepWithoutVerdict({ sessionId, callId, tool, mode, cause }),
  }
}
