import { PARTIAL, raiseClaims, readable } from '@plimsoll/client'
import type { Catalogue, ClaimedLabels, Event, EventOf, EventTexts, Inherits } from '@plimsoll/contracts'
import { type EntryFinder, createEntryFinder } from '@plimsoll/labels'

/** What an agent's event is, as far as it is believed of anyone who nobody vouches for. Source: docs/decisions/20261122-enforcement.md. */
export type TrustAgent = (event: Event) => Event

export function createBelief(catalogue: Catalogue, category: string | undefined): TrustAgent {
  const entryOf = createEntryFinder(catalogue)
  return (event) => {
    if (event.type === 'session.started') return trustedStart(event, category)
    if (event.type === 'session.instructed') return trustedInstruction(event)
    if (event.type === 'step.proposed') return trustedProposal(event, entryOf)
    return event.type === 'step.completed' ? trustedCompletion(event) : event
  }
}

function trustedStart(event: EventOf<'session.started'>, category: string | undefined): Event {
  const { found: _, fingerprints: _seen, signals: _signals, task: _task, ...rest } = event
  const believed = withoutFingerprints(rest)
  return category === undefined ? believed : { ...believed, category }
}

/** Nothing of it: an agent is not its user. The event goes on empty, for without it the next ones would come out of turn. */
function trustedInstruction(event: EventOf<'session.instructed'>): Event {
  const { task: _, fingerprints: _seen, signals: _signals, ...rest } = event
  return rest
}

/**
 * The texts beside an agent's event without its task: only a host says what the user wants. Whatever is named in a task counts as the
 * user's own wish, so an agent's word would vouch for every recipient that it names.
 */
export function trustedTexts(texts: EventTexts): EventTexts {
  const { task: _, ...rest } = texts
  return rest
}

/** Fingerprints that nobody has made say nothing; where they stand for something sensitive, it counts as not seen. */
function withoutFingerprints<E extends { inherits?: Inherits | undefined }>(event: E): E {
  const { inherits } = event
  if (!inherits) return event
  return { ...event, inherits: readable({ root: 'agent', inherits, key: 'agent' }, undefined) }
}

/** Arguments that nobody has seen are not known: those that it shows might be others. */
function trustedProposal(event: EventOf<'step.proposed'>, entryOf: EntryFinder): Event {
  const {
    evidence: _,
    fingerprints: _seen,
    addressed: _whole,
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

/** What an agent tells as a result need not be what came back, nor all of it. */
function trustedCompletion(event: EventOf<'step.completed'>): Event {
  const { fingerprints: _, instructed: _instructed, signals: _signals, ...rest } = event
  return { ...withoutFingerprints(rest), signals: PARTIAL }
}

/** Whole labels of arguments may bring a step below what its tool is labelled with; an agent's word may not. */
export function withRaisingLabels<S extends { tool: string; labels?: ClaimedLabels | undefined }>(
  step: S,
  entryOf: EntryFinder,
): S {
  const { capability, reversibility } = step.labels ?? {}
  // Without either they make no whole, and raise whatever they meet.
  if (capability === undefined && reversibility === undefined) return step
  return { ...step, labels: raiseClaims(entryOf(step.tool)?.labels, step.labels) }
}
