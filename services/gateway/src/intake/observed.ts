import { mostOf, raiseClaims, raiseTaint } from '@plimsoll/client'
import { randomBytes } from 'node:crypto'
import {
  createSaltedDigest,
  saltToReport,
  type Catalogue,
  type Event,
  type EventOf,
  type EventTexts,
  type SaltedDigest,
} from '@plimsoll/contracts'
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
  const observers = new Map<string, RootObserver>()
  const ownKey = key ?? randomBytes(32)

  function observerOf(root: string): RootObserver {
    const known = observers.get(root)
    if (known) return known
    if (observers.size >= ROOTS_MAX)
      for (const oldest of observers.keys()) if (observers.delete(oldest)) break
    const rootKey = keyOfRoot(ownKey, root)
    const observer = key === undefined ? undefined : createObserver({ catalogue, key: rootKey, without })
    const made = { observer, digest: createSaltedDigest(rootKey) }
    observers.set(root, made)
    return made
  }

  return (event, texts, root) => {
    const found = observerOf(root)
    if (event.type === 'session.started') return startSeen(event, texts, found.observer)
    if (event.type === 'session.instructed') return instructionSeen(event, texts, found.observer)
    if (event.type === 'step.proposed') return proposalSeen(event, texts, found, disclose)
    return event.type === 'step.completed' ? observeCompletion(event, texts, found) : event
  }
}

/** What looks at the texts of one root's sessions. */
interface RootObserver {
  readonly observer: Observer | undefined
  readonly digest: (values: unknown) => SaltedDigest
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

function instructionSeen(
  event: EventOf<'session.instructed'>,
  { task }: EventTexts,
  observer: Observer | undefined,
): EventOf<'session.instructed'> {
  const seen = observer?.instructed({ task })
  return seen ? { ...event, ...seen, signals: mostOf(seen.signals, event.signals) } : event
}

function proposalSeen(
  event: EventOf<'step.proposed'>,
  { arguments: values, description }: EventTexts,
  { observer, digest }: RootObserver,
  disclose: Disclose,
): EventOf<'step.proposed'> {
  // Arguments that did not come nobody has seen: that there are none is not known.
  if (values === undefined) return event
  const { tool, labels } = event
  const seen = observer?.proposed({ tool, arguments: values, description })
  const salted = digest(values)
  const shown = disclose(tool, values) ?? event.arguments
  return {
    ...event,
    // Over the very arguments that came: anyone who approves them, or reads them in a policy, is told of these and of no others.
    argumentsDigest: salted.digest,
    arguments: shown,
    argumentsSalt: saltToReport(values, shown, salted),
    ...(seen && { ...seen, labels: raiseClaims(seen.labels, labels) }),
  }
}

function observeCompletion(
  event: EventOf<'step.completed'>,
  { arguments: ran, result }: EventTexts,
  { observer, digest }: RootObserver,
): EventOf<'step.completed'> {
  const { tool, outcome, labels, taint, signals } = event
  const reported = ran === undefined ? event : { ...event, argumentsDigest: digest(ran).digest }
  const seen = result === undefined ? undefined : observer?.completed({ tool, result, outcome })
  if (!seen) return reported
  return {
    ...reported,
    ...seen,
    labels: raiseClaims(seen.labels, labels),
    taint: raiseTaint(seen.taint, taint),
    signals: mostOf(seen.signals, signals),
  }
}
