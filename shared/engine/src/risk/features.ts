import type { SignalName, Signals } from '@plimsoll/contracts'
import { type StepLabels, escalationOf, exposureOf, isLocalWork } from '../labels/safety-state.js'
import { type Matches, GROUPS, ORIGINS, distinctiveShare, shareOf } from '../provenance/matches.js'
import { HISTORY_NAMES, isOutgoing } from '../state/history.js'
import type { SessionState } from '../state/session.js'

/** A session as seen by the session scorer. */
export type SessionView = Pick<SessionState, 'safety' | 'level' | 'taint' | 'steps' | 'history' | 'conduct'>

/** A proposed step and the session before it, as seen by the hazard scorer. */
export interface StepView {
  readonly before: SessionView
  readonly labels: StepLabels
  readonly matches: Matches | undefined
  readonly signals: Signals | undefined
}

/** Caps, so that the length of a session does not stand in for its risk. */
const STEPS_MAX = 12
const COUNT_MAX = 8

/** Detector signals of the arguments. */
export const PROPOSAL_SIGNALS = [
  'outside',
  'amount',
  'destructive',
  'privileged',
  'unreadable',
  'load',
] as const satisfies readonly SignalName[]

const LABELS = [
  'step.exposure',
  'step.escalation',
  'step.reversibility',
  'step.untrusted',
  'step.outgoing',
  'step.changing',
]

function writeLabels(labels: StepLabels, signals: Signals | undefined, into: Float64Array): void {
  into[0] = labels.exposure
  into[1] = labels.escalation
  into[2] = labels.reversibility
  into[3] = labels.untrusted ? 1 : 0
  into[4] = isOutgoing(labels) ? 1 : 0
  into[5] = labels.escalation > 0 && !isLocalWork(signals, labels) ? 1 : 0
}

const SIGNALS = PROPOSAL_SIGNALS.map((name) => `signal.${name}`)

function writeSignals(signals: Signals, into: Float64Array, at: number): void {
  for (let i = 0; i < PROPOSAL_SIGNALS.length; i++) {
    const name = PROPOSAL_SIGNALS[i]
    if (name) into[at + i] = signals[name] ?? 0
  }
}

const PER_GROUP = ORIGINS.length
const COUNTS = GROUPS.flatMap((group) => ORIGINS.map((origin) => `${group}.${origin}`))

/** Per group and origin the count, and its share of the group. */
const PROVENANCE = [...COUNTS, ...COUNTS.map((name) => `${name}.share`)]

function writeProvenance(matches: Matches, into: Float64Array, at: number): void {
  for (let base = 0; base < matches.length; base += PER_GROUP) {
    const total = matches[base] ?? 0
    if (total > 0) writeGroup(matches, base, total, into, at)
  }
}

function writeGroup(matches: Matches, base: number, total: number, into: Float64Array, at: number): void {
  for (let i = base; i < base + PER_GROUP; i++) {
    const count = matches[i] ?? 0
    into[at + i] = Math.min(count, COUNT_MAX)
    into[at + COUNTS.length + i] = count / total
  }
}

const pull = (matches: Matches, group: 'tool' | 'description'): number =>
  shareOf(matches, group, 'instructed') - shareOf(matches, group, 'task')

/** Features over several groups. */
const TOGETHER = [
  'tool.pull',
  'description.pull',
  'distinctive.task',
  'distinctive.instructedOnly',
  'distinctive.nowhere',
]

function writeTogether(matches: Matches, into: Float64Array, at: number): void {
  into[at] = pull(matches, 'tool')
  into[at + 1] = pull(matches, 'description')
  into[at + 2] = Math.min(distinctiveShare(matches, 'task'), COUNT_MAX)
  into[at + 3] = Math.min(distinctiveShare(matches, 'instructedOnly'), COUNT_MAX)
  into[at + 4] = Math.min(distinctiveShare(matches, 'nowhere'), COUNT_MAX)
}

const STATE = [
  'state.exposure',
  'state.escalation',
  'state.level',
  'state.taint',
  'state.steps',
  'since.instructed.first',
  'since.instructed.latest',
]
const FIRST_INSTRUCTED = HISTORY_NAMES.indexOf('instructed.first')
const LATEST_INSTRUCTED = HISTORY_NAMES.indexOf('instructed.latest')

/** Features used as they are; step numbers are used as the time since then. */
const READ = HISTORY_NAMES.flatMap((name, i) => (/\.(first|latest)$/.test(name) ? [] : [{ name, i }]))
const HISTORY = READ.map(({ name }) => `history.${name}`)
const HISTORY_AT = Uint8Array.from(READ, ({ i }) => i)

function writeSession(
  { safety, level, taint, steps, history }: SessionView,
  into: Float64Array,
  at: number,
): void {
  into[at] = exposureOf(safety)
  into[at + 1] = escalationOf(safety)
  into[at + 2] = level
  into[at + 3] = taint
  into[at + 4] = Math.min(steps, STEPS_MAX)
  if (history.length === 0) return
  into[at + 5] = since(history[FIRST_INSTRUCTED], steps)
  into[at + 6] = since(history[LATEST_INSTRUCTED], steps)
  const from = at + STATE.length
  for (let i = 0; i < HISTORY_AT.length; i++)
    into[from + i] = Math.min(history[HISTORY_AT[i] ?? 0] ?? 0, STEPS_MAX)
}

/** 1 if the latest step brought it, plus one for each step since; 0 if it never happened. */
const since = (step = 0, steps: number): number => (step === 0 ? 0 : Math.min(steps - step + 1, STEPS_MAX))

/** The features of a session scorer, in the order of `sessionFeaturesOf`. */
export const SESSION_FEATURES: readonly string[] = [...STATE, ...HISTORY]

const SIGNALS_AT = LABELS.length
const PROVENANCE_AT = SIGNALS_AT + SIGNALS.length
const TOGETHER_AT = PROVENANCE_AT + PROVENANCE.length
const SESSION_AT = TOGETHER_AT + TOGETHER.length

/** The features of a hazard scorer, in the order of `stepFeaturesOf`. */
export const STEP_FEATURES: readonly string[] = [
  ...LABELS,
  ...SIGNALS,
  ...PROVENANCE,
  ...TOGETHER,
  ...SESSION_FEATURES,
]

/** Writes into `into` if given, and overwrites it; every value is finite. Without a report of texts most stay 0. */
export function stepFeaturesOf(
  { before, labels, matches, signals }: StepView,
  into = new Float64Array(STEP_FEATURES.length),
): Float64Array {
  into.fill(0)
  writeLabels(labels, signals, into)
  if (signals) writeSignals(signals, into, SIGNALS_AT)
  if (matches) {
    writeProvenance(matches, into, PROVENANCE_AT)
    writeTogether(matches, into, TOGETHER_AT)
  }
  writeSession(before, into, SESSION_AT)
  return into
}

/** As `stepFeaturesOf`. */
export function sessionFeaturesOf(
  session: SessionView,
  into = new Float64Array(SESSION_FEATURES.length),
): Float64Array {
  into.fill(0)
  writeSession(session, into, 0)
  return into
}
