import {
  type EventOf,
  type EventTexts,
  type ReportedLimits,
  type SaltedDigest,
  type World,
  PlimsollError,
  saltToReport,
} from '@plimsoll/contracts'
import { NO_LIMITS, limitsAfter, reportOfLimits } from '@plimsoll/engine'
import type { CompletionReport, Observer, ProposedView, SeenStep } from '@plimsoll/labels'
import type { Disclose } from '@plimsoll/policy'
import { raiseClaims, raiseSignals, raiseTaint } from './raise.js'

/** Reads the texts of one root session's events, in a client or in a gateway. */
export interface TextObserver {
  /** Undefined without a fingerprint key. */
  readonly observer: Observer | undefined
  readonly digest: (values: unknown) => SaltedDigest
  readonly disclose: Disclose
  /** Names of the tools that the agent can use now; undefined if unknown. */
  readonly tools?: (() => readonly string[] | undefined) | undefined
  /** Scripts that open calls read. */
  readonly readings: ScriptReadings
  /** Where the session's programs run, besides what the catalogue says. */
  readonly world?: World | undefined
}

/** Paths of the scripts that open calls read, by the ids of the calls: what the result is known to show. */
export interface ScriptReadings {
  readonly asked: (callId: string, paths: readonly string[]) => void
  readonly take: (callId: string) => readonly string[] | undefined
}

/** Open calls whose scripts are kept; the oldest go first. Twice the engine's cap. */
const READINGS_MAX = 64

export function createScriptReadings(): ScriptReadings {
  const kept = new Map<string, readonly string[]>()
  return {
    asked: (callId, paths) => {
      kept.set(callId, paths)
      const [oldest] = kept.size > READINGS_MAX ? kept.keys() : []
      if (oldest !== undefined) kept.delete(oldest)
    },
    take: (callId) => {
      const paths = kept.get(callId)
      if (paths) kept.delete(callId)
      return paths
    },
  }
}

type Started = EventOf<'session.started'>
type Proposed = EventOf<'step.proposed'>
type Completed = EventOf<'step.completed'>

/** What an event reports of the task beside it. */
export function observeTask(
  { category, root, signals, limits }: Pick<Started, 'category' | 'root' | 'signals' | 'limits'>,
  task: string | undefined,
  { observer, tools }: TextObserver,
): Pick<Started, 'found' | 'fingerprints' | 'limits' | 'follows' | 'payees' | 'signals'> {
  const seen = observer?.started({ task, category, isDelegated: root !== undefined, tools: tools?.() })
  if (!seen) return limits ? { limits } : {}
  return {
    ...seen,
    signals: raiseSignals(seen.signals, signals),
    ...(limits && { limits: boundBy(limits, seen.limits) }),
  }
}

/** The limits of a session's user, and those that an agent's task adds. */
const boundBy = (limits: ReportedLimits, added: ReportedLimits = {}): ReportedLimits | undefined =>
  reportOfLimits(limitsAfter(limitsAfter(NO_LIMITS, limits), added, false))

/** What an event reports of a later message of the user. */
export function observeInstruction(
  task: string | undefined,
  { observer }: TextObserver,
): Pick<EventOf<'session.instructed'>, 'fingerprints' | 'limits' | 'follows' | 'payees' | 'signals'> {
  return observer?.instructed({ task }) ?? {}
}

interface Remote {
  readonly isRemote?: boolean | undefined
}

type ArgumentsReport = Pick<Proposed, 'argumentsDigest' | 'arguments' | 'argumentsSalt'> & ProposedView

/**
 * What an event reports of a step's arguments: their digest, those that are disclosed, and the reported labels raised by what they
 * contain. Throws `schema_invalid` for arguments that JSON cannot hold.
 */
export function observeArguments(
  { callId, tool, labels, arguments: disclosed }: Pick<Proposed, 'callId' | 'tool' | 'labels' | 'arguments'>,
  { arguments: values = {}, description, isRemote }: Pick<EventTexts, 'arguments' | 'description'> & Remote,
  { observer, digest, disclose, readings, world }: TextObserver,
  files: Pick<SeenStep, 'isThere' | 'lossAt'> = {},
): ArgumentsReport {
  const salted = digestArguments(tool, values, digest)
  const shown = disclose(tool, values) ?? disclosed
  const onReads = (paths: readonly string[]): void => readings.asked(callId, paths)
  const seen = observer?.proposed({
    tool,
    description,
    arguments: values,
    world,
    isRemote,
    onReads,
    ...files,
  })
  return {
    argumentsDigest: salted.digest,
    arguments: shown,
    argumentsSalt: saltToReport(values, shown, salted),
    ...seen,
    labels: raiseClaims(seen?.labels, labels),
  }
}

export type ResultReport = Pick<Completed, 'argumentsDigest'> & CompletionReport

/** What an event reports of a step's result, and the digest of the arguments that ran if they are known. */
export function observeResult(
  {
    callId,
    tool,
    outcome,
    labels,
    taint,
    signals,
  }: Pick<Completed, 'callId' | 'tool' | 'outcome' | 'labels' | 'taint' | 'signals'>,
  { arguments: ran, result }: { readonly arguments?: EventTexts['arguments']; readonly result?: unknown },
  { observer, digest, readings, tools }: TextObserver,
): ResultReport {
  const reads = readings.take(callId)
  const seen =
    result === undefined ? undefined : observer?.completed({ tool, result, outcome, reads, tools: tools?.() })
  return {
    ...seen,
    ...(ran && { argumentsDigest: digestArguments(tool, ran, digest).digest }),
    labels: raiseClaims(seen?.labels, labels),
    taint: raiseTaint(seen?.taint, taint),
    signals: raiseSignals(seen?.signals, signals),
  }
}

/** The digest of a step's arguments. Throws `schema_invalid` for arguments that JSON cannot hold. */
export function digestArguments(tool: string, values: object, digest: TextObserver['digest']): SaltedDigest {
  try {
    return digest(values)
  } catch (cause) {
    throw unserialisableError(tool, cause)
  }
}

type Arguments = Readonly<Record<string, unknown>>

/**
 * A frozen copy of a step's arguments as JSON holds them, which is what their digest covers: so what is proposed is what runs. Throws
 * `schema_invalid` for arguments that JSON cannot hold.
 */
export function frozenArguments(tool: string, values: Arguments = {}): Arguments {
  try {
    return parseFrozen(JSON.stringify(values))
  } catch (cause) {
    throw unserialisableError(tool, cause)
  }
}

/** The object in `json`, frozen at every level. */
export function parseFrozen(json: string): Arguments {
  return JSON.parse(json, (_key, value: unknown) => Object.freeze(value)) as Arguments
}

function unserialisableError(tool: string, cause: unknown): PlimsollError {
  const problem = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause)
  const message = `the arguments of \`${tool}\` cannot be written as JSON: ${problem}`
  return new PlimsollError('schema_invalid', message, { cause })
}
