import type { Signals } from '@plimsoll/contracts'
import { countOf, shareOf, tellingOf, type Matches } from './matches.js'
import type { StepLabels } from './safety-state.js'

/** What marks are made of. */
export type Happening =
  | { readonly kind: 'started'; readonly signals: Signals | undefined }
  /** A step was let run. */
  | {
      readonly kind: 'admitted'
      readonly labels: StepLabels
      readonly matches: Matches | undefined
      readonly signals: Signals | undefined
    }
  | {
      readonly kind: 'completed'
      readonly untrusted: boolean
      /** Whether the result, or a part of it, reads like instructions. */
      readonly instructed: boolean
      /** Where what the instructions speak of was seen before. */
      readonly matches: Matches | undefined
      readonly signals: Signals | undefined
      /** Steps that ran until now. */
      readonly steps: number
    }

/** One number that is kept of a session's past for the scorers. Never negative; 0 where nothing happened. */
interface Mark {
  readonly name: string
  readonly after: (value: number, happening: Happening, isInstructed: boolean) => number
}

/** What detectors say of a result: how it reads like instructions, and what it holds. */
const RESULT_SIGNALS = [
  'instructions',
  'override',
  'authority',
  'precedence',
  'toolcall',
  'secrecy',
  'delimited',
  'addressed',
  'urgency',
  'demand',
  'share',
  'length',
  'parts',
  'ending',
  'secrets',
  'personal',
] as const

const NETWORK = 3
const IRREVERSIBLE = 2

const isInstructed = (happening: Happening): happening is Extract<Happening, { kind: 'completed' }> =>
  happening.kind === 'completed' && happening.instructed

/** As the line understands it: outgoing, and it cannot be taken back. */
export const isOutgoing = ({ escalation, reversibility }: StepLabels): boolean =>
  escalation >= NETWORK && reversibility >= IRREVERSIBLE

const countIf =
  (holds: (happening: Happening) => boolean) =>
  (value: number, happening: Happening): number =>
    holds(happening) ? value + 1 : value

/** The most of a signal in any untrusted result. */
const mostOf = (signal: string): Mark => ({
  name: `most.${signal}`,
  after: (value, happening) =>
    happening.kind === 'completed' && happening.untrusted
      ? Math.max(value, rounded(happening.signals?.[signal] ?? 0))
      : value,
})

/** Of the instructions that were read: how much they speak of what the session knew. */
const ofInstructions = (name: string, measure: (matches: Matches) => number): Mark => ({
  name: `instructed.${name}`,
  after: (value, happening) =>
    happening.kind === 'completed' && happening.matches
      ? Math.max(value, rounded(measure(happening.matches)))
      : value,
})

/** Of the values in them, the part that the task or a trusted result has too: whoever wrote them knows whom the session serves. */
const knownShare = (matches: Matches): number =>
  Math.max(tellingOf(matches, 'task'), tellingOf(matches, 'trusted')) /
  Math.max(1, tellingOf(matches, 'total'))

type Admitted = Extract<Happening, { kind: 'admitted' }>

/** Of the steps that were let run since something read like instructions: how far they went along with it. */
const afterInstructed = (name: string, after: (value: number, admitted: Admitted) => number): Mark => ({
  name: `after.${name}`,
  after: (value, happening, isInstructed) =>
    isInstructed && happening.kind === 'admitted' ? rounded(after(value, happening)) : value,
})

type Measure = (matches: Matches) => number
const most = (name: string, measure: Measure): Mark =>
  afterInstructed(name, (value, { matches }) => Math.max(value, matches ? measure(matches) : 0))
const sum = (name: string, measure: Measure): Mark =>
  afterInstructed(name, (value, { matches }) => value + (matches ? measure(matches) : 0))

/** How much more of the tool's name the instructions speak of than the task does. */
const toolPull: Measure = (matches) =>
  Math.max(0, shareOf(matches, 'tool', 'instructed') - shareOf(matches, 'tool', 'task'))

const isOfTask: Measure = (matches) =>
  tellingOf(matches, 'task') > 0 && tellingOf(matches, 'instructedOnly') === 0 ? 1 : 0

/** Kept in this order in every record: new marks are added at the end, and none is ever taken out. */
export const MARKS: readonly Mark[] = [
  ...RESULT_SIGNALS.map(mostOf),
  { name: 'instructed.results', after: countIf(isInstructed) },
  {
    name: 'instructed.first',
    after: (value, happening) => (value === 0 && isInstructed(happening) ? happening.steps : value),
  },
  {
    name: 'instructed.latest',
    after: (value, happening) => (isInstructed(happening) ? happening.steps : value),
  },
  {
    name: 'steps.instructedOnly',
    after: countIf(
      (happening) =>
        happening.kind === 'admitted' &&
        happening.matches !== undefined &&
        tellingOf(happening.matches, 'instructedOnly') > 0,
    ),
  },
  {
    name: 'steps.outgoing',
    after: countIf((happening) => happening.kind === 'admitted' && isOutgoing(happening.labels)),
  },
  afterInstructed('steps', (value) => value + 1),
  most('tool', toolPull),
  sum('tools', toolPull),
  most('words', (matches) => shareOf(matches, 'word', 'instructedOnly')),
  most('targets', (matches) => countOf(matches, 'target', 'instructedOnly')),
  most('values', (matches) => tellingOf(matches, 'instructedOnly')),
  most('grams', (matches) => shareOf(matches, 'gram', 'instructedOnly')),
  most('tool.task', (matches) => shareOf(matches, 'tool', 'task')),
  sum('task', isOfTask),
  ofInstructions('known', knownShare),
  ofInstructions('topic', (matches) => shareOf(matches, 'word', 'task')),
  ofInstructions('targets', (matches) => countOf(matches, 'target', 'total')),
  ofInstructions('values', (matches) => tellingOf(matches, 'total')),
  ofInstructions('words', (matches) => countOf(matches, 'word', 'total')),
]

/** The names of all marks, in the order of a record. */
export const MARK_NAMES: readonly string[] = MARKS.map(({ name }) => name)

const MARK_AT: ReadonlyMap<string, number> = new Map(MARK_NAMES.map((name, i) => [name, i]))

export const markOf = (marks: readonly number[], name: string): number => marks[MARK_AT.get(name) ?? -1] ?? 0

/** No marks: of a session whose client tells of no fingerprints and no signals nothing is kept. */
export const NO_MARKS: readonly number[] = Object.freeze([])

/** `marks` after `happening`. They are kept from the first event on that `isTold` of by fingerprints or signals. */
export function marksAfter(
  marks: readonly number[],
  happening: Happening,
  isTold: boolean,
): readonly number[] {
  if (marks.length === 0 && !isTold) return marks
  const isInstructed = markOf(marks, 'instructed.results') > 0
  return MARKS.map(({ after }, i) => after(marks[i] ?? 0, happening, isInstructed))
}

/** Three decimals are enough for a signal, and a record is short. */
const rounded = (signal: number): number => Math.round(signal * 1000) / 1000
