import type { Signals } from '@plimsoll/contracts'
import { isOutgoing, MARKS, markOf } from './marks.js'
import { GROUPS, ORIGINS, shareOf, tellingOf, type Matches } from './matches.js'
import { escalationOf, exposureOf, type StepLabels } from './safety-state.js'
import type { SessionState } from './session.js'

/** Where a session stands, as far as the scorers see it. */
export type Standing = Pick<SessionState, 'safety' | 'level' | 'taint' | 'steps' | 'marks'>

/** What the hazard scorer sees: a proposed step, and where the session stood before it. */
export interface StepView {
  readonly before: Standing
  readonly labels: StepLabels
  readonly matches: Matches | undefined
  readonly signals: Signals | undefined
}

/** Some features by name, and how they are written into a vector from `at` on; every value finite. */
interface Block<View> {
  readonly names: readonly string[]
  readonly write: (view: View, into: Float64Array, at: number) => void
}

/** More steps, and more values of a kind, say nothing more: length must not stand in for risk. */
const STEPS_MAX = 12
const COUNT_MAX = 8

/** What is told of the arguments, by detectors. */
export const PROPOSAL_SIGNALS = [
  'outside',
  'amount',
  'destructive',
  'privileged',
  'unreadable',
  'load',
] as const

const each = <View>(features: Readonly<Record<string, (view: View) => number>>): Block<View> => {
  const reads = Object.values(features)
  return {
    names: Object.keys(features),
    write: (view, into, at) => {
      for (let i = 0; i < reads.length; i++) into[at + i] = reads[i]?.(view) ?? 0
    },
  }
}

const LABELS = each<StepView>({
  'step.exposure': ({ labels }) => labels.exposure,
  'step.escalation': ({ labels }) => labels.escalation,
  'step.reversibility': ({ labels }) => labels.reversibility,
  'step.untrusted': ({ labels }) => (labels.untrusted ? 1 : 0),
  'step.outgoing': ({ labels }) => (isOutgoing(labels) ? 1 : 0),
})

const SIGNALS: Block<StepView> = {
  names: PROPOSAL_SIGNALS.map((name) => `signal.${name}`),
  write: ({ signals }, into, at) => {
    for (let i = 0; i < PROPOSAL_SIGNALS.length; i++) into[at + i] = signals?.[PROPOSAL_SIGNALS[i] ?? ''] ?? 0
  },
}

const PER_GROUP = ORIGINS.length
const COUNTS = GROUPS.flatMap((group) => ORIGINS.map((origin) => `${group}.${origin}`))

/** Of each group and origin the count, and its share of the group. */
const PROVENANCE: Block<StepView> = {
  names: [...COUNTS, ...COUNTS.map((name) => `${name}.share`)],
  write: ({ matches }, into, at) => {
    into.fill(0, at, at + 2 * COUNTS.length)
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

const pull = (matches: Matches | undefined, group: 'tool' | 'description'): number =>
  matches ? shareOf(matches, group, 'instructed') - shareOf(matches, group, 'task') : 0

/** What several groups tell together. */
const TOGETHER = each<StepView>({
  'tool.pull': ({ matches }) => pull(matches, 'tool'),
  'description.pull': ({ matches }) => pull(matches, 'description'),
  'telling.task': ({ matches }) => (matches ? Math.min(tellingOf(matches, 'task'), COUNT_MAX) : 0),
  'telling.instructedOnly': ({ matches }) =>
    matches ? Math.min(tellingOf(matches, 'instructedOnly'), COUNT_MAX) : 0,
  'telling.nowhere': ({ matches }) => (matches ? Math.min(tellingOf(matches, 'nowhere'), COUNT_MAX) : 0),
})

const STANDING = each<Standing>({
  'state.exposure': ({ safety }) => exposureOf(safety),
  'state.escalation': ({ safety }) => escalationOf(safety),
  'state.level': ({ level }) => level,
  'state.taint': ({ taint }) => taint,
  'state.steps': ({ steps }) => Math.min(steps, STEPS_MAX),
  'since.instructed.first': (standing) => since(standing, 'instructed.first'),
  'since.instructed.latest': (standing) => since(standing, 'instructed.latest'),
})

/** 1 where the latest step brought it, one more for each step since; 0 where it never came. */
function since({ steps, marks }: Standing, name: string): number {
  const at = markOf(marks, name)
  return at === 0 ? 0 : Math.min(steps - at + 1, STEPS_MAX)
}

/** Marks that are read as they are; numbers of steps are read as the time since then. */
const READ = MARKS.flatMap(({ name }, i) =>
  /\.(first|latest)$/.test(name) ? [] : [{ name: `mark.${name}`, i }],
)

const KEPT: Block<Standing> = {
  names: READ.map(({ name }) => name),
  write: ({ marks }, into, at) => {
    for (let i = 0; i < READ.length; i++) into[at + i] = Math.min(marks[READ[i]?.i ?? 0] ?? 0, STEPS_MAX)
  },
}

const STANDING_BLOCKS = [STANDING, KEPT]

const before = ({ names, write }: Block<Standing>): Block<StepView> => ({
  names,
  write: (view, into, at) => write(view.before, into, at),
})

const STEP_BLOCKS = [LABELS, SIGNALS, PROVENANCE, TOGETHER, ...STANDING_BLOCKS.map(before)]

/** What a hazard scorer can ask for, in the order of `stepFeaturesOf`. */
export const STEP_FEATURES: readonly string[] = STEP_BLOCKS.flatMap(({ names }) => names)

/** What a standing scorer can ask for, in the order of `standingFeaturesOf`. */
export const STANDING_FEATURES: readonly string[] = STANDING_BLOCKS.flatMap(({ names }) => names)

export function stepFeaturesOf(view: StepView): Float64Array {
  return written(STEP_BLOCKS, view, STEP_FEATURES.length)
}

export function standingFeaturesOf(standing: Standing): Float64Array {
  return written(STANDING_BLOCKS, standing, STANDING_FEATURES.length)
}

function written<View>(blocks: readonly Block<View>[], view: View, length: number): Float64Array {
  const into = new Float64Array(length)
  let at = 0
  for (const { names, write } of blocks) {
    write(view, into, at)
    at += names.length
  }
  return into
}
