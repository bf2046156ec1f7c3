import { LIFTABLE_SOURCES, type LiftableSource } from '@plimsoll/contracts'

/** The effect of a spec or another verdict source on a step `s` if the clause `when` holds. */
export interface Effect {
  readonly verdict: 'block' | 'confirm'
  readonly source: LiftableSource | 'blocklist' | 'mustlist'
  readonly when: string
}

/** The restrictions that an allowlist spec lifts if the clause `when` holds. */
export interface Lift {
  readonly sources: readonly LiftableSource[]
  readonly when: string
}

/** The steps that can run because no source certainly blocks them, and among them those that need no approval. */
export function enforcementParagraph(effects: readonly Effect[], lifts: readonly Lift[]): string {
  const clausesFor = (verdict: Effect['verdict']) =>
    effects.filter((effect) => effect.verdict === verdict).map((effect) => clauseOf(effect, lifts))
  return [
    '-- steps that can run: prediction may not restrict them, and a human may grant each approval request',
    ...predicateLines('letRun', clausesFor('block')),
    '-- no approval is requested about it',
    ...predicateLines('unasked', clausesFor('confirm')),
    'pred enforced { all s: tool.Tool | letRun[s] }',
    'pred enforcedUnasked { all s: tool.Tool | letRun[s] and unasked[s] }',
  ].join('\n')
}

const predicateLines = (name: string, clauses: readonly string[]): string[] => [
  `pred ${name} [s: Step] {`,
  ...(clauses.length === 0 ? ['some s.tool'] : clauses).map((clause) => `  ${clause}`),
  '}',
]

/** Restrictions that the allowlist lifts do not count. */
function clauseOf({ source, when }: Effect, lifts: readonly Lift[]): string {
  const lifters = isLiftable(source) ? lifts.filter(({ sources }) => sources.includes(source)) : []
  if (lifters.length === 0) return `not (${when})`
  return `(${when}) implies (${lifters.map((lift) => lift.when).join(' or ')})`
}

const isLiftable = (source: Effect['source']): source is LiftableSource =>
  LIFTABLE_SOURCES.some((liftable) => liftable === source)
