import type {
  GoalReport,
  HazardReport,
  HazardResult,
  SpecReport,
  Trace,
  TraceStep,
  VerificationReport,
  WedgeReport,
} from '@plimsoll/policy'
import { plainText } from '../../format/text.js'

/** What does not count as a fault. */
export interface Accepts {
  readonly approvals: boolean
  /** Only proofs: neither an end with an alert nor a hazard that is never stated is accepted. */
  readonly onlyProved: boolean
  readonly predictionStop: boolean
}

/** Nothing can block the end of a session, and a hazard that is never stated leaves nothing to search: neither is a proof. */
export const isAcceptedHazard = (
  { result }: Pick<HazardReport, 'result'>,
  { approvals, onlyProved }: Accepts,
): boolean => {
  if (result === 'proved') return true
  if (onlyProved) return false
  return result === 'alerted' || result === 'not_stated' || (approvals && result === 'by_approval')
}

export const isWithinReach = ({ result }: GoalReport): boolean =>
  result === 'reachable' || result === 'by_approval'

export const isGoingOn = ({ result }: WedgeReport, { predictionStop }: Accepts): boolean =>
  result === 'none' || (predictionStop && result === 'prediction')

/** Whether every hazard is proved or accepted, every goal within reach, and no agent can get stuck. */
export const isAccepted = ({ hazards, goals, wedge }: VerificationReport, accepts: Accepts): boolean =>
  hazards.every((hazard) => isAcceptedHazard(hazard, accepts)) &&
  goals.every(isWithinReach) &&
  isGoingOn(wedge, accepts)

/** The hazards with one result, and what that is in words. */
export interface HazardOutcome {
  readonly result: HazardResult
  readonly hazards: readonly string[]
  readonly accepted: boolean
  readonly text: string
}

/** Each result that hazards have, best first: how many are proved, need a human, are reached, are never stated. */
export function hazardOutcomes(
  { hazards }: Pick<VerificationReport, 'hazards'>,
  accepts: Accepts,
): HazardOutcome[] {
  return HAZARD_RESULTS.flatMap((result) => {
    const ids = hazards.filter((hazard) => hazard.result === result).map(({ id }) => id)
    if (ids.length === 0) return []
    const [one, many] = OUTCOME_WORDS[result]
    const text = `${ids.length} ${ids.length === 1 ? one : many}: ${ids.join(', ')}`
    return [{ result, hazards: ids, accepted: isAcceptedHazard({ result }, accepts), text }]
  })
}

const OUTCOME_WORDS: Readonly<Record<HazardResult, readonly [one: string, many: string]>> = {
  proved: ['is proved', 'are proved'],
  by_approval: ['needs a human', 'need a human'],
  alerted: ['is reached with an alert', 'are reached with an alert'],
  reached: ['is reached', 'are reached'],
  bounded: ['is not known beyond a bound', 'are not known beyond a bound'],
  restated: ['repeats a spec', 'repeat a spec'],
  vacuous: ['is not reached without the policy either', 'are not reached without the policy either'],
  not_stated: ['is never stated', 'are never stated'],
}
const HAZARD_RESULTS = Object.keys(OUTCOME_WORDS) as HazardResult[]

/** A run, with a line for each transition. */
export const traceText = (trace: Trace): string[] => trace.map((step, i) => `    ${i + 1}. ${lineOf(step)}`)

function lineOf(step: TraceStep): string {
  const { event, tool = '', outcome, claims } = step
  if (event === 'ended') return 'the session ends'
  const claimed = claims ? `, claimed to be ${labelsText(claims)}` : ''
  if (event === 'completed')
    return plainText(`${tool} came back ${outcome === 'ok' ? 'well' : 'with an error'}${claimed}`)
  return plainText(`${tool}${claimed}${detailsText(step)} → ${verdictText(step)}`)
}

function detailsText({ recipient, effects = [], where = {}, evidence, expired = [] }: TraceStep): string {
  const details = [
    ...(recipient ? [`to ${recipient}`] : []),
    ...effects.map(({ act, object, reach }) => [act, object, reach].filter(Boolean).join(' ')),
    ...Object.entries(where).map(([text, holds]) => `${holds ? '' : 'not '}${text}`),
    ...(evidence ? [`evidence ${evidence}`] : []),
    ...(expired.length > 0 ? [`after the windows of ${expired.join(', ')}`] : []),
  ]
  return details.length > 0 ? ` (${details.join('; ')})` : ''
}

function verdictText({ verdict, reasons = [], approved, withoutVerdict, outcome }: TraceStep): string {
  if (withoutVerdict) return `run without a verdict${outcome === 'ok' ? ', and back well' : ''}`
  const why = reasons.map(({ source, code }) => `${source} ${code}`).join(', ')
  return `${verdict ?? 'run'}${why === '' ? '' : ` [${why}]`}${approved ? ', a human approves' : ''}`
}

const labelsText = (labels: Readonly<Record<string, unknown>>): string =>
  Object.values(labels).flat().join(', ')

interface Outcome extends Accepts {
  readonly ok: boolean
  readonly seconds: number
}

/** A report in words: a line for each hazard and goal with a mark, its run below. */
export function verificationText(report: VerificationReport, outcome: Outcome): string {
  const { hazards, goals, wedge, specs, kinds, states, depth } = report
  const found = specs.filter(({ finding }) => finding !== undefined)
  const lines = [
    ...hazards.flatMap((hazard) => hazardLines(hazard, outcome)),
    ...goals.flatMap(goalLines),
    ...wedgeLines(wedge, outcome),
    ...found.map(specLine),
    ...hazardOutcomes(report, outcome).map(
      (each) => `${outcomeMark(each.result, each.accepted)} ${each.text}`,
    ),
    `${conclusion(hazards, outcome.ok)}; ${goals.length} goals, ${specs.length} specs; ${kinds} kinds of steps, ${states} states, ${outcome.seconds.toFixed(1)} s${depth === undefined ? '' : `, runs of up to ${depth} transitions`}`,
  ]
  return `${lines.join('\n')}\n`
}

const mark = (isGood: boolean): string => (isGood ? '✔' : '✘')

/** Only a proof has the mark of one. */
function outcomeMark(result: HazardResult, isAcceptable: boolean): string {
  if (result === 'proved' || !isAcceptable) return mark(isAcceptable)
  return result === 'not_stated' ? '–' : '!'
}

/** `verified` is said only of proofs. */
function conclusion(hazards: readonly HazardReport[], ok: boolean): string {
  const proved = hazards.filter(({ result }) => result === 'proved').length
  const counts = `${proved} of ${hazards.length} hazards proved`
  if (!ok) return `not verified: ${counts}`
  return proved > 0 && proved === hazards.length
    ? `verified: ${counts}`
    : `accepted, not all verified: ${counts}`
}

function hazardLines(hazard: HazardReport, outcome: Outcome): string[] {
  const { id, text, result, trace } = hazard
  const sign = outcomeMark(result, isAcceptedHazard(hazard, outcome))
  return [`${sign} ${id} ${hazardWords(hazard)}: ${plainText(text)}`, ...(trace ? traceText(trace) : [])]
}

function hazardWords({ result, heldBy, restates = [], bound }: HazardReport): string {
  const by = heldBy.length > 0 ? ` by ${heldBy.join(', ')}` : ''
  if (result === 'proved') return `cannot be reached, held${by === '' ? ' by the line' : by}`
  if (result === 'by_approval') return 'needs a human: it is reached only after an approval'
  if (result === 'alerted')
    return `is reached with an alert${by}, because nothing can block the end of a session`
  if (result === 'reached') return 'is reached'
  if (result === 'bounded')
    return `is not reached in runs of up to ${bound ?? 0} transitions; beyond that it is not known`
  if (result === 'restated') return `repeats ${restates.join(', ')}, which proves nothing`
  if (result === 'vacuous') return 'is not reached without the policy either: it proves nothing'
  return 'is never stated: it has no `reached`'
}

function goalLines(goal: GoalReport): string[] {
  const { id, text, trace, harshest } = goal
  return [
    `${mark(isWithinReach(goal))} ${id} ${goalWords(goal)}; at prediction's harshest ${HARSHEST[harshest]}: ${plainText(text)}`,
    ...(trace ? traceText(trace) : []),
  ]
}

const HARSHEST: Readonly<Record<GoalReport['harshest'], string>> = {
  reachable: 'too',
  by_approval: 'if a human approves',
  unreachable: 'not',
  bounded: 'it is not known',
}

function goalWords({ result, bound }: GoalReport): string {
  if (result === 'reachable') return 'stays within reach'
  if (result === 'by_approval') return 'stays within reach if a human approves'
  return result === 'unreachable'
    ? 'is out of reach'
    : `was not found in runs of up to ${bound ?? 0} transitions`
}

function wedgeLines(wedge: WedgeReport, outcome: Outcome): string[] {
  const { result, always = [], trace = [] } = wedge
  const sign = mark(isGoingOn(wedge, outcome))
  if (result === 'none')
    return [
      `${sign} no agent gets stuck${always.length > 0 ? `: in every state ${shortened(always)} can be run in the end` : ''}`,
    ]
  if (result === 'specs')
    return [`${sign} an agent gets stuck: every step that it could take is blocked`, ...traceText(trace)]
  if (result === 'prediction')
    return [
      `${sign} prediction at its harshest blocks every step: an allowlist spec that lifts it keeps some open`,
    ]
  return [`${sign} whether an agent can get stuck is not known: there are too many states`]
}

const SHOWN = 6
const shortened = (tools: readonly string[]): string =>
  tools.slice(0, SHOWN).join(', ') + (tools.length > SHOWN ? ` and ${tools.length - SHOWN} more` : '')

const FINDINGS: Readonly<Record<NonNullable<SpecReport['finding']>, string>> = {
  never_speaks: 'never matches, in no reachable state',
  never_lifts: 'never lifts anything',
  never_paid: 'is never fulfilled: the steps that would do it are always blocked',
  never_satisfied: 'never allows a step of its kind: what it requires is always blocked',
  bounded: 'had no effect in the states that were searched',
}

const specLine = ({ id, tier, finding }: SpecReport): string =>
  `! ${id} (${tier}) ${finding ? FINDINGS[finding] : ''}`
