import { mostOf, raiseClaims, raiseTaint } from '@plimsoll/client'
import { digestOf, type Catalogue, type Event, type EventOf, type EventTexts } from '@plimsoll/contracts'
import { createObserver, keyOfRoot, type Observer, type ObserverPart } from '@plimsoll/labels'
import { createDisclosure, type Disclose, type Disclosure } from '@plimsoll/policy'

export interface ObservationOptions {
  readonly catalogue: Catalogue
  /** The deployment's key of fingerprints; without it nothing is seen of texts. */
  readonly key: string | Uint8Array | undefined
  readonly without?: readonly ObserverPart[] | undefined
  readonly disclose?: readonly Disclosure[] | undefined
}

/** `event` with what is seen of the texts that it speaks of, for sessions of root `root`. Remembers nothing of them. */
export type Observe = (event: Event, texts: EventTexts, root: string) => Event

/** Roots whose observers are kept: making one costs two HMACs. */
const ROOTS_MAX = 1_000

export function createObservation({ catalogue, key, without, disclose: rules }: ObservationOptions): Observe {
  const disclose = createDisclosure(rules)
  const observers = new Map<string, Observer>()

  function observerOf(root: string): Observer | undefined {
    if (key === undefined) return undefined
    const known = observers.get(root)
    if (known) return known
    if (observers.size >= ROOTS_MAX)
      for (const oldest of observers.keys()) if (observers.delete(oldest)) break
    const observer = createObserver({ catalogue, key: keyOfRoot(key, root), without })
    observers.set(root, observer)
    return observer
  }

  return (event, texts, root) => {
    const observer = observerOf(root)
    if (event.type === 'session.started') return startSeen(event, texts, observer)
    if (event.type === 'tool.proposed') return proposalSeen(event, texts, observer, disclose)
    return event.type === 'tool.completed' ? completionSeen(event, texts, observer) : event
  }
}

function startSeen(
  event: EventOf<'session.started'>,
  { task }: EventTexts,
  observer: Observer | undefined,
): EventOf<'session.started'> {
  const { category, root, signals } = event
  const seen = observer?.started({ task, category, isDelegated: root !== undefined })
  return seen ? { ...event, ...seen, signals: mostOf(seen.signals, signals) } : event
}

function proposalSeen(
  event: EventOf<'tool.proposed'>,
  { arguments: values, description }: EventTexts,
  observer: Observer | undefined,
  disclose: Disclose,
): EventOf<'tool.proposed'> {
  const { tool, labels } = event
  const seen = observer?.proposed({ tool, arguments: values, description })
  return {
    ...event,
    // Over the very arguments that came: whoever approves them, or reads them in a policy, is told of these and of no others.
    argumentsDigest: digestOf(values ?? {}),
    arguments: disclose(tool, values) ?? event.arguments,
    ...(seen && { ...seen, labels: raiseClaims(seen.labels, labels) }),
  }
}

function completionSeen(
  event: EventOf<'tool.completed'>,
  { result }: EventTexts,
  observer: Observer | undefined,
): EventOf<'tool.completed'> {
  const { tool, outcome, labels, taint, signals } = event
  const seen = observer?.completed({ tool, result, outcome })
  if (!seen) return event
  return {
    ...event,
    ...seen,
    labels: raiseClaims(seen.labels, labels),
    taint: raiseTaint(seen.taint, taint),
    signals: mostOf(seen.signals, signals),
  }
}
