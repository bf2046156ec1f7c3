import { createHash, randomBytes, randomUUID } from 'node:crypto'
import {
  type Catalogue,
  type EventOf,
  type Handover,
  type Signals,
  createSaltedDigest,
} from '@plimsoll/contracts'
import {
  type ObserverPart,
  OBSERVER_PARTS,
  createEntryFinder,
  createObserver,
  keyOfRoot,
  signalsOfActs,
} from '@plimsoll/labels'
import { type Disclosure, createDisclosure } from '@plimsoll/policy'
import { assertNamed } from '../options.js'
import type { ProposedStep, SessionOptions, StepResult } from '../session.js'
import { handoverOf, inheritedFrom, joinHandovers, withoutNamed } from './handover.js'
import { type HandoverTracker, type StepCall, createHandoverTracker } from './handover-tracker.js'
import {
  type ResultReport,
  type TextObserver,
  createScriptReadings,
  observeArguments,
  observeInstruction,
  observeResult,
  observeTask,
} from './observe-texts.js'
import { raiseClaims, raiseSignals } from './raise.js'
import { lossesIn, presenceIn } from './step-folder.js'

/** Reads one session's texts and tracks what it learns. */
export interface View extends TextObserver {
  readonly tracker: HandoverTracker
  /** The folder of this machine in which the session's programs and file tools work. */
  readonly localFolder: string | undefined
  /** When the view was made, in milliseconds: files that came into being later are the session's. */
  readonly since: number
  /** Adds names of tools that the agent can use. */
  readonly addTools: (names: Iterable<string>) => void
  /** Identifies the key of the root session; undefined if the client has no key. */
  readonly key: string | undefined
  /** Handover of the session that delegated. */
  readonly parent: Handover | undefined
  /** What the session knows from its start. */
  readonly inherited: Pick<EventOf<'session.started'>, 'root' | 'inherits' | 'signals'>
}

export type Observation = ReturnType<typeof createObservation>

export interface ObservationOptions {
  readonly catalogue: Catalogue
  readonly key: string | Uint8Array | undefined
  readonly without?: readonly ObserverPart[] | undefined
  readonly disclose?: readonly Disclosure[] | undefined
  /** Called when a reader of arguments throws. */
  readonly onReaderError?: ((error: unknown) => void) | undefined
}

/** Returns a function that makes the view of each session. */
export function createObservation(options: ObservationOptions) {
  const { catalogue, without = [], onReaderError } = options
  const isBlind = OBSERVER_PARTS.every((part) => without.includes(part))
  const key = isBlind ? undefined : options.key
  // Random, so digests of another process never match: equal arguments then count as different, which is the safe side.
  const ownKey = options.key ?? randomBytes(32)
  const entryOf = createEntryFinder(catalogue)
  const disclose = createDisclosure(options.disclose)
  return (
    sessionId: string,
    relatives: Pick<SessionOptions, 'parent' | 'earlier' | 'tools' | 'world' | 'localFolder'> = {},
  ): View => {
    const parent = relatives.parent && handoverOf(relatives.parent)
    const reported = joinHandovers(parent, relatives.earlier && handoverOf(relatives.earlier))
    const root = reported?.root ?? sessionId
    const rootKey = key === undefined ? undefined : keyOfRoot(key, root)
    const name = rootKey && nameOfKey(rootKey)
    const inherits = reported && withoutNamed(inheritedFrom(reported, name), reported.task ?? [])
    const { signals, task = reported && [] } = reported ?? {}
    return {
      observer:
        rootKey &&
        createObserver({ catalogue, key: rootKey, without, isResumed: parent !== undefined, onReaderError }),
      tracker: createHandoverTracker({
        root,
        key: name,
        entryOf,
        inherits,
        signals,
        task,
        asks: parent?.asks,
      }),
      disclose,
      readings: createScriptReadings(),
      digest: createSaltedDigest(rootKey ?? keyOfRoot(ownKey, root)),
      world: relatives.world,
      localFolder: relatives.localFolder,
      since: Date.now() + 1,
      ...createToolNames(relatives.tools),
      key: name,
      parent,
      inherited: reported ? { root, inherits, signals } : {},
    }
  }
}

/** The names of an agent's tools: those given at the start, and those added later. */
function createToolNames(given: SessionOptions['tools']): Required<Pick<View, 'tools' | 'addTools'>> {
  const givenNow = typeof given === 'function' ? given : () => given
  const added = new Set<string>()
  let known: readonly string[] | undefined
  let joined: readonly string[] = []
  return {
    addTools: (names) => {
      for (const name of names) added.add(name)
    },
    tools: () => {
      const now = givenNow()
      if (added.size === 0) return now
      // An array that does not change is read once.
      const all = new Set([...(now ?? []), ...added])
      if (now !== known || all.size !== joined.length) [known, joined] = [now, [...all]]
      return joined
    },
  }
}

/** Identifies a key without revealing it: nobody can guess a key. */
const nameOfKey = (key: Uint8Array): string => createHash('sha256').update(key).digest('hex').slice(0, 16)

/** What the event of a session's start reports. */
export function startOf(
  { category, agent, task, sendTask = false }: Omit<SessionOptions, 'id'>,
  view: View,
): Pick<
  EventOf<'session.started'>,
  | 'category'
  | 'found'
  | 'agent'
  | 'task'
  | 'fingerprints'
  | 'limits'
  | 'follows'
  | 'payees'
  | 'signals'
  | 'root'
  | 'inherits'
> {
  const { inherited, parent, tracker } = view
  const seen = observeTask({ category, root: inherited.root, limits: parent?.limits }, task, view)
  tracker.started(seen.fingerprints, seen.signals, seen.limits)
  return {
    category,
    agent,
    task: sendTask ? task : undefined,
    ...seen,
    ...inherited,
    // What the user asked of the root session is asked of every session that works for it.
    signals: raiseSignals(raiseSignals(seen.signals, inherited.signals), signalsOfActs(parent?.asks)),
  }
}

/** What the event of a later message of the user reports; `sendTask` as at the start. */
export function instructionOf(
  text: string,
  { sendTask = false }: Pick<SessionOptions, 'sendTask'>,
  view: View,
): Pick<
  EventOf<'session.instructed'>,
  'task' | 'fingerprints' | 'limits' | 'follows' | 'payees' | 'signals'
> {
  const seen = observeInstruction(text, view)
  return { task: sendTask ? text : undefined, ...seen }
}

/**
 * What the event of a proposal reports of `step`. Throws `schema_invalid` for arguments that JSON cannot hold, and for arguments under
 * another name: they would not be seen.
 */
export function callOf(step: ProposedStep, view: View): StepCall {
  if (step.arguments === undefined) assertNamed('propose', 'arguments', step, ARGUMENTS_ELSEWHERE)
  const isThere = presenceIn(step, view.localFolder)
  const { callId = `call-${randomUUID()}` } = step
  const seen = observeArguments({ callId, tool: step.tool, labels: step.labels }, step, view, {
    isThere,
    lossAt: lossesIn(step, view),
  })
  return {
    callId,
    tool: step.tool,
    argumentsDigest: seen.argumentsDigest,
    arguments: seen.arguments,
    argumentsSalt: seen.argumentsSalt,
    labels: seen.labels,
    evidence: step.evidence && { sensitive: step.evidence },
    fingerprints: seen.fingerprints,
    addressed: seen.addressed,
    link: seen.link,
    recipients: seen.recipients,
    files: seen.files,
    gives: seen.gives,
    effects: seen.effects,
    changes: seen.changes,
    made: seen.made,
    scripts: seen.scripts,
    runs: seen.runs,
    runFiles: seen.runFiles,
    programs: seen.programs,
    signals: seen.signals,
    inherits: step.relative && inheritedFrom(handoverOf(step.relative), view.key),
  }
}

/** What other libraries call the arguments of a step, and its result. */
const ARGUMENTS_ELSEWHERE = ['args', 'input', 'params', 'parameters']
const RESULT_ELSEWHERE = ['output', 'value', 'content']

/** Signals of a result that may be only a part of what came back. */
export const PARTIAL: Signals = Object.freeze({ partial: 1 })

type Completion = Pick<EventOf<'step.completed'>, 'outcome' | 'inherits'> & ResultReport

/**
 * What the event of a completion reports of a step: the caller's `labels` (and earlier `claimed` ones) raised by what the result
 * contains, and the state of the session that ran a delegated step.
 */
export function completionOf(
  { callId, tool }: Pick<StepCall, 'callId' | 'tool'>,
  reported: StepResult,
  view: View,
  claimed?: StepCall['labels'],
): Completion {
  if (reported.result === undefined) assertNamed('complete', 'result', reported, RESULT_ELSEWHERE)
  const { outcome = 'ok', isWhole = true, labels, taint, child, ...texts } = reported
  const handover = child && handoverOf(child)
  const signals = raiseSignals(handover?.signals, isWhole ? undefined : PARTIAL)
  const step = { callId, tool, outcome, labels: raiseClaims(claimed, labels), taint, signals }
  return {
    outcome,
    ...observeResult(step, texts, view),
    inherits: handover && inheritedFrom(handover, view.key),
  }
}
