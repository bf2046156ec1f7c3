import type { Declassifier, SpecOf, StepPattern } from '@plimsoll/contracts'
import type { NaiveHistory, NaiveMoment, NaivePoint, NaiveRaise, NaiveStep } from './naive-history.js'
import { isWithin } from './naive-past.js'
import { asksForRaised, mayBe, surelyIsAll, type NaiveReading } from './naive-pattern.js'

type Restricting = SpecOf<'blocklist' | 'confirmation'>
type Flow = NonNullable<Restricting['flow']>

/** What is known about the values in the arguments of the proposed step. */
export interface NaiveValues {
  readonly evidence: 'present' | 'absent' | 'unknown'
  /** Whether all distinctive values are reported, and occur in trusted results. */
  readonly isTrusted: boolean
}

/** Whether data of the flow's kind may be in the session, and may leave by the proposed step. */
export function mayFlow(
  { id, flow, counts }: Restricting,
  history: NaiveHistory,
  proposed: NaiveReading,
  values: NaiveValues,
): boolean {
  if (!flow) return true
  if (!mayBe(flow.to, proposed)) return false
  const { labels, latest } = broughtBy(id, flow, history)
  if (!latest || !isWithin(flow.from.within, atLeastOne(latest), history.next, counts ?? 'steps'))
    return false
  const silenced = flow.by === 'values' ? silencedBy(values) : []
  return namedBy(flow.from).some((label) => labels.has(label) && !silenced.includes(label))
}

/** Events before the first step count as if one had run. */
const atLeastOne = ({ steps, proposals, time }: NaivePoint): NaivePoint => ({
  steps: Math.max(1, steps),
  proposals: Math.max(1, proposals),
  time,
})

const MARK = '(from)'

/** The labels that `from` names; a placeholder if it names none. */
function namedBy({ confidentiality, trust, tags }: StepPattern): string[] {
  const named = [...(confidentiality ?? []), ...(trust ?? []), ...(tags ?? [])]
  return named.length > 0 ? named : [MARK]
}

/** The labels in the session, and the point of the latest step that brought any of them. */
function broughtBy(id: string, flow: Flow, { moments, steps, context: { policy } }: NaiveHistory) {
  const declassifiers = (policy.declassifiers ?? []).filter(({ id }) => flow.declassifiers?.includes(id))
  let labels: ReadonlySet<string> = new Set()
  let latest: NaiveMoment['at'] | undefined
  /** By step: the labels that it could declassify. */
  const found = new Map<NaiveStep, ReadonlySet<string>>()
  for (const moment of moments) {
    const { kind, at } = moment
    if (kind === 'ran') found.set(moment.step, isAnyInFlight(flow, steps, moment.step) ? new Set() : labels)
    if (kind === 'granted' && moment.spec === id) labels = new Set()
    const brought = broughtAt(flow, moment)
    if (brought.length > 0) {
      labels = new Set([...labels, ...brought])
      latest = at
    }
    if (kind !== 'back' || !moment.step.back?.isOk || !latest) continue
    const { step } = moment
    const meant = declassifiers.filter(
      (each) => surelyIsAll(each.step, step) && found.get(step)?.has(each.from),
    )
    if (step.at.steps > latest.steps) labels = declassified(labels, meant)
  }
  return { labels, latest }
}

function broughtAt(flow: Flow, moment: NaiveMoment): string[] {
  if (moment.kind === 'ran') return bringing(flow, moment.step)
  if (moment.kind === 'raised') return raising(flow, moment.raise)
  return moment.kind === 'inherited' ? inherited(flow, moment) : []
}

/** Labels inherited from a relative: all named up to its level, and untrusted if it may have read untrusted data. */
function inherited(
  { from }: Flow,
  { confidentiality, untrusted }: Extract<NaiveMoment, { kind: 'inherited' }>,
): string[] {
  const lower = CONFIDENTIALITIES.slice(
    0,
    CONFIDENTIALITIES.findIndex((word) => word === confidentiality) + 1,
  )
  const known = new Set<string>([...lower, ...(untrusted ? ['untrusted'] : [])])
  return namedBy(from).filter((label) => known.has(label))
}

const CONFIDENTIALITIES = ['public', 'internal', 'sensitive', 'credentials']

/** Whether a step of the kind `from` was in flight when `step` was allowed. */
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

/** Labels brought after later findings, if they exceed those it brings at least. */
function raising(flow: Flow, { from, to }: NaiveRaise): string[] {
  if (!asksForRaised(flow.from)) return []
  const least = bringing(flow, from)
  const brought = bringing(flow, to)
  return brought.every((label) => least.includes(label)) ? [] : brought
}

/** All at once: the result of one declassifier is not the input of another. */
function declassified(labels: ReadonlySet<string>, by: readonly Declassifier[]): Set<string> {
  const left = [...labels].flatMap((label) => {
    const fitting = by.filter(({ from }) => from === label)
    return fitting.length === 0 ? [label] : fitting.flatMap(({ to }) => to ?? [])
  })
  return new Set(left)
}

/** Labels whose data the step does not carry, judged by its values. */
const silencedBy = ({ evidence, isTrusted }: NaiveValues): string[] => [
  ...(evidence === 'absent' ? ['sensitive', 'credentials'] : []),
  ...(isTrusted ? ['untrusted'] : []),
]
