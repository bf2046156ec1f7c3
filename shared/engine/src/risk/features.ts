import type { SignalName, Signals } from '@plimsoll/contracts'
import { type StepLabels, escalationOf, exposureOf, isLocalWork } from '../labels/safety-state.js'
import { type Matches, GROUPS, ORIGINS, distinctiveShare, shareOf } from '../provenance/matches.js'
import { HISTORY_FEATURES, historyValue, isOutgoing } from '../state/history.js'
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

/**
 * Named features and their writer into a vector from index `at`, where it is 0; every value finite. Two vectors are written per step, so
 * a block without a report writes nothing.
 */
interface Block<View> {
  readonly names: readonly string[]
  readonly write: (view: View, into: Float64Array, at: number) => void
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

const LABELS: Block<StepView> = {
  names: [
    'step.exposure',
    'step.escalation',
    'step.reversibility',
    'step.untrusted',
    'step.outgoing',
    'step.changing',
  ],
  write: ({ labels, signals }, into, at) => {
    into[at] = labels.exposure
    into[at + 1] = labels.escalation
    into[at + 2] = labels.reversibility
    into[at + 3] = labels.untrusted ? 1 : 0
    into[at + 4] = isOutgoing(labels) ? 1 : 0
    into[at + 5] = labels.escalation > 0 && !isLocalWork(signals, labels) ? 1 : 0
  },
}

const SIGNALS: Block<StepView> = {
  names: PROPOSAL_SIGNALS.map((name) => `signal.${name}`),
  write: ({ signals }, into, at) => {
    if (!signals) return
    for (let i = 0; i < PROPOSAL_SIGNALS.length; i++) {
      const name = PROPOSAL_SIGNALS[i]
      if (name) into[at + i] = signals[name] ?? 0
    }
  },
}

const PER_GROUP = ORIGINS.length
const COUNTS = GROUPS.flatMap((group) => ORIGINS.map((origin) => `${group}.${origin}`))

/** Per group and origin the count, and its share of the group. */
const PROVENANCE: Block<StepView> = {
  names: [...COUNTS, ...COUNTS.map((name) => `${name}.share`)],
  write: ({ matches }, into, at) => {
    if (!matches) return
    for (let base = 0; base < matches.length; base += PER_GROUP) {
      const total = matches[base] ?? 0
      if (total > 0) writeGroup(matches, base, total, into, at)
    }
  },
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
const TOGETHER: Block<StepView> = {
  names: [
    'tool.pull',
    'description.pull',
    'distinctive.task',
    'distinctive.instructedOnly',
    'distinctive.nowhere',
  ],
  write: ({ matches }, into, at) => {
    if (!matches) return
    into[at] = pull(matches, 'tool')
    into[at + 1] = pull(matches, 'description')
    into[at + 2] = Math.min(distinctiveShare(matches, 'task'), COUNT_MAX)
    into[at + 3] = Math.min(distinctiveShare(matches, 'instructedOnly'), COUNT_MAX)
    into[at + 4] = Math.min(distinctiveShare(matches, 'nowhere'), COUNT_MAX)
  },
}

const SESSION_BUFFER: Block<SessionView> = {
  names: [
    'state.exposure',
    'state.escalation',
    'state.level',
    'state.taint',
    'state.steps',
    'since.instructed.first',
    'since.instructed.latest',
  ],
  write: (session, into, at) => {
    const { safety, level, taint, steps, history } = session
    into[at] = exposureOf(safety)
    into[at + 1] = escalationOf(safety)
    into[at + 2] = level
    into[at + 3] = taint
    into[at + 4] = Math.min(steps, STEPS_MAX)
    if (history.length === 0) return
    into[at + 5] = since(session, 'instructed.first')
    into[at + 6] = since(session, 'instructed.latest')
  },
}

/** 1 if the latest step brought it, plus one for each step since; 0 if it never happened. */
function since({ steps, history }: SessionView, name: string): number {
  const at = historyValue(history, name)
  return at === 0 ? 0 : Math.min(steps - at + 1, STEPS_MAX)
}

/** Features used as they are; step numbers are used as the time since then. */
const READ = HISTORY_FEATURES.flatMap(({ name }, i) =>
  /\.(first|latest)$/.test(name) ? [] : [{ name: `history.${name}`, i }],
)

const HISTORY_BLOCK: Block<SessionView> = {
  names: READ.map(({ name }) => name),
  write: ({ history }, into, at) => {
    if (history.length === 0) return
    for (let i = 0; i < READ.length; i++) into[at + i] = Math.min(history[READ[i]?.i ?? 0] ?? 0, STEPS_MAX)
  },
}

const SESSION_BLOCKS = [SESSION_BUFFER, HISTORY_BLOCK]

const before = ({ names, write }: Block<SessionView>): Block<StepView> => ({
  names,
  write: (view, into, at) => write(view.before, into, at),
})

const STEP_BLOCKS = [LABELS, SIGNALS, PROVENANCE, TOGETHER, ...SESSION_BLOCKS.map(before)]

/** The features of a hazard scorer, in the order of `stepFeaturesOf`. */
export const STEP_FEATURES: readonly string[] = STEP_BLOCKS.flatMap(({ names }) => names)

/** The features of a session scorer, in the order of `sessionFeaturesOf`. */
export const SESSION_FEATURES: readonly string[] = SESSION_BLOCKS.flatMap(({ names }) => names)

/** Writes into `into` if given, and overwrites it. */
export function stepFeaturesOf(view: StepView, into = new Float64Array(STEP_FEATURES.length)): Float64Array {
  return written(STEP_BLOCKS, view, into)
}

/** As `stepFeaturesOf`. */
export function sessionFeaturesOf(
  session: SessionView,
  into = new Float64Array(SESSION_FEATURES.length),
): Float64Array {
  return written(SESSION_BLOCKS, session, into)
}

function written<View>(blocks: readonly Block<View>[], view: View, into: Float64Array): Float64Array {
  into.fill(0)
  let at = 0
  for (let i = 0; i < blocks.length; i++) {
    const block = blocks[i]
    if (!block) continue
    block.write(view, into, at)
    at += block.names.length
  }
  return into
}
