/** What is accepted of a principal that is an agent: nothing that would make a verdict milder. */
import type { ProposedStep, Session, SessionOptions, WaitOptions } from '@plimsoll/client'
import { PARTIAL, inheritedFrom, raiseClaims } from '@plimsoll/client/services'
import {
  type Catalogue,
  type ClaimedLabels,
  type Event,
  type EventOf,
  type EventTexts,
  type Inherits,
  type World,
  PlimsollError,
  joinWorlds,
} from '@plimsoll/contracts'
import { type EntryFinder, createEntryFinder } from '@plimsoll/labels'
import type { Principal } from '../auth/principals.js'

/** Returns an agent's event as it is accepted. Source: docs/decisions/20261122-enforcement.md. */
export function createAgentFilter(
  catalogue: Catalogue,
  category: string | undefined,
): (event: Event) => Event {
  const entryOf = createEntryFinder(catalogue)
  return (event) => {
    if (event.type === 'session.started') return acceptStart(event, category)
    if (event.type === 'session.instructed') return acceptInstruction(event)
    if (event.type === 'step.proposed') return acceptProposal(event, entryOf)
    return event.type === 'step.completed' ? acceptCompletion(event) : event
  }
}

function acceptStart(event: EventOf<'session.started'>, category: string | undefined): Event {
  const {
    found: _,
    fingerprints: _seen,
    limits: _limits,
    follows: _follows,
    payees: _payees,
    signals: _signals,
    task: _task,
    ...rest
  } = event
  const accepted = withoutFingerprints(rest)
  return category === undefined ? accepted : { ...accepted, category }
}

/** An agent is not its user. The event itself is kept, emptied: without it the later numbers would show a gap. */
function acceptInstruction(event: EventOf<'session.instructed'>): Event {
  const {
    task: _,
    fingerprints: _seen,
    limits: _limits,
    follows: _follows,
    payees: _payees,
    signals: _signals,
    ...rest
  } = event
  return rest
}

/** The texts beside an agent's event without its task and world: values named in a task count as the user's wish, so only a host may send one. */
export function acceptTexts(texts: EventTexts): EventTexts {
  const { task: _, world: _world, ...rest } = texts
  return rest
}

/** Drops fingerprints that the gateway did not make; sensitive ones then count as unseen. */
function withoutFingerprints<E extends { inherits?: Inherits | undefined }>(event: E): E {
  const { inherits } = event
  if (!inherits) return event
  return { ...event, inherits: inheritedFrom({ root: 'agent', inherits, key: 'agent' }, undefined) }
}

/** Also drops disclosed arguments: they may differ from those that run. */
function acceptProposal(event: EventOf<'step.proposed'>, entryOf: EntryFinder): Event {
  const {
    evidence: _,
    fingerprints: _seen,
    addressed: _whole,
    link: _link,
    recipients: _recipients,
    files: _files,
    gives: _gives,
    effects: _effects,
    objects: _objects,
    changes: _changes,
    made: _made,
    scripts: _scripts,
    runs: _runs,
    runFiles: _runFiles,
    programs: _programs,
    signals: _signals,
    arguments: _shown,
    argumentsSalt: _salt,
    ...rest
  } = event
  const { withoutVerdict } = rest
  return {
    ...withRaisingLabels(withoutFingerprints(rest), entryOf),
    ...(withoutVerdict && { withoutVerdict: withoutVerdict.map((ran) => withRaisingLabels(ran, entryOf)) }),
  }
}

/** What an agent reports as a result may be something else, or only a part of it. */
function acceptCompletion(event: EventOf<'step.completed'>): Event {
  const {
    fingerprints: _,
    instructed: _instructed,
    linkParts: _linkParts,
    messages: _messages,
    payees: _payees,
    records: _records,
    scripts: _scripts,
    signals: _signals,
    ...rest
  } = event
  return { ...withoutFingerprints(rest), signals: PARTIAL }
}

/** Complete labels of arguments could lower a step below its tool's labels, so an agent's labels only raise these. */
function withRaisingLabels<S extends { tool: string; labels?: ClaimedLabels | undefined }>(
  step: S,
  entryOf: EntryFinder,
): S {
  const { capability, reversibility } = step.labels ?? {}
  // Without either, the labels are not complete and raise anyway.
  if (capability === undefined && reversibility === undefined) return step
  return { ...step, labels: raiseClaims(entryOf(step.tool)?.labels, step.labels) }
}

/** The longest that an agent may wait for a verdict, milliseconds. */
export const AGENT_TIMEOUT_MS_MAX = 60_000

/**
 * A held session as an agent may use it. `timeoutMs` is its shortest timeout: with less it could have its fail mode answer instead of the
 * monitors.
 */
export const restrictToAgent = (session: Session, entryOf: EntryFinder, timeoutMs: number): Session => ({
  ...session,
  instruct: async () => {},
  propose: (step, options) => session.propose(acceptStep(step, entryOf), bounded(options, timeoutMs)),
  ask: (step, options) => session.ask(acceptStep(step, entryOf), bounded(options, timeoutMs)),
  run: (step, execute, options) =>
    session.run(acceptStep(step, entryOf), execute, options && bounded(options, timeoutMs)),
})

function acceptStep(step: ProposedStep, entryOf: EntryFinder): ProposedStep {
  const { evidence: _, ...rest } = step
  return withRaisingLabels(rest, entryOf)
}

function bounded<O extends WaitOptions>(options: O | undefined, minMs: number): O | undefined {
  if (options?.timeoutMs === undefined) return options
  return { ...options, timeoutMs: Math.min(Math.max(options.timeoutMs, minMs), AGENT_TIMEOUT_MS_MAX) }
}

/** The options with which `principal` may start a session. Throws `forbidden`. */
export function acceptOptions(principal: Principal, options: SessionOptions): SessionOptions {
  const { name, trust, category } = principal
  // A handover lists values that the user named, which an agent cannot vouch for.
  if (trust === 'agent' && options.parent && !('handover' in options.parent))
    throw new PlimsollError(
      'forbidden',
      `\`${name}\` cannot state what another session knows: it is not a host`,
    )
  const { task: _, sendTask: _sendTask, world: _world, ...rest } = options
  const accepted = trust === 'agent' ? rest : options
  const world = acceptWorld(principal, options.world)
  return { ...accepted, ...(category !== undefined && { category }), ...(world && { world }) }
}

/** The world of a principal's session: that of the principal, with the members that a host declares for the session. */
export const acceptWorld = (
  { trust, world }: Pick<Principal, 'trust' | 'world'>,
  declared: World | undefined,
): World | undefined => joinWorlds(world, trust === 'agent' ? undefined : declared)
