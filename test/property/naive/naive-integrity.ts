import type { Policy, Signals, ToolLabels, Verdict } from '@plimsoll/contracts'

/** Counts of a step's fingerprints by where they were seen; `only`: and neither in the task nor in a trusted result. */
export type Sightings = (
  letters: string,
  where: 'any' | 'task' | 'instructed' | 'untrusted' | 'nowhere',
  only?: 'only',
) => number

export interface NaiveDirected {
  readonly labels: ToolLabels
  readonly signals: Signals | undefined
  /** Undefined if the step reported no fingerprints. */
  readonly sightings: Sightings | undefined
  /** Whether the task gives an address. */
  readonly givesAddress: boolean
  /** What the user asked for: `Delete`, `Pay`, … */
  readonly asks: ReadonlySet<string>
}

export const ACTS = ['Delete', 'Overwrite', 'Pay', 'Publish', 'Send', 'Grant', 'Credential'] as const

export const actsIn = (prefix: 'asks' | 'does', signals: Signals = {}): string[] =>
  ACTS.filter((act) => (signals[`${prefix}${act}`] ?? 0) > 0)

/** Acts that ask even when they are partly reversible. */
const LASTING = ['Pay', 'Grant', 'Credential']

type Found = readonly [source: string, code: string, verdict: Verdict]

/** The rules for integrity and for irreversible steps that the user did not ask for, as a table. Source: docs/decisions/20261123-integrity.md. */
export function naiveIntegrity(policy: Policy, step: NaiveDirected): Found[] {
  return [...directed(policy, step), ...given(policy, step), ...unasked(policy, step)].filter(
    ([, , verdict]) => verdict !== 'allow',
  )
}

function directed({ integrity }: Policy, step: NaiveDirected): Found[] {
  const { labels, signals = {}, sightings: seen } = step
  if (!integrity || !seen || labels.capability === 'read') return []
  const acts = actsIn('does', signals)
  const isVisit = labels.capability === 'network' && labels.reversibility === 'reversible'
  const isProgram = (signals['program'] ?? 0) > 0
  const isHarmlessProgram = isProgram && acts.length === 0
  const isAsked = acts.length === 0 ? seen('t', 'task') > 0 : acts.some((act) => step.asks.has(act))
  const isAboutThat = seen('pi', 'instructed', 'only') > 0
  // Addresses in a file that the task names do not say where the step goes.
  const isNamedFile =
    labels.capability === 'write' &&
    labels.reversibility !== 'irreversible' &&
    !isProgram &&
    seen('pi', 'task') > 0 &&
    !isAboutThat
  const goesThere = seen('acu', 'instructed', 'only') > 0 && !isNamedFile
  const tools = seen('t', 'any')
  const isPulled = tools > 0 && seen('t', 'instructed') > seen('t', 'task')
  const isNamed = seen('n', 'instructed', 'only') > 0 && isPulled
  const isReported = tools > 0 && seen('t', 'instructed') === tools && seen('t', 'task') === 0 && !isAsked
  let follows = goesThere || isAboutThat || (!isProgram && (isNamed || isReported))
  if (isVisit || isHarmlessProgram) follows = goesThere
  if (isHarmlessProgram && labels.capability !== 'network') follows = false
  const isFinal = labels.reversibility === 'irreversible'
  if (follows)
    return [
      ['integrity', 'directed_by_instructions', isFinal ? integrity.irreversible : integrity.instructed],
    ]
  const isPutTogether = seen('acu', 'untrusted', 'only') > 0 && seen('acu', 'nowhere') > 0
  if (isVisit && isPutTogether && seen('acupin', 'untrusted', 'only') > 4)
    return [['integrity', 'gathered_for_untrusted', integrity.instructed]]
  const isFromOthers = seen('acupi', 'untrusted', 'only') > 0
  return isFromOthers && !isVisit && !isProgram && !isAsked
    ? [['integrity', 'directed_by_untrusted', integrity.untrusted]]
    : []
}

/** Who vouches for a payee and an amount: by the signals that the monitor sets. */
function given({ integrity }: Policy, { labels, signals = {} }: NaiveDirected): Found[] {
  if (!integrity || labels.capability === 'read') return []
  const found: Found[] = []
  if (signals['payee'] === 1) found.push(['integrity', 'account_conflicts', integrity.irreversible])
  if (signals['payee'] === 0.5) found.push(['integrity', 'given_by_others', integrity.instructed])
  if (signals['tenfold'] === 1) found.push(['integrity', 'amount_multiplied', integrity.instructed])
  return found
}

function unasked(
  { irreversible }: Policy,
  { labels, signals = {}, sightings, givesAddress, asks }: NaiveDirected,
): Found[] {
  if (!irreversible || labels.capability === 'read' || labels.reversibility === 'reversible') return []
  const acts = actsIn('does', signals)
  const isFinal = labels.reversibility === 'irreversible'
  if (!isFinal && !LASTING.some((act) => acts.includes(act))) return []
  if (acts.length === 0 && (signals['program'] ?? 0) > 0) return []
  const isAsked =
    acts.length > 0 && acts.every((act) => asks.has(act) || (act === 'Overwrite' && asks.has('Delete')))
  const isGift = acts.includes('Pay') || acts.includes('Grant')
  const isToStrangers = !sightings || sightings('acu', 'nowhere') > 0
  const isSentElsewhere =
    acts.includes('Send') &&
    sightings !== undefined &&
    isToStrangers &&
    sightings('acu', 'task') === 0 &&
    givesAddress
  return isAsked && !(isFinal && ((isGift && isToStrangers) || isSentElsewhere))
    ? []
    : [['irreversible', 'irreversible_not_asked', irreversible]]
}
