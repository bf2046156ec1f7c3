import { type Decision } from '@plimsoll/contracts'
import { type OwedObligation } from '@plimsoll/engine'
import { type NaiveHappening } from './naive/naive-history.js'
import { naiveOwed, type NaiveAnswer, type NaiveDocuments, type NaiveVerdict } from './naive/naive-policy.js'

/** Whether it is blocked only by specs that name a call to wait for. */
export function isOnlyAskedToWait({ reasons, verdict }: Decision, matched: NaiveAnswer['matched']): boolean {
  const waits = new Set(matched.filter((each) => blockingWaits(each).length > 0).map(({ id }) => id))
  const blocking = reasons.filter((reason) => reason.verdict === 'block' && reason.liftedBy === undefined)
  return verdict === 'block' && blocking.every(({ source, code }) => source === 'mustlist' && waits.has(code))
}

const blockingWaits = ({ verdict, waitFor }: NaiveVerdict): readonly string[] =>
  verdict === 'block' ? waitFor : []

const SPEC_SOURCES: ReadonlySet<string> = new Set(['blocklist', 'flow', 'mustlist', 'confirmation'])

/** The differences between the decision and the interpreter. */
export function differences({ matched, lifting }: NaiveAnswer, decision: Decision): string[] {
  const { reasons, waitFor = [] } = decision
  const lifterOf = (source: string) => lifting.find((spec) => spec.lifts.some((each) => each === source))?.id
  const expected = matched.map(
    ({ id, source, verdict }) => `${source}:${id} ${verdict} ${lifterOf(source) ?? ''}`,
  )
  const hazard = `hazard:step_hazard warn ${lifterOf('hazard') ?? ''}`
  const reported = reasons
    .filter(({ source }) => SPEC_SOURCES.has(source) || source === 'hazard')
    .map(({ source, code, verdict, liftedBy }) => `${source}:${code} ${verdict} ${byAllowlist(liftedBy)}`)
  const awaited = isOnlyAskedToWait(decision, matched) ? matched.flatMap(blockingWaits) : []
  return [
    ...differing('reasons', [hazard, ...expected].toSorted(), reported.toSorted()),
    ...differing('waitFor', [...new Set(awaited)].toSorted(), [...waitFor].toSorted()),
  ]
}

/** The differences between the open obligations of the engine and the interpreter, and their times. */
export function owedDifferences(
  documents: NaiveDocuments,
  happenings: readonly NaiveHappening[],
  time: number,
  owed: readonly OwedObligation[],
): string[] {
  if (!documents.policy.specs.some((spec) => 'followedBy' in spec)) return []
  const expected = naiveOwed(documents, happenings, time)
  const sinceOf = (id: string): number | undefined => {
    const spec = documents.policy.specs.find((each) => each.id === id)
    const since = expected.get(id)?.since
    const within = spec && 'followedBy' in spec ? spec.followedBy?.within : undefined
    return typeof within === 'object' && 'seconds' in within ? since?.time : since?.[spec?.counts ?? 'steps']
  }
  return differing(
    'owed',
    [...expected.keys()].map((id) => `${id} since ${sinceOf(id)}`),
    owed.map(({ spec, since }) => `${spec.id} since ${since}`),
  )
}

const byAllowlist = (liftedBy: string | undefined): string =>
  liftedBy === undefined || liftedBy.startsWith('approval:') ? '' : liftedBy

function differing(what: string, expected: readonly string[], reported: readonly string[]): string[] {
  const [want, got] = [JSON.stringify(expected), JSON.stringify(reported)]
  return want === got ? [] : [`${what}: the interpreter expects ${want}, the decision has ${got}`]
}
