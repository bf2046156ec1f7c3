import type { Step } from '../../../src/api.js'
import { exposureRank } from '../text/words.js'

/** What was read at one step and is in the arguments of a later step. */
export interface Flow {
  readonly kind: FlowKind
  /** Places in the list of steps: where it was first read, and where it is used. */
  readonly from: number
  readonly to: number
  /** Whether the later step sends it somewhere. */
  readonly leaves: boolean
}

/** Sensitive data; values that only untrusted text names; those of text that reads like instructions. */
export type FlowKind = 'sensitive' | 'untrusted' | 'instructions'
export const FLOW_KINDS: readonly FlowKind[] = ['sensitive', 'untrusted', 'instructions']

const SENSITIVE = exposureRank('sensitive')
const LEAVING: ReadonlySet<string> = new Set(['send', 'publish', 'request', 'pay', 'deploy', 'grant'])

/**
 * The flows of a session as far as its decisions state them: a decision says that sensitive data, or a value of untrusted text, is in the
 * arguments; the step that it came from is the first one by which the session had read such data.
 */
export function flowsOf(steps: readonly Step[]): readonly Flow[] {
  const sensitiveFrom = steps.findIndex(({ exposure }) => exposureRank(exposure) >= SENSITIVE)
  const untrustedFrom = steps.findIndex(({ taint }) => taint !== undefined && taint !== 'none')
  const instructionsFrom = steps.findIndex(({ taint }) => taint === 'instructions')
  return steps.flatMap((step, to) => {
    const leaves = step.labels.capability === 'network' || step.effects.some(({ act }) => LEAVING.has(act))
    const flow = (kind: FlowKind, from: number): readonly Flow[] =>
      from >= 0 && from < to ? [{ kind, from, to, leaves }] : []
    return [
      ...(carriesSensitive(step) ? flow('sensitive', sensitiveFrom) : []),
      ...((step.provenance?.instructions ?? 0) > 0
        ? flow('instructions', instructionsFrom)
        : (step.provenance?.untrusted ?? 0) > 0
          ? flow('untrusted', untrustedFrom)
          : []),
    ]
  })
}

const carriesSensitive = ({ evidence, provenance }: Step): boolean =>
  evidence === 'present' || (evidence !== 'absent' && (provenance?.sensitive ?? 0) > 0)

/** How a flow looks beside one step. */
export interface Lane {
  readonly kind: FlowKind
  readonly part: 'begins' | 'passes' | 'uses' | 'ends'
  readonly leaves: boolean
}

/** The lanes beside the step at each place: from where something was first read to where it is last used. */
export function lanesOf(flows: readonly Flow[], steps: number): readonly (readonly Lane[])[] {
  const lanes: Lane[][] = Array.from({ length: steps }, () => [])
  for (const kind of FLOW_KINDS) {
    const own = flows.filter((flow) => flow.kind === kind)
    const from = own[0]?.from
    const last = own.at(-1)?.to
    if (from === undefined || last === undefined) continue
    const uses = new Map(own.map((flow) => [flow.to, flow.leaves]))
    for (let at = from; at <= last; at++) {
      const inner = uses.has(at) ? 'uses' : 'passes'
      const part = at === from ? 'begins' : at === last ? 'ends' : inner
      lanes[at]?.push({ kind, part, leaves: uses.get(at) ?? false })
    }
  }
  return lanes
}
