import { EVIDENCES, logged, TAINTS, type Event, type EventOf } from '@plimsoll/contracts'
import { type Facts, type LoggedEvent, type SessionState } from '@plimsoll/engine'
import type { Random } from './random.js'
import { TOOLS } from './world.js'
import {
  DIGESTS,
  type Envelope,
  type Style,
  callIdOf,
  someFingerprints,
  someGift,
  somePayees,
  claims,
  someAsks,
  someSignals,
  inheritance,
} from './script-values.js'
import { approval, revocation, declassification, refinement, deadline } from './script-operators.js'

/** An event and its outside facts. */
export interface Reported extends LoggedEvent {
  readonly facts: Facts
}

export interface Script {
  next(state: SessionState | undefined): Reported
  /** Whether an operator now moves the session to other versions. */
  transitions(): boolean
  /** Called with the approval request, so that it can be approved. */
  asked(decisionId: string, argumentsDigest: string): void
  readonly length: number
}

const PRODUCERS = ['agent', 'agent', 'agent', 'agent', 'host'] as const

/**
 * Generates the events of one session: mostly those of a well-behaved agent, mixed with everything else that the event schema
 * allows: gaps, retries, forged approvals, calls that were never proposed, clocks that go back.
 */
export function createScript(random: Random): Script {
  // Some sessions have many calls and few completions, so that they reach the caps.
  // In some, few tools are used, report little, and a human answers at once: there an approval for the session covers later steps.
  const style: Style = random.chance(0.08)
    ? { calls: 400, completions: 0.02, tools: TOOLS, isAnswered: false }
    : random.chance(0.6)
      ? { calls: 8, completions: 0.3, tools: TOOLS, isAnswered: false }
      : { calls: 30, completions: 0.3, tools: [random.pick(TOOLS), random.pick(TOOLS)], isAnswered: true }
  const past: LoggedEvent[] = []
  const numbers = new Map<string, number>()
  const questions: (readonly [id: string, digest: string])[] = []
  // Half of the fleets are never touched by an operator.
  const isOperated = random.chance(0.5)
  let facts: Facts = { mode: isOperated && random.chance(0.5) ? 'observe' : 'enforce' }
  let count = 0
  let timeMs = 1_000_000

  function envelope() {
    const producer = random.chance(0.04) ? `extra-${random.below(12)}` : random.pick(PRODUCERS)
    const next = numbers.get(producer) ?? 0
    const seq = Math.max(0, random.chance(0.03) ? next + random.below(7) - 3 : next)
    if (seq === next) numbers.set(producer, next + 1)
    const id = random.chance(0.02) ? 'same' : `e${count++}`
    return { schema: 1, id, sessionId: 's', producer, seq, time: random.below(9) } as const
  }

  function operate(): void {
    const mode = random.chance(0.5) ? 'observe' : 'enforce'
    facts = random.chance(0.2) ? { mode, stop: { by: 'ann' } } : { mode }
  }

  function invent(state: SessionState | undefined): Event {
    if (past.length === 0 && random.chance(0.98)) return started('start')
    const waiting = style.isAnswered && state?.calls.find((call) => call.status === 'pending')
    if (waiting && random.chance(0.7)) {
      const { decisionId, argumentsDigest } = waiting
      return approval(random, `a${count++}`, [[decisionId, argumentsDigest]], state, 'session')
    }
    const kind = random.next()
    if (kind < 0.02) return started('again')
    if (kind < 0.03) return { ...envelope(), type: 'session.ended' }
    if (random.chance(0.04)) return instruction(random, envelope())
    if (kind < 0.04) return deadline(random, state, timeMs)
    if (kind < 0.06) return refinement(random, style, `r${count++}`)
    if (kind < 0.075) return declassification(random, `d${count++}`)
    if (kind < 0.085) return revocation(random, `v${count++}`, state)
    if (kind < 0.15) return approval(random, `a${count++}`, questions, state)
    if (kind < 0.15 + style.completions) return completion(random, callIdOf(random, style), state, envelope())
    return proposal(random, style, envelope())
  }

  function started(id: string): Event {
    if (id === 'start') numbers.set('agent', 1)
    const category = random.pick(['data', 'other', undefined])
    const base = { schema: 1, id, sessionId: 's', producer: 'agent', seq: 0, time: 0 } as const
    const reported = random.chance(0.7) && { fingerprints: someFingerprints(random) }
    const found = random.chance(0.4) && {
      found: { category: random.pick(['data', 'other']), confidence: 0.9 },
    }
    const delegated = random.chance(0.3) && { root: 'r', inherits: inheritance(random) }
    return {
      ...base,
      type: 'session.started',
      ...(category !== undefined && { category }),
      ...found,
      ...reported,
      ...(random.chance(0.3) && { payees: somePayees(random) }),
      ...(random.chance(0.6) && { signals: someAsks(random) }),
      ...delegated,
    }
  }

  return {
    transitions: () => isOperated && random.chance(0.05),
    next(state) {
      if (isOperated && random.chance(0.1)) operate()
      // Sometimes an agent sleeps longer than the call timeout.
      if (random.chance(0.01)) timeMs += 2_000_000 + random.below(3_000_000)
      timeMs += random.chance(0.05) ? -random.below(5000) : random.below(random.chance(0.1) ? 90_000 : 300)
      const [first, ...rest] = past
      const isRetry = first !== undefined && random.chance(0.05)
      const event = isRetry ? retried(random, random.pick([first, ...rest.slice(-20)]).event) : invent(state)
      const input = logged(event, Math.max(0, timeMs))
      past.push(input)
      return { ...input, facts }
    },
    length: 5 + random.below(style.calls > 100 ? 120 : style.isAnswered ? 60 : 30),
    asked: (decisionId, argumentsDigest) => questions.push([decisionId, argumentsDigest]),
  }
}

/** A later message: mostly with fingerprints, sometimes without a report. */
const instruction = (random: Random, envelope: Envelope): EventOf<'session.instructed'> => ({
  ...envelope,
  type: 'session.instructed',
  ...(random.chance(0.9) && { fingerprints: someFingerprints(random) }),
  ...(random.chance(0.2) && { payees: somePayees(random) }),
  ...(random.chance(0.3) && { signals: { secrets: random.below(9) / 8, ...someAsks(random) } }),
})

function proposal(random: Random, style: Style, envelope: Envelope): EventOf<'step.proposed'> {
  const ran = () => ({
    callId: callIdOf(random, style),
    tool: random.pick(TOOLS),
    ...(random.chance(0.3) && { labels: claims(random) }),
  })
  return {
    ...envelope,
    type: 'step.proposed',
    callId: callIdOf(random, style),
    tool: random.pick(style.tools),
    argumentsDigest: random.pick(DIGESTS),
    ...(random.chance(style.isAnswered ? 0.1 : 0.3) && { labels: claims(random) }),
    ...(random.chance(0.4) && { evidence: { sensitive: random.pick(EVIDENCES) } }),
    ...(random.chance(0.6) && { fingerprints: someFingerprints(random) }),
    ...(random.chance(0.3) && { addressed: someFingerprints(random) }),
    ...(random.chance(style.isAnswered ? 0.1 : 0.3) && { gives: someGift(random) }),
    ...(random.chance(style.isAnswered ? 0.2 : 0.8) && { signals: someSignals(random) }),
    ...(random.chance(0.03) && { inherits: inheritance(random) }),
    ...(random.chance(0.05) && { withoutVerdict: Array.from({ length: random.below(17) }, ran) }),
  }
}

/** Mostly for the allowed step. */
function completion(
  random: Random,
  callId: string,
  state: SessionState | undefined,
  envelope: Envelope,
): EventOf<'step.completed'> {
  const call = state?.calls.find((each) => each.callId === callId)
  const isOwn = call?.status === 'open' && random.chance(0.8)
  return {
    ...envelope,
    type: 'step.completed',
    callId,
    tool: isOwn ? call.tool : random.pick(TOOLS),
    ...(random.chance(0.3) && { argumentsDigest: random.pick(DIGESTS) }),
    outcome: random.pick(['ok', 'error']),
    ...(random.chance(0.3) && { labels: claims(random) }),
    ...(random.chance(0.2) && { taint: random.pick(TAINTS) }),
    ...(random.chance(0.8) && { fingerprints: someFingerprints(random) }),
    ...(random.chance(0.2) && { instructed: someFingerprints(random) }),
    ...(random.chance(0.2) && { payees: somePayees(random) }),
    ...(random.chance(0.3) && {
      signals: { override: random.below(9) / 8, ...(random.chance(0.2) && { partial: random.below(2) }) },
    }),
    ...(random.chance(0.05) && { inherits: inheritance(random) }),
  }
}

/** The same event again; sometimes another step with its id and number. */
function retried(random: Random, event: Event): Event {
  if (event.type !== 'step.proposed' || random.chance(0.7)) return event
  const other = random.pick<Partial<typeof event>>([
    { tool: random.pick(TOOLS) },
    { argumentsDigest: random.pick(DIGESTS) },
    { callId: `other-${random.below(9)}` },
  ])
  return { ...event, ...other }
}
