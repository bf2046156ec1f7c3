import type { GoalReport, HazardReport, SpecReport, VerificationReport, WedgeReport } from '@plimsoll/policy'
import { plainText } from '../plain-text.js'
import { isGoingOn, isHeld, isWithinReach, type Accepts } from './accepted.js'
import { traceText } from './trace-text.js'

interface Outcome extends Accepts {
  readonly ok: boolean
  readonly seconds: number
}

/** A report in words: a line for each hazard and goal with a mark, the runs below. */
export function verificationText(report: VerificationReport, outcome: Outcome): string {
  const { hazards, goals, wedge, specs, kinds, states, depth } = report
  const found = specs.filter(({ finding }) => finding !== undefined)
  const lines = [
    ...hazards.flatMap((hazard) => hazardLines(hazard, outcome)),
    ...goals.flatMap(goalLines),
    ...wedgeLines(wedge, outcome),
    ...found.map(specLine),
    `${outcome.ok ? 'verified' : 'not verified'}: ${hazards.length} hazards, ${goals.length} goals, ${specs.length} specs; ${kinds} kinds of steps, ${states} states, ${outcome.seconds.toFixed(1)} s${depth === undefined ? '' : `, runs of up to ${depth} moves`}`,
  ]
  return `${lines.join('\n')}\n`
}

const mark = (isGood: boolean): string => (isGood ? '✔' : '✘')

function hazardLines(hazard: HazardReport, outcome: Outcome): string[] {
  const { id, text, result, trace } = hazard
  const sign = result === 'not_stated' ? '–' : mark(isHeld(hazard, outcome))
  return [`${sign} ${id} ${hazardWords(hazard)}: ${plainText(text)}`, ...(trace ? traceText(trace) : [])]
}

function hazardWords({ result, heldBy, restates = [], bound }: HazardReport): string {
  const by = heldBy.length > 0 ? ` by ${heldBy.join(', ')}` : ''
  if (result === 'proved') return `cannot be reached, held${by === '' ? ' by the line' : by}`
  if (result === 'by_approval') return 'is reached only where a human approves'
  if (result === 'alerted') return `cannot be kept from the end of a session; each time somebody is told${by}`
  if (result === 'reached') return 'is reached'
  if (result === 'bounded')
    return `is reached by no run of up to ${bound ?? 0} moves; beyond that it is not known`
  if (result === 'restated') return `says what ${restates.join(', ')} says, which proves nothing`
  if (result === 'vacuous') return 'is reached by no run without the policy either: it says nothing'
  return 'does not say which runs it means'
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
  by_approval: 'where a human approves',
  unreachable: 'not',
  bounded: 'it is not known',
}

function goalWords({ result, bound }: GoalReport): string {
  if (result === 'reachable') return 'stays within reach'
  if (result === 'by_approval') return 'stays within reach where a human approves'
  return result === 'unreachable' ? 'is out of reach' : `was not found in runs of up to ${bound ?? 0} moves`
}

function wedgeLines(wedge: WedgeReport, outcome: Outcome): string[] {
  const { result, always = [], trace = [] } = wedge
  const sign = mark(isGoingOn(wedge, outcome))
  if (result === 'none')
    return [
      `${sign} no agent comes to a stand${always.length > 0 ? `: in every state ${shortened(always)} can be run at last` : ''}`,
    ]
  if (result === 'specs')
    return [`${sign} an agent comes to a stand: nothing that it could do is let run`, ...traceText(trace)]
  if (result === 'prediction')
    return [
      `${sign} prediction at its harshest blocks every step: an allowlist spec that lifts it keeps some open`,
    ]
  return [`${sign} whether an agent can come to a stand is not known: there are too many states`]
}

const SHOWN = 6
const shortened = (tools: readonly string[]): string =>
  tools.slice(0, SHOWN).join(', ') + (tools.length > SHOWN ? ` and ${tools.length - SHOWN} more` : '')

const FINDINGS: Readonly<Record<NonNullable<SpecReport['finding']>, string>> = {
  never_speaks: 'never speaks, in no state that can be reached',
  never_lifts: 'never lifts anything',
  never_paid: 'is never paid: the steps that would are always blocked',
  never_satisfied: 'never lets a step of its kind run: what it requires is always blocked',
  bounded: 'was not seen to do what it is for; not every state was looked at',
}

const specLine = ({ id, tier, finding }: SpecReport): string =>
  `! ${id} (${tier}) ${finding ? FINDINGS[finding] : ''}`
