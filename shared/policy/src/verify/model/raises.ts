import type { ClaimedLabels, Run, Spec, StepPattern, ToolLabels } from '@plimsoll/contracts'
import { resultClaimsAbove } from './claims.js'
import { joinedLabels, matchesLabels, ownPattern } from './patterns.js'

/** Something that counts against a session, and that may turn out to have been only when a result tells more than was known. */
export interface Raisable {
  readonly step: StepPattern
  readonly unless?: StepPattern
  /** Whether it counts which of the labels that `step` names there are. */
  readonly isFlow: boolean
}

/** What of a spec is read again when a result tells more: as the engine does. */
export function raisablesOfSpec(spec: Spec): Raisable[] {
  const made: {
    readonly step: StepPattern | undefined
    readonly unless?: StepPattern
    readonly isFlow?: boolean
  }[] = []
  if (spec.tier === 'mustlist') {
    if (spec.followedBy) made.push({ step: ownPattern(spec), unless: spec.followedBy.step })
  } else if (spec.tier === 'allowlist') made.push({ step: spec.before }, { step: spec.between?.to })
  else made.push({ step: spec.after }, { step: spec.between?.from }, { step: spec.flow?.from, isFlow: true })
  return made.flatMap(({ step, unless, isFlow = false }) =>
    step && asksForResult(step) ? [{ step, isFlow, ...(unless && { unless }) }] : [],
  )
}

/** So does a ghost with what a run goes by. */
export const raisablesOfRun = (run: Run): Raisable[] =>
  ('endsAfter' in run ? [run.endsAfter] : run.sequence)
    .filter(asksForResult)
    .map((step) => ({ step, isFlow: false }))

/** Whether a pattern asks for labels of what a step returns. */
export const asksForResult = ({ confidentiality, trust, tags }: StepPattern): boolean =>
  confidentiality !== undefined || trust !== undefined || tags !== undefined

export interface Raises {
  /** One for each thing that a result may do; of tools of one key the n-th do the same. */
  readonly claims: readonly ClaimedLabels[]
  /** Tools of one key are alike in what their results may do. */
  readonly key: string
}

/** What results of the tool may tell that makes a difference, beyond `base`. */
export function raisesOf(tool: string, base: ToolLabels, raisables: readonly Raisable[]): Raises {
  const byEffect = new Map<string, ClaimedLabels>()
  const patterns = raisables.map(({ step }) => step)
  for (const claim of resultClaimsAbove(base, patterns)) {
    const effect = effectOf({ tool, labels: base }, { tool, labels: joinedLabels(base, claim) }, raisables)
    if (effect !== '' && !byEffect.has(effect)) byEffect.set(effect, claim)
  }
  const effects = [...byEffect].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { claims: effects.map(([, claim]) => claim), key: effects.map(([effect]) => effect).join(' ') }
}

interface Labelled {
  readonly tool: string
  readonly labels: ToolLabels
}

function effectOf(before: Labelled, after: Labelled, raisables: readonly Raisable[]): string {
  const effects = raisables.flatMap((raisable, i) => {
    if (!isMade(raisable, after)) return []
    if (!raisable.isFlow) return isMade(raisable, before) ? [] : [`${i}`]
    const brought = flowLabelsOf(raisable.step, after.labels)
    const known = isMade(raisable, before) ? flowLabelsOf(raisable.step, before.labels) : []
    return brought.every((label) => known.includes(label)) && isMade(raisable, before)
      ? []
      : [`${i}:${brought.join()}`]
  })
  if (isSensitive(after.labels) && !isSensitive(before.labels)) effects.push('s')
  return effects.join(';')
}

const isMade = ({ step, unless }: Raisable, labelled: Labelled): boolean =>
  matchesLabels(step, labelled) && !(unless && isKnown(unless) && matchesLabels(unless, labelled))

/** Of a pattern that asks for arguments too it is not known, once a result is there, that it is meant. */
const isKnown = ({ where, recipient }: StepPattern): boolean => where === undefined && recipient === undefined

/** Those labels that a flow's `from` names which a step has. */
function flowLabelsOf(
  { confidentiality = [], trust = [], tags = [] }: StepPattern,
  labels: ToolLabels,
): string[] {
  const has = new Set([labels.confidentiality, labels.trust ?? 'trusted', ...(labels.tags ?? [])])
  return [...confidentiality, ...trust, ...tags].filter((label) => has.has(label))
}

const isSensitive = ({ confidentiality }: ToolLabels): boolean =>
  confidentiality === 'sensitive' || confidentiality === 'credentials'
