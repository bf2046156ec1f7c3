import { createHash, randomBytes } from 'node:crypto'
import {
  type Catalogue,
  type EventOf,
  type Handover,
  type Inherits,
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
import {
  type Relative,
  type SessionOptions,
  type StepResult,
  handoverOf,
  mostOf,
  raiseClaims,
  raiseConfidentiality,
  raiseTaint,
  readable,
  withoutNamed,
} from '../session.js'
import { createLineage } from './lineage.js'
import { createReportedValues } from './reported-values.js'
import { type View, digestOfArguments } from './step-call.js'

type Fingerprints = NonNullable<Inherits['fingerprints']>

/**
 * What both say, as one: under the root of the first, the only key that what starts can have. Of the other, fingerprints under another
 * key are what they say of the session, for nothing would match them.
 */
export function joinedHandover(
  first: Handover | undefined,
  other: Handover | undefined,
): Handover | undefined {
  if (!first || !other) return first ?? other
  const { inherits } = first
  const also = readable(other, first.key)
  const { fingerprints, isCut } = joined(inherits.fingerprints, also.fingerprints)
  return {
    ...first,
    inherits: {
      taint: raiseTaint(inherits.taint, also.taint),
      confidentiality: raiseConfidentiality(inherits.confidentiality, also.confidentiality),
      unseen: inherits.unseen === true || also.unseen === true || isCut,
      held: inherits.held === true || also.held === true,
      codeWritten: inherits.codeWritten === true || also.codeWritten === true,
      ...(fingerprints && { fingerprints }),
    },
    signals: mostOf(first.signals, other.signals),
  }
}

function joined(
  a: Fingerprints | undefined,
  b: Fingerprints | undefined,
): { readonly fingerprints: Fingerprints | undefined; readonly isCut: boolean } {
  if (!a || !b) return { fingerprints: a ?? b, isCut: false }
  const sensitive = listOf(a.sensitive, b.sensitive)
  const fingerprints = {
    untrusted: listOf(a.untrusted, b.untrusted).list(),
    instructed: listOf(a.instructed, b.instructed).list(),
    sensitive: sensitive.list(),
  }
  return { fingerprints, isCut: sensitive.isCut() }
}

function listOf(...lists: readonly (readonly string[] | undefined)[]) {
  const values = createReportedValues()
  for (const list of lists) values.add(list)
  return values
}

/** Gives each session its view. */
export type Observation = (sessionId: string, relatives?: Relatives) => View

/** From whom a session knows something before its first step. */
export interface Relatives {
  readonly parent?: Relative
  readonly earlier?: Relative
}

export interface ObservationOptions {
  readonly catalogue: Catalogue
  readonly key: string | Uint8Array | undefined
  readonly without?: readonly ObserverPart[] | undefined
  readonly disclose?: readonly Disclosure[] | undefined
}

export function createObservation(options: ObservationOptions): Observation {
  const { catalogue, without = [] } = options
  const isBlind = OBSERVER_PARTS.every((part) => without.includes(part))
  const key = isBlind ? undefined : options.key
  // Nobody else has it: what another process digested is other arguments to this one, which errs to the safe side.
  const ownKey = options.key ?? randomBytes(32)
  const entryOf = createEntryFinder(catalogue)
  const disclose = createDisclosure(options.disclose)
  return (sessionId, { parent: delegating, earlier } = {}) => {
    const parent = delegating && handoverOf(delegating)
    const reported = joinedHandover(parent, earlier && handoverOf(earlier))
    const root = reported?.root ?? sessionId
    const rootKey = key === undefined ? undefined : keyOfRoot(key, root)
    const name = rootKey && nameOfKey(rootKey)
    const inherits = reported && withoutNamed(readable(reported, name), reported.task ?? [])
    const { signals, task = reported && [] } = reported ?? {}
    return {
      observer: rootKey && createObserver({ catalogue, key: rootKey, without }),
      lineage: createLineage({ root, key: name, entryOf, inherits, signals, task, asks: parent?.asks }),
      disclose,
      digest: createSaltedDigest(rootKey ?? keyOfRoot(ownKey, root)),
      key: name,
      parent,
      inherited: reported ? { root, inherits, signals } : {},
    }
  }
}

/** Says nothing of the key, which nobody could guess. */
const nameOfKey = (key: Uint8Array): string => createHash('sha256').update(key).digest('hex').slice(0, 16)

type Completed = EventOf<'step.completed'>

/** What the event tells of a session that starts. */
export function startOf(
  { category, agent, task, sendTask = false }: Omit<SessionOptions, 'id'>,
  { observer, lineage, inherited, parent }: View,
): Pick<
  EventOf<'session.started'>,
  'category' | 'found' | 'agent' | 'task' | 'fingerprints' | 'signals' | 'root' | 'inherits'
> {
  const seen = observer?.started({ task, category, isDelegated: inherited.root !== undefined })
  lineage.started(seen?.fingerprints, seen?.signals)
  return {
    category,
    found: seen?.found,
    agent,
    task: sendTask ? task : undefined,
    fingerprints: seen?.fingerprints,
    ...inherited,
    // What the user asked of the root session is asked of anyone who works for it.
    signals: mostOf(mostOf(seen?.signals, inherited.signals), signalsOfActs(parent?.asks)),
  }
}

/** What the event tells of a later message of the user; `sendTask` as at the start. */
export function instructionOf(
  text: string,
  { sendTask = false }: Pick<SessionOptions, 'sendTask'>,
  { observer }: View,
): Pick<EventOf<'session.instructed'>, 'task' | 'fingerprints' | 'signals'> {
  const seen = observer?.instructed({ task: text })
  return { task: sendTask ? text : undefined, fingerprints: seen?.fingerprints, signals: seen?.signals }
}

type CompletionReport = Pick<
  Completed,
  'outcome' | 'argumentsDigest' | 'labels' | 'taint' | 'fingerprints' | 'instructed' | 'signals' | 'inherits'
>

/** More may have come back than is told. */
export const PARTIAL: Signals = Object.freeze({ partial: 1 })

/**
 * What the event tells of a step that ran: what its caller says of the result, raised by what is seen of it, and what the sub-agent knows
 * that did it.
 */
export function completionOf(
  tool: string,
  { outcome = 'ok', result, isWhole = true, arguments: ran, labels, taint, child }: StepResult,
  { observer, key, digest }: View,
): CompletionReport {
  const seen = result === undefined ? undefined : observer?.completed({ tool, result, outcome })
  const reported = child && handoverOf(child)
  return {
    outcome,
    argumentsDigest: ran && digestOfArguments(tool, ran, digest).digest,
    labels: raiseClaims(seen?.labels, labels),
    taint: raiseTaint(seen?.taint, taint),
    fingerprints: seen?.fingerprints,
    instructed: seen?.instructed,
    signals: mostOf(mostOf(seen?.signals, reported?.signals), isWhole ? undefined : PARTIAL),
    inherits: reported && readable(reported, key),
  }
}
