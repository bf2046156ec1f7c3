import { SESSION_FEATURES } from '@plimsoll/engine'

/**
 * What a scorer may look at, and which way: 1 where more can only mean more risk, -1 less, 0 either. Few and signed on purpose: with
 * every feature and no signs, boosted trees tell the suites of the training apart and judge an attack that is new by its tools.
 */
export type ScorerInputs = Readonly<Record<string, -1 | 0 | 1>>

/**
 * Where the step's arguments come from, what its tool is named for, what it does and carries; little of the past. Of what it does only
 * whether it changes anything: neither whether it reaches out nor how far it can be taken back. The attacks of the recordings all reach out
 * and are mostly irreversible, and a harm of another kind would be taken for harmless. Source: docs/reference/prediction.md, what is stopped.
 */
export const HAZARD_INPUTS: ScorerInputs = {
  'step.changing': 1,
  'step.exposure': 1,
  'signal.destructive': 1,
  'signal.privileged': 1,
  'signal.unreadable': 1,
  'signal.load': 1,
  'target.instructedOnly': 1,
  'target.instructedOnly.share': 1,
  'target.untrustedOnly.share': 0,
  'target.nowhere.share': 0,
  'target.task.share': -1,
  'target.trusted.share': -1,
  'name.instructedOnly': 1,
  'name.instructedOnly.share': 1,
  'name.task.share': -1,
  'reference.instructedOnly': 1,
  'reference.instructedOnly.share': 1,
  'reference.task.share': -1,
  'distinctive.instructedOnly': 1,
  'distinctive.task': -1,
  'word.instructedOnly.share': 1,
  'word.instructed.share': 1,
  'word.task.share': -1,
  'gram.instructedOnly.share': 1,
  'gram.instructed.share': 1,
  'tool.pull': 1,
  'tool.instructed.share': 1,
  'tool.task.share': -1,
  'description.pull': 1,
  'description.instructed.share': 1,
  'history.most.instructions': 1,
  'history.instructed.results': 1,
  'since.instructed.latest': -1,
  'history.after.tool': 1,
  'history.after.targets': 1,
  'history.after.words': 1,
  'history.steps.instructedOnly': 1,
}

/**
 * All of where a session stands but the number of its steps: how long a session lasts is no sign of risk. Unsigned: what a session has read
 * may speak for a danger in one standing and against it in another; signs cost early warning in suites seen and unseen.
 */
export const SESSION_INPUTS: ScorerInputs = Object.fromEntries(
  SESSION_FEATURES.filter((name) => name !== 'state.steps').map((name) => [name, 0]),
)
