import { type Decision, type Event, type Reason, type Risk, type Verdict, logged } from '@plimsoll/contracts'
import {
  type Facts,
  type Rules,
  type SessionState,
  type StepContributions,
  type StepEffect,
  type StepReport,
  reportOfProposal,
  step,
  stepContributions,
} from '@plimsoll/engine'
import {
  type Observer,
  type WordOdds,
  argumentText,
  createConductReader,
  shippedConductTextModel,
} from '@plimsoll/labels'
import { type BlindTrace, play, proposalsThatRan } from '@plimsoll/fit'

/** Why a step was decided as it was. */
export interface ExplainedStep {
  readonly tool: string
  readonly verdict: Verdict
  readonly reasons: readonly Reason[]
  /** What it does to what, as the session's record shows it; undefined if its client does not report it. */
  readonly effects: readonly StepEffect[] | undefined
  /** Undefined if the decision carries none. */
  readonly risk: Risk | undefined
  /** Undefined if the bundle has no scorers. */
  readonly weights: StepContributions | undefined
  /** What the words of its arguments add to the conduct score, log odds, strongest first; only where the text is. */
  readonly words: WordOdds
}

/** Explains each step of a recorded session, through the client and the engine, as `observe` decides it. */
export function explainRecorded(trace: BlindTrace, rules: Rules, observer: Observer): ExplainedStep[] {
  const steps: ExplainedStep[] = []
  const conduct = createConductReader(shippedConductTextModel())
  play(
    trace,
    { rules, observer },
    {
      stepped: ({ before, proposal, decision, after }) => {
        const { tool, args } = trace.steps[steps.length] ?? { tool: '', args: {} }
        const words = conduct.explain({ tool, names: Object.keys(args), text: argumentText(args).text })
        const report = reportOfProposal(before, proposal, rules)
        steps.push(explained(decision, report, weightsOf(before, report, after, rules), words))
      },
    },
  )
  return steps
}

/** An event of the log with the decisions that monitors published on it. */
export interface DecidedEvent {
  readonly event: Event
  readonly timeMs: number
  readonly decisions: readonly Decision[]
}

const RAN: Facts = Object.freeze({ mode: 'observe' })
/** Blocks what in truth never ran, whatever the rules say of it. */
const NEVER_RAN: Facts = Object.freeze({ mode: 'enforce', stop: Object.freeze({ by: 'log' }) })

/**
 * Explains each step of a session of the log: verdict and reasons as published, weights of the features by `rules`. An event that a monitor
 * refused changes nothing.
 *
 * @param events in the order of the log, the start first
 */
export function explainLogged(events: readonly DecidedEvent[], rules: Rules): ExplainedStep[] {
  const ran = proposalsThatRan(events)
  const steps: ExplainedStep[] = []
  let state: SessionState | undefined
  let open: ((after: SessionState) => void) | undefined
  let seq = 0
  const settle = () => {
    if (state) open?.(state)
    open = undefined
  }
  for (const { event, timeMs, decisions } of events) {
    if (event.type === 'step.proposed') settle()
    // One producer, numbered again: what several of them sent is in the order of the log.
    const own = isNumbered(event) ? { ...event, producer: 'log', seq } : event
    const hasRun = event.type !== 'step.proposed' || ran.has(event)
    const { state: next, fault } = step(state, logged(own, timeMs), rules, hasRun ? RAN : NEVER_RAN)
    if (fault || !next) continue
    if (isNumbered(event)) seq++
    const before = state
    state = next
    const decision = decisions.find(({ kind }) => kind === 'step')
    if (own.type !== 'step.proposed' || !before || !decision) continue
    const report = reportOfProposal(before, own, rules)
    open = (after) => steps.push(explained(decision, report, weightsOf(before, report, after, rules)))
  }
  settle()
  return steps
}

const isNumbered = ({ type }: Event): boolean => type.startsWith('step.') || type.startsWith('session.')

const explained = (
  { tool, verdict, reasons, risk }: Decision,
  { effects }: StepReport,
  weights: StepContributions | undefined,
  words: WordOdds = [],
): ExplainedStep => ({ tool, verdict, reasons, effects, risk, weights, words })

function weightsOf(
  before: SessionState,
  { labels, matches, signals }: StepReport,
  after: SessionState,
  rules: Rules,
): StepContributions | undefined {
  return stepContributions({ before, labels, matches, signals }, after, rules)
}
