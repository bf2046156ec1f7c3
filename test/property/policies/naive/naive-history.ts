import type { ClaimedLabels, ToolLabels } from '@plimsoll/contracts'
import type { Arguments } from './naive-expression.js'
import { joined, leastLabels, naiveLabels, type NaiveContext, type NaiveLabels } from './naive-labels.js'
import type { NaiveReading } from './naive-pattern.js'

/** What a proposal reported. */
export interface NaiveProposal {
  readonly callId: string
  readonly tool: string
  readonly claimed?: ClaimedLabels | undefined
  readonly args?: Arguments
  readonly outside?: number | undefined
  readonly effects?: NaiveReading['effects']
  readonly acts?: NaiveReading['acts']
  readonly isUnreadable?: NaiveReading['isUnreadable']
}

/** What happened in a session, in order, according to its events and decisions. */
export type NaiveHappening = { readonly time: number } &
  /** `anyway`: it ran without a verdict, or although it was blocked or waiting. `asked`: its labels in the approval request. */
  (
    | {
        readonly kind: 'ran'
        readonly step: NaiveProposal
        readonly anyway: boolean
        readonly asked?: NaiveLabels | undefined
      }
    /** `isWaiting`: it only has to wait. `isFault`: it was not judged at all. */
    | {
        readonly kind: 'blocked'
        readonly step: NaiveProposal
        readonly isWaiting: boolean
        readonly isFault: boolean
      }
    /** Blocked in observe mode: it counts as blocked, and ran. */
    | { readonly kind: 'objected' }
    | {
        readonly kind: 'completed'
        readonly callId: string
        readonly isOk: boolean
        readonly claimed?: ClaimedLabels | undefined
      }
    | {
        readonly kind: 'refined'
        readonly tool: string
        readonly labels: ToolLabels
        readonly replaces: boolean
        /** Whether the step of the approval request has run. */
        readonly hasRun: boolean
      }
    /** A human emptied the labels of one flow. */
    | { readonly kind: 'granted'; readonly spec: string }
    /** The state of a relative arrived with the start or with a result. */
    | {
        readonly kind: 'inherited'
        readonly confidentiality?: string | undefined
        readonly untrusted: boolean
      }
  )

/** A point of a session on all of its clocks. */
export interface NaivePoint {
  readonly steps: number
  readonly proposals: number
  /** Milliseconds. */
  readonly time: number
}

/** A step that ran, and its outcome. */
export interface NaiveStep extends NaiveReading {
  readonly callId: string
  /** The point at which it was allowed; `steps` is its number. */
  readonly at: NaivePoint
  /** It ran without being allowed: it counts against the session and never for it. */
  readonly ranWithoutVerdict: boolean
  /** The point of its completion. */
  back?: NaivePoint & { readonly isOk: boolean }
}

/** The least labels of a step, and those with later findings. */
export interface NaiveRaise {
  readonly from: NaiveReading
  readonly to: NaiveReading
}

/** What happened, as steps in order of occurrence. */
export type NaiveMoment =
  | { readonly kind: 'ran' | 'back'; readonly step: NaiveStep; readonly at: NaivePoint }
  | { readonly kind: 'raised'; readonly raise: NaiveRaise; readonly at: NaivePoint }
  | { readonly kind: 'granted'; readonly spec: string; readonly at: NaivePoint }
  | {
      readonly kind: 'inherited'
      readonly confidentiality?: string | undefined
      readonly untrusted: boolean
      readonly at: NaivePoint
    }
  | { readonly kind: 'blocked'; readonly step: NaiveReading; readonly at: NaivePoint }

export interface NaiveHistory {
  readonly moments: readonly NaiveMoment[]
  readonly steps: readonly NaiveStep[]
  /** Labels of tools that a judge has found since. */
  readonly context: NaiveContext
  /** The point of the next proposal. */
  readonly next: NaivePoint
}

/** A proposal as patterns read it; the arguments of a step without a verdict are unknown. */
export function readingOf(
  context: NaiveContext,
  { tool, claimed, args, outside, effects, acts, isUnreadable }: NaiveProposal,
  isKnown: boolean,
  asked?: NaiveLabels,
): NaiveReading {
  const labels = joined(naiveLabels(context, tool, claimed), asked)
  return isKnown
    ? { tool, labels, args, outside, effects, ...(acts && { acts }), ...(isUnreadable && { isUnreadable }) }
    : { tool, labels, args: undefined, outside: undefined, effects: undefined }
}

/** Reads the whole list. `time`: that of the next proposal. */
export function historyOf(
  { policy, catalogue }: Pick<NaiveContext, 'policy' | 'catalogue'>,
  happenings: readonly NaiveHappening[],
  time: number,
): NaiveHistory {
  const steps: NaiveStep[] = []
  const moments: NaiveMoment[] = []
  let context: NaiveContext = { policy, catalogue, refined: [] }
  let blocked = 0
  const upToNow = (at: number): NaivePoint => ({
    steps: steps.length,
    proposals: steps.length + blocked,
    time: at,
  })
  const following = (at: number): NaivePoint => ({
    steps: steps.length + 1,
    proposals: steps.length + 1 + blocked,
    time: at,
  })

  function run(step: NaiveProposal, reading: NaiveReading, ranWithoutVerdict: boolean, at: number): void {
    const ran: NaiveStep = { ...reading, callId: step.callId, ranWithoutVerdict, at: following(at) }
    steps.push(ran)
    moments.push({ kind: 'ran', step: ran, at: ran.at })
  }

  function complete(happening: Extract<NaiveHappening, { kind: 'completed' }>): void {
    const step = steps.findLast(({ callId, back }) => callId === happening.callId && !back)
    if (!step) return
    const at = upToNow(happening.time)
    step.back = { ...at, isOk: happening.isOk && !step.ranWithoutVerdict }
    if (happening.claimed) raise(step.tool, leastLabels(context, step.tool), happening.claimed, at)
    moments.push({ kind: 'back', step, at })
  }

  function raise(tool: string, labels: NaiveLabels, found: ClaimedLabels, at: NaivePoint): void {
    const from = { tool, labels, args: undefined, outside: undefined, effects: undefined }
    moments.push({ kind: 'raised', raise: { from, to: { ...from, labels: joined(labels, found) } }, at })
  }

  for (const happening of happenings) {
    if (happening.kind === 'ran')
      run(
        happening.step,
        readingOf(context, happening.step, !happening.anyway, happening.asked),
        happening.anyway,
        happening.time,
      )
    if (happening.kind === 'completed') complete(happening)
    if (happening.kind === 'blocked' && !happening.isWaiting && !happening.isFault)
      moments.push({
        kind: 'blocked',
        step: readingOf(context, happening.step, true),
        at: upToNow(happening.time),
      })
    if (happening.kind === 'blocked' || happening.kind === 'objected') blocked++
    if (happening.kind === 'granted' || happening.kind === 'inherited')
      moments.push({ ...happening, at: upToNow(happening.time) })
    if (happening.kind === 'refined') {
      const { tool, labels, hasRun, time: at } = happening
      const { tags: _, ...found } = labels
      if (hasRun) raise(tool, leastLabels({ ...context, refined: [] }, tool), found, upToNow(at))
      context = { ...context, refined: [...context.refined, happening] }
    }
  }
  return { moments, steps, context, next: following(time) }
}
