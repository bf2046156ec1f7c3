import { wilson } from '@plimsoll/chains'
import { type Verdict, VERDICTS } from '@plimsoll/contracts'
import { type Cause, type ChangeKind, VERDICT_CHANGES } from '@plimsoll/comparison'
import type { RecordedTruth } from '@plimsoll/fit'
import {
  type ChangedStep,
  type Compared,
  type DecisionDiff,
  type DiffExample,
  type JudgedStep,
  type SessionDiff,
  type SpecDiff,
  type ToolDiff,
  type Truth,
  type Worst,
  sessionDiff,
} from './diff.js'

/** Tools with a row each; steps of others count for `OTHER_TOOLS`. */
const TOOLS_MAX = 1_000
export const OTHER_TOOLS = '(others)'

type Writable<T> = { -readonly [K in keyof T]: T[K] }
type Counted = Writable<Omit<SpecDiff, 'steps'>> & { readonly steps: Record<ChangeKind, number> }

/** Counts changes by spec and by tool. A change that several specs cause counts for each. */
export function createCauseTally() {
  const specs = new Map<string, Counted>()
  const tools = new Map<string, Record<ChangeKind, number>>()
  const specOf = (cause: Cause): Counted => {
    const key = causeKey(cause)
    const known = specs.get(key)
    if (known) return known
    const made = { ...cause, steps: noChanges(), sessions: 0, safeSessions: 0, violatedSessions: 0 }
    specs.set(key, made)
    return made
  }
  const toolOf = (name: string): Record<ChangeKind, number> => {
    const key = tools.has(name) || tools.size < TOOLS_MAX ? name : OTHER_TOOLS
    const counts = tools.get(key) ?? noChanges()
    tools.set(key, counts)
    return counts
  }
  return {
    add: ({ truth, changed }: SessionDiff): void => {
      const here = new Set<Counted>()
      const inTime = new Set<Counted>()
      for (const step of changed) {
        toolOf(step.tool)[step.kind]++
        for (const cause of step.causes) {
          const spec = specOf(cause)
          spec.steps[step.kind]++
          here.add(spec)
          if (step.inTime) inTime.add(spec)
        }
      }
      for (const spec of here) {
        spec.sessions++
        if (truth === 'safe') spec.safeSessions++
        if (truth === 'violated' && inTime.has(spec)) spec.violatedSessions++
      }
    },
    figures: (): Pick<DecisionDiff, 'bySpec' | 'byTool'> => ({
      bySpec: [...specs.values()].sort(byMost),
      byTool: Array.from(tools, ([tool, steps]): ToolDiff => ({ tool, steps })).sort(byMost),
    }),
  }
}

export const causeKey = ({ source, code, how }: Cause): string => `${source}:${code}:${how}`

const noChanges = (): Record<ChangeKind, number> => ({ blocked: 0, asked: 0, warned: 0, eased: 0 })

const totalOf = ({ steps }: Pick<ToolDiff, 'steps'>): number =>
  VERDICT_CHANGES.reduce((sum, kind) => sum + steps[kind], 0)

const byMost = (a: Pick<ToolDiff, 'steps'>, b: Pick<ToolDiff, 'steps'>): number => totalOf(b) - totalOf(a)

/** Counts of how many sessions something is so under each of two policies. */
export interface ComparedCount {
  add(old: boolean, candidate: boolean): void
  figures(): Compared
}

export function createComparedCount(): ComparedCount {
  let of = 0
  let old = 0
  let candidate = 0
  let newly = 0
  let noLonger = 0
  return {
    add: (isOld, isCandidate) => {
      of++
      if (isOld) old++
      if (isCandidate) candidate++
      if (isCandidate && !isOld) newly++
      if (isOld && !isCandidate) noLonger++
    },
    figures: () => ({
      old: wilson(old, of),
      candidate: wilson(candidate, of),
      newly: wilson(newly, of),
      noLonger: wilson(noLonger, of),
    }),
  }
}

/** Examples in all. */
const EXAMPLES_MAX = 200

/** The first steps of each way in which each spec makes a difference, one a session; of safe and of harmful sessions each. */
export function createExamples(eachMax: number) {
  const examples: DiffExample[] = []
  const taken = new Map<string, number>()
  const wanted = ({ kind, causes }: ChangedStep, truth: Truth): string | undefined =>
    causes
      .map((cause) => `${truth} ${kind} ${causeKey(cause)}`)
      .find((key) => (taken.get(key) ?? 0) < eachMax)
  return {
    add: (session: string, { changed, truth }: SessionDiff): void => {
      const here = new Set<string>()
      for (const step of changed) {
        const key = wanted(step, truth)
        if (key === undefined || here.has(key) || examples.length >= EXAMPLES_MAX) continue
        here.add(key)
        taken.set(key, (taken.get(key) ?? 0) + 1)
        const { i, tool, causes, old, candidate } = step
        examples.push({
          session,
          step: i + 1,
          tool,
          truth,
          causes,
          old: side(old),
          candidate: side(candidate),
        })
      }
    },
    list: (): readonly DiffExample[] => examples,
  }
}

const side = ({ verdict, reasons }: DiffExample['old']): DiffExample['old'] => ({ verdict, reasons })

/** Counts the steps without a label, which either policy judges by its stand-in. */
export function createUnlabelledTally() {
  const tools = new Set<string>()
  let steps = 0
  return {
    add: (judged: readonly JudgedStep[]): void => {
      for (const { tool, old, candidate } of judged) {
        if (![...old.reasons, ...candidate.reasons].some(isUnlabelled)) continue
        steps++
        tools.add(tool)
      }
    },
    figures: (): DecisionDiff['unlabelled'] => ({ steps, tools: tools.size }),
  }
}

const isUnlabelled = ({ code }: { readonly code: string }): boolean => code === 'tool_unlabelled'

/** Compares the decisions of two policies on the same sessions, in constant memory. */
export interface DiffTally {
  /** @param truth what really happened, if known */
  session(id: string, steps: readonly JudgedStep[], truth: RecordedTruth): void
  readonly sessions: number
  readonly steps: number
  figures(): DecisionDiff
}

/** @param examplesMax of each way in which something makes a difference */
export function createDiffTally(examplesMax: number): DiffTally {
  const verdicts = each(VERDICTS, () => each(VERDICTS, () => 0))
  const changes = each(VERDICT_CHANGES, () => ({ steps: 0, sessions: 0 }))
  const changed = { steps: 0, sessions: 0 }
  const causes = createCauseTally()
  const examples = createExamples(examplesMax)
  const truths = createTruthTally()
  let sessions = 0
  let steps = 0
  let otherReasons = 0
  const unlabelled = createUnlabelledTally()
  return {
    session: (id, judged, truth) => {
      const diff = sessionDiff(judged, truth)
      sessions++
      steps += judged.length
      otherReasons += diff.otherReasons
      for (const { old, candidate } of judged) verdicts[old.verdict][candidate.verdict]++
      unlabelled.add(judged)
      truths.add(diff)
      if (diff.changed.length === 0) return
      changed.sessions++
      changed.steps += diff.changed.length
      for (const { kind } of diff.changed) changes[kind].steps++
      for (const kind of diff.kinds) changes[kind].sessions++
      causes.add(diff)
      examples.add(id, diff)
    },
    get sessions() {
      return sessions
    },
    get steps() {
      return steps
    },
    figures: () => ({
      sessions,
      steps,
      changed,
      otherReasons,
      unlabelled: unlabelled.figures(),
      verdicts,
      changes,
      ...causes.figures(),
      ...truths.figures(),
      examples: examples.list(),
    }),
  }
}

/** What the change would mean for honest work, and for harm. */
function createTruthTally() {
  const safe = { stopped: createComparedCount(), disturbed: createComparedCount() }
  const violated = { stopped: createComparedCount(), caught: createComparedCount() }
  const sessions = { safe: 0, violated: 0, unknown: 0 }
  const approvals = { old: 0, candidate: 0 }
  return {
    add: ({ truth, old, candidate }: SessionDiff): void => {
      sessions[truth]++
      if (truth === 'safe') {
        safe.stopped.add(isBlock(old.verdict), isBlock(candidate.verdict))
        safe.disturbed.add(isStop(old.verdict), isStop(candidate.verdict))
        approvals.old += old.approvals
        approvals.candidate += candidate.approvals
      }
      if (truth === 'violated') {
        const inTime = (is: (verdict: Verdict) => boolean, worst: Worst) => is(worst.inTime)
        violated.stopped.add(inTime(isBlock, old), inTime(isBlock, candidate))
        violated.caught.add(inTime(isStop, old), inTime(isStop, candidate))
      }
    },
    figures: () => ({
      safe: {
        sessions: sessions.safe,
        stopped: safe.stopped.figures(),
        disturbed: safe.disturbed.figures(),
        approvals: {
          old: approvals.old / Math.max(1, sessions.safe),
          candidate: approvals.candidate / Math.max(1, sessions.safe),
        },
      },
      violated: {
        sessions: sessions.violated,
        stopped: violated.stopped.figures(),
        caught: violated.caught.figures(),
      },
      unknown: sessions.unknown,
    }),
  }
}

const isBlock = (verdict: Verdict): boolean => verdict === 'block'
const isStop = (verdict: Verdict): boolean => verdict === 'block' || verdict === 'confirm'

const each = <K extends string, V>(names: readonly K[], make: () => V): Record<K, V> =>
  Object.fromEntries(names.map((name) => [name, make()])) as Record<K, V>
