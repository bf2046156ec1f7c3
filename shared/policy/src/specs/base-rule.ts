import {
  type ConditionsOf,
  type Declassifier,
  type Per,
  type Spec,
  type StepPattern,
  type Window,
  CONFIDENTIALITIES,
  PlimsollError,
  TRUSTS,
} from '@plimsoll/contracts'
import {
  type Counter,
  type FlowLabels,
  type FlowRule,
  type Span,
  type SpecRule,
  FOR_EVER,
  specRule,
} from '@plimsoll/engine'
import { allHandled } from './conditions.js'
import { type Numbering, type ResultKind, type SpecCells, BITS, expressionKey } from './numbering.js'

/** The labels of one flow, each a bit of its cell. */
export interface NumberedFlow {
  readonly labels: FlowLabels
  readonly bitOf: (label: string) => number
}

/** Gives a bit to each label that `from` names, then to each that a declassifier removes or adds. */
export function numberFlow(
  from: StepPattern,
  declassifiers: readonly Declassifier[],
  { tagBits }: Numbering,
  specId: string,
): NumberedFlow {
  const named = [...(from.confidentiality ?? []), ...(from.trust ?? []), ...(from.tags ?? [])]
  const labels = [...new Set([...(named.length > 0 ? named : [NO_LABEL]), ...declassifiers.flatMap(ends)])]
  if (labels.length > BITS)
    throw new PlimsollError(
      'document_invalid',
      `spec \`${specId}\`: its flow has ${labels.length} labels; at most ${BITS} are supported`,
    )
  const bits = new Map(labels.map((label, i) => [label, 1 << i]))
  const bitOf = (label: string): number => bits.get(label) ?? 0
  const bitIfNamed = (label: string): number => (named.includes(label) ? bitOf(label) : 0)
  const tags = [...tagBits.keys()].map(bitIfNamed)
  return {
    bitOf,
    labels: {
      exposures: [0, ...CONFIDENTIALITIES.map(bitIfNamed)],
      trusted: bitIfNamed(TRUSTS[0]),
      untrusted: bitIfNamed(TRUSTS[1]),
      tags,
      always: named.length > 0 ? 0 : bitOf(NO_LABEL),
      matched: named.length > 0 ? named.reduce((all, label) => all | bitOf(label), 0) : bitOf(NO_LABEL),
    },
  }
}

/** The label of every step that matches a `from` which names no label. */
const NO_LABEL = ''

const ends = ({ from, to }: Declassifier): string[] => (to === undefined ? [from] : [from, to])

/** The part of a compiled spec that is the same for every tool. */
export interface BaseRule {
  readonly spec: Spec
  readonly rule: SpecRule
  readonly flow?: NumberedFlow
  /** The declassifiers of its flow, in the order of the document. */
  readonly declassifiers: readonly Declassifier[]
}

export function baseRuleOf(
  spec: Spec,
  cells: SpecCells,
  numbering: Numbering,
  declassifiers: readonly Declassifier[],
): BaseRule {
  const flow = 'flow' in spec ? spec.flow : undefined
  const named = declassifiers.filter(({ id }) => flow?.declassifiers?.includes(id))
  const numbered = flow && numberFlow(flow.from, named, numbering, spec.id)
  const rule = specRule({
    id: spec.id,
    message: spec.message ?? messageOf(spec),
    verdict: verdictOf(spec),
    source: flow && spec.tier === 'blocklist' ? 'flow' : sourceOf(spec),
    requirements: spec.requirements,
    alternative: 'alternative' in spec ? spec.alternative : undefined,
    countsProposals: spec.counts === 'proposals',
    ...(spec.tier === 'mustlist' ? mustOf(spec, cells) : conditionsOf(spec, cells, numbering)),
    flow: flow && numbered && flowOf(flow, cells, numbered),
    approval: 'approval' in spec ? spec.approval : undefined,
  })
  return { spec, rule, declassifiers: named, ...(numbered && { flow: numbered }) }
}

function messageOf(spec: Spec): string {
  if (spec.tier !== 'mustlist') return `the ${spec.tier} names this tool in \`${spec.id}\``
  return spec.requires
    ? `\`${spec.id}\` requires another step to have come back well before this one`
    : `\`${spec.id}\` is owed, and this step would pass its deadline`
}

function verdictOf(spec: Spec): SpecRule['verdict'] {
  if (spec.tier === 'allowlist') return 'allow'
  if (spec.tier === 'blocklist') return 'block'
  return spec.verdict ?? (spec.tier === 'mustlist' ? 'block' : 'confirm')
}

const sourceOf = ({ tier }: Spec): SpecRule['source'] => (tier === 'allowlist' ? 'confirmation' : tier)

type MustSpec = Extract<Spec, { tier: 'mustlist' }>
type AllowSpec = Extract<Spec, { tier: 'allowlist' }>
type CountingSpec = Exclude<Spec, MustSpec | AllowSpec>

function mustOf(spec: MustSpec, cells: SpecCells): Partial<SpecRule> {
  const { requires, followedBy, ...others }: ConditionsOf<MustSpec> = spec
  allHandled(others)
  const within = followedBy?.within === 'session' ? undefined : followedBy?.within
  return {
    requires: requires && { cell: cells.requires, ...spanOf(requires.within) },
    followedBy: followedBy && {
      cell: cells.followedBy,
      ...spanOf(within),
      pays: undefined,
      exit: followedBy.exit ?? 'confirm',
    },
  }
}

function conditionsOf(
  spec: AllowSpec | CountingSpec,
  cells: SpecCells,
  numbering: Numbering,
): Partial<SpecRule> {
  const { after, before, between, ...others }: ConditionsOf<AllowSpec> = spec
  allHandled(others)
  return {
    after: after && { cell: cells.after, ...spanOf(after.within) },
    before: before && { cell: cells.before, ...spanOf(before.within) },
    between: between && { cell: cells.between },
    ...(spec.tier !== 'allowlist' && countingOf(spec, cells, numbering)),
  }
}

function countingOf(spec: CountingSpec, cells: SpecCells, { expressions }: Numbering): Partial<SpecRule> {
  // `flow` goes with its labels, see flowOf; the others are those of the allowlist too.
  const { atMost, sum, distinct, fleet, flow: _, ...past }: ConditionsOf<CountingSpec> = spec
  const { after: _after, before: _before, between: _between, ...others } = past
  allHandled(others)
  const of = (text: string, wanted: ResultKind) => expressions.get(expressionKey(text, wanted))?.number ?? -1
  const counter = (cell: number, max: number, per: Per, expression = -1): Counter => ({
    cell,
    ...spanOf(per === 'session' ? undefined : per),
    max,
    of: expression,
  })
  return {
    atMost: atMost && counter(cells.atMost, atMost.times, atMost.per),
    sum: sum && counter(cells.sum, sum.max, sum.per, of(sum.of, 'number')),
    distinct: distinct && counter(cells.distinct, distinct.max, distinct.per, of(distinct.of, 'values')),
    fleet: fleet && {
      cell: cells.fleet,
      reading: `spec:${spec.id}`,
      sessions: fleet.sessions,
      ms: fleet.seconds * 1000,
      of: fleet.of ?? 'tenant',
    },
  }
}

function flowOf(
  { from, by }: { from: { within?: Window | undefined }; by?: string | undefined },
  cells: SpecCells,
  { labels }: NumberedFlow,
): FlowRule {
  return { cell: cells.flow, ...spanOf(from.within), to: undefined, labels, byValues: by === 'values' }
}

function spanOf(window: Window | undefined): Span {
  if (!window) return FOR_EVER
  const steps = 'steps' in window ? window.steps : undefined
  const ms = 'seconds' in window ? window.seconds * 1000 : undefined
  return { steps, ms }
}
