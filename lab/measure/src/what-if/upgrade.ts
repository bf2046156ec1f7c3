import {
  type Decision,
  type Event,
  type Reason,
  type Verdict,
  type Versions,
  logged,
} from '@plimsoll/contracts'
import { type Judged, hasOtherReasons } from '@plimsoll/comparison'
import { type Facts, type Rules, type SessionState, step } from '@plimsoll/engine'
import type { RecordedDecisions, RecordedStep } from './recorded-decisions.js'

/** A step that today's engine gives another verdict than the one recorded. */
export interface UpgradeExample {
  readonly session: string
  /** From 1. */
  readonly step: number
  readonly tool: string
  readonly from: UpgradeSide
  readonly to: UpgradeSide
}
export interface UpgradeSide {
  readonly verdict: Verdict
  /** Source and code of each reason. */
  readonly reasons: readonly Pick<Reason, 'source' | 'code' | 'verdict'>[]
}

/** What today's engine decides otherwise than an earlier version. */
export interface EngineDiff {
  /** The version of the engine that decided. */
  readonly engine: string
  readonly sessions: number
  readonly steps: number
  readonly changed: { readonly steps: number; readonly sessions: number }
  /** Steps of the same verdict for other reasons. */
  readonly otherReasons: number
  /** Changed steps by both verdicts, the most frequent first. */
  readonly verdicts: readonly { readonly from: Verdict; readonly to: Verdict; readonly steps: number }[]
  readonly examples: readonly UpgradeExample[]
}

/** Steps that were decided and are not compared, by the reason. */
export interface LeftOut {
  /** A document that their session was pinned to is not at hand. */
  unpinned: number
  /** Their session had moved to other documents. */
  moved: number
  /** Their session started before what was read, or more sessions were open than are followed. */
  withoutStart: number
}

export interface UpgradeTally {
  /** The events of each session in the order of the log. */
  take(event: Event, timeMs: number): void
  readonly sessions: number
  readonly steps: number
  figures(): { readonly engines: readonly EngineDiff[]; readonly leftOut: LeftOut }
}

export interface UpgradeTallyOptions {
  readonly recorded: RecordedDecisions
  /** Undefined where a document is not at hand. */
  readonly rulesOf: (pins: Versions) => Rules | undefined
  /** Of each pair of verdicts under each engine. */
  readonly examplesMax: number
  readonly sessionsMax?: number | undefined
}

/** Sessions that are followed at a time, some 5 kB each. */
const OPEN_MAX = 20_000

interface Open {
  state: SessionState | undefined
  readonly rules: Rules
  readonly pins: Versions
  /** As of its last recorded decision. */
  facts: Facts
  readonly engines: Set<string>
  readonly changedUnder: Set<string>
}

/**
 * Decides the events of the log again with today's engine, as a rebuild does: by the documents and the facts of the recorded decisions.
 * Each session is followed as today's engine sees it, so a changed verdict may change later ones. Refusals, repeats and alerts are not
 * compared.
 */
export function createUpgradeTally(options: UpgradeTallyOptions): UpgradeTally {
  const { recorded, rulesOf, examplesMax, sessionsMax = Infinity } = options
  const open = new Map<string, Open>()
  const unpinned = new Set<string>()
  const groups = new Map<string, Group>()
  const leftOut: LeftOut = { unpinned: 0, moved: 0, withoutStart: 0 }
  let sessions = 0
  let steps = 0

  const start = (sessionId: string): Open | undefined => {
    const first = recorded.firstOf(sessionId)
    if (!first || sessions >= sessionsMax) return undefined
    const rules = rulesOf(first.versions)
    if (!rules) return void unpinned.add(sessionId)
    sessions++
    for (const [oldest] of open) {
      if (open.size < OPEN_MAX) break
      open.delete(oldest)
    }
    const facts = { mode: first.facts.mode }
    const session = { state: undefined, rules, pins: first.versions, facts }
    return { ...session, engines: new Set(), changedUnder: new Set() }
  }
  const groupOf = (engine: string): Group => {
    const group = groups.get(engine) ?? createGroup(engine, examplesMax)
    groups.set(engine, group)
    return group
  }
  const fold = (session: Open, event: Event, timeMs: number): Decision | undefined => {
    const { state, decision } = step(session.state, logged(event, timeMs), session.rules, session.facts)
    session.state = state
    session.facts = { mode: session.facts.mode }
    if (state?.ended) open.delete(event.sessionId)
    return decision
  }
  return {
    take: (event, timeMs) => {
      const { sessionId, id } = event
      if (recorded.wasTurnedAway(sessionId, id)) return
      const was = recorded.take(sessionId, id)
      const session = open.get(sessionId) ?? (event.type === 'session.started' ? start(sessionId) : undefined)
      if (!session) {
        // Sessions beyond the limit are not left out.
        if (was && unpinned.has(sessionId)) leftOut.unpinned++
        else if (was && sessions < sessionsMax) leftOut.withoutStart++
        return
      }
      open.set(sessionId, session)
      if (was) session.facts = was.facts
      const decision = fold(session, event, timeMs)
      if (!was || !decision) return
      if (!isSame(was.versions, session.pins)) return void leftOut.moved++
      steps++
      groupOf(was.versions.engine).add(session, was, decision)
    },
    get sessions() {
      return sessions
    },
    get steps() {
      return steps
    },
    figures: () => ({ engines: [...groups.values()].map((group) => group.figures()), leftOut }),
  }
}

const isSame = (a: Versions, b: Versions): boolean =>
  a.bundle === b.bundle && a.policy === b.policy && a.catalogue === b.catalogue

type Group = ReturnType<typeof createGroup>

/** The steps that one version of the engine decided. */
function createGroup(engine: string, examplesMax: number) {
  const verdicts = new Map<string, { from: Verdict; to: Verdict; steps: number }>()
  const changed = { steps: 0, sessions: 0 }
  const examples: UpgradeExample[] = []
  let sessions = 0
  let steps = 0
  let otherReasons = 0
  return {
    add: (session: Open, was: RecordedStep, is: Decision): void => {
      steps++
      if (!session.engines.has(engine)) sessions++
      session.engines.add(engine)
      if (hasOtherReasons(was, is)) otherReasons++
      if (was.verdict === is.verdict) return
      changed.steps++
      if (!session.changedUnder.has(engine)) changed.sessions++
      session.changedUnder.add(engine)
      const key = `${was.verdict} ${is.verdict}`
      const pair = verdicts.get(key) ?? { from: was.verdict, to: is.verdict, steps: 0 }
      verdicts.set(key, pair)
      if (pair.steps++ >= examplesMax) return
      const { sessionId, step, tool } = is
      examples.push({ session: sessionId, step, tool, from: sideOf(was), to: sideOf(is) })
    },
    figures: (): EngineDiff => ({
      engine,
      sessions,
      steps,
      changed,
      otherReasons,
      verdicts: [...verdicts.values()].sort((a, b) => b.steps - a.steps),
      examples,
    }),
  }
}

const sideOf = ({ verdict, reasons }: Judged): UpgradeSide => ({
  verdict,
  reasons: reasons.map(({ source, code, verdict }) => ({ source, code, verdict })),
})
