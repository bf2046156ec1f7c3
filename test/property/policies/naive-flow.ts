import type { Declassifier, SpecOf, StepPattern } from '@plimsoll/contracts'
import type { NaiveHistory, NaiveMoment, NaiveStep } from './naive-history.js'
import { isWithin } from './naive-past.js'
import { asksForRaised, mayBe, surelyIs, type NaiveReading } from './naive-pattern.js'

type Restricting = SpecOf<'blocklist' | 'confirmation'>
type Flow = NonNullable<Restricting['flow']>

/** What is known of the values in the arguments of the proposed step. */
export interface NaiveValues {
  readonly evidence: 'present' | 'absent' | 'unknown'
  /** Whether all telling values are told, and stand in trusted results. */
  readonly isTrusted: boolean
}

/** Whether data of the flow's kind may be in the session, and may leave by the proposed step. */
export function mayFlow(
  { flow, counts }: Restricting,
  history: NaiveHistory,
  proposed: NaiveReading,
  values: NaiveValues,
): boolean {
  if (!flow) return true
  if (!mayBe(flow.to, proposed)) return false
  const { labels, latest } = broughtBy(flow, history)
  if (!latest || !isWithin(flow.from.within, latest, history.next, counts ?? 'steps')) return false
  const silenced = flow.by === 'values' ? silencedBy(values) : []
  return namedBy(flow.from).some((label) => labels.has(label) && !silenced.includes(label))
}

const MARK = '(from)'

/** The labels that `from` names; where it names none, a mark of its own. */
function namedBy({ confidentiality, trust, tags }: StepPattern): string[] {
  const named = [...(confidentiality ?? []), ...(trust ?? []), ...(tags ?? [])]
  return named.length > 0 ? named : [MARK]
}

/** The labels in the session, and where the latest step that brought any of them did. */
function broughtBy(flow: Flow, { moments, steps, ground: { policy } }: NaiveHistory) {
  const declassifiers = (policy.declassifiers ?? []).filter(({ id }) => flow.declassifiers?.includes(id))
  let labels: ReadonlySet<string> = new Set()
  let latest: NaiveMoment['at'] | undefined
  /** By step: what it could make something else of. */
  const found = new Map<NaiveMoment['step'], ReadonlySet<string>>()
  for (const moment of moments) {
    if (moment.kind === 'blocked') continue
    const { kind, step, at } = moment
    if (kind === 'ran') found.set(step, isAnyInFlight(flow, steps, step) ? new Set() : labels)
    const brought = kind === 'ran' ? bringing(flow, step) : kind === 'raised' ? raising(flow, step) : []
    if (brought.length > 0) {
      labels = new Set([...labels, ...brought])
      latest = at
    }
    if (kind === 'back' && step.back?.isOk && latest && step.at.steps > latest.steps) {
      const meant = declassifiers.filter((each) => surelyIs(each.step, step))
      labels = declassified(
        labels,
        meant.filter(({ from }) => found.get(step)?.has(from)),
      )
    }
  }
  return { labels, latest }
}

/** Whether a step of the kind `from` was still to come back when `step` was let run. */
const isAnyInFlight = ({ from }: Flow, steps: readonly NaiveStep[], { at }: NaiveStep): boolean =>
  steps.some(
    (other) =>
      other.at.steps < at.steps && mayBe(from, other) && !(other.back && other.back.steps < at.steps),
  )

/** The labels that a step of the kind `from` brings. */
function bringing({ from }: Flow, step: NaiveReading): string[] {
  const { confidentiality, trust, tags } = step.labels
  const has = new Set([MARK, confidentiality, trust, ...tags])
  return mayBe(from, step) ? namedBy(from).filter((label) => has.has(label)) : []
}

/** Those that its completion brings, where they are more than it brings at least. */
function raising(flow: Flow, { raised }: NaiveStep): string[] {
  if (!raised || !asksForRaised(flow.from)) return []
  const least = bringing(flow, raised.from)
  const brought = bringing(flow, raised.to)
  return brought.every((label) => least.includes(label)) ? [] : brought
}

/** All at once: what one makes of a label is not what another finds. */
function declassified(labels: ReadonlySet<string>, by: readonly Declassifier[]): Set<string> {
  const left = [...labels].flatMap((label) => {
    const fitting = by.filter(({ from }) => from === label)
    return fitting.length === 0 ? [label] : fitting.flatMap(({ to }) => to ?? [])
  })
  return new Set(left)
}

/** The labels that, by what is known of its values, the step carries nothing of. */
const silencedBy = ({ evidence, isTrusted }: NaiveValues): string[] => [
  ...(evidence === 'absent' ? ['sensitive', 'credentials'] : []),
  ...(isTrusted ? ['untrusted'] : []),
]
