import { PARTIAL, raiseClaims } from '@plimsoll/client'
import type { Catalogue, ClaimedLabels, Event, EventOf } from '@plimsoll/contracts'
import { createEntryFinder, type EntryFinder } from '@plimsoll/labels'

/** What an agent's event is, as far as it is believed of whoever nobody vouches for. Source: docs/decisions/20261122-enforcement.md. */
export type Believe = (event: Event) => Event

export function createBelief(catalogue: Catalogue, category: string | undefined): Believe {
  const entryOf = createEntryFinder(catalogue)
  return (event) => {
    if (event.type === 'session.started') return startBelieved(event, category)
    if (event.type === 'tool.proposed') return proposalBelieved(event, entryOf)
    return event.type === 'tool.completed' ? completionBelieved(event) : event
  }
}

function startBelieved(event: EventOf<'session.started'>, category: string | undefined): Event {
  const { found: _, fingerprints: _seen, signals: _signals, ...rest } = event
  return category === undefined ? rest : { ...rest, category }
}

/** Arguments that nobody has seen are not known: those that it shows might be others. */
function proposalBelieved(event: EventOf<'tool.proposed'>, entryOf: EntryFinder): Event {
  const {
    evidence: _,
    fingerprints: _seen,
    addressed: _whole,
    signals: _signals,
    arguments: _shown,
    ...rest
  } = event
  const { unanswered } = rest
  return {
    ...withRaisingLabels(rest, entryOf),
    ...(unanswered && { unanswered: unanswered.map((ran) => withRaisingLabels(ran, entryOf)) }),
  }
}

/** What an agent tells as a result need not be what came back, nor all of it. */
function completionBelieved(event: EventOf<'tool.completed'>): Event {
  const { fingerprints: _, instructed: _instructed, signals: _signals, ...rest } = event
  return { ...rest, signals: PARTIAL }
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
