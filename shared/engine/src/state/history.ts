import type { SignalName, Signals } from '@plimsoll/contracts'
import type { StepLabels } from '../labels/safety-state.js'
import { type Matches, countOf, distinctiveShare, shareOf } from '../provenance/matches.js'

/** An event that history is updated with. */
export type HistoryEvent =
  | { readonly kind: 'started'; readonly signals: Signals | undefined }
  /** A step was admitted. */
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
      /** Where the values in the instructions were seen before. */
      readonly matches: Matches | undefined
      readonly signals: Signals | undefined
      /** Steps so far. */
      readonly steps: number
    }

/** One number of a session's past, kept for the scorers. Never negative; 0 if nothing happened. */
interface HistoryFeature {
  readonly name: string
  readonly after: (value: number, event: HistoryEvent, isInstructed: boolean) => number
}

/** Detector signals of a result: how far it reads like instructions, and what it holds. */
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
] as const satisfies readonly SignalName[]

const NETWORK = 3
const IRREVERSIBLE = 2

const isInstructed = (event: HistoryEvent): event is Extract<HistoryEvent, { kind: 'completed' }> =>
  event.kind === 'completed' && event.instructed

/** In the sense of the line: outgoing and irreversible. */
export const isOutgoing = ({ escalation, reversibility }: StepLabels): boolean =>
  escalation >= NETWORK && reversibility >= IRREVERSIBLE

const countIf =
  (holds: (event: HistoryEvent) => boolean) =>
  (value: number, event: HistoryEvent): number =>
    holds(event) ? value + 1 : value

/** The maximum of a signal over untrusted results. */
const mostOf = (signal: SignalName): HistoryFeature => ({
  name: `most.${signal}`,
  after: (value, event) =>
    event.kind === 'completed' && event.untrusted
      ? Math.max(value, rounded(event.signals?.[signal] ?? 0))
      : value,
})

/** Of the instructions that were read: how much they refer to what the session already knew. */
const ofInstructions = (name: string, measure: (matches: Matches) => number): HistoryFeature => ({
  name: `instructed.${name}`,
  after: (value, event) =>
    event.kind === 'completed' && event.matches ? Math.max(value, rounded(measure(event.matches))) : value,
})

/** The share of their values that the task or a trusted result also has: the author then knows whom the session serves. */
const knownShare = (matches: Matches): number =>
  Math.max(distinctiveShare(matches, 'task'), distinctiveShare(matches, 'trusted')) /
  Math.max(1, distinctiveShare(matches, 'total'))

type Admitted = Extract<HistoryEvent, { kind: 'admitted' }>

/** Of the admitted steps since something read like instructions: how closely they followed it. */
const afterInstructed = (
  name: string,
  after: (value: number, admitted: Admitted) => number,
): HistoryFeature => ({
  name: `after.${name}`,
  after: (value, event, isInstructed) =>
    isInstructed && event.kind === 'admitted' ? rounded(after(value, event)) : value,
})

type Measure = (matches: Matches) => number
const most = (name: string, measure: Measure): HistoryFeature =>
  afterInstructed(name, (value, { matches }) => Math.max(value, matches ? measure(matches) : 0))
const sum = (name: string, measure: Measure): HistoryFeature =>
  afterInstructed(name, (value, { matches }) => value + (matches ? measure(matches) : 0))

/** How much more the instructions mention words of the tool's name than the task does. */
const toolPull: Measure = (matches) =>
  Math.max(0, shareOf(matches, 'tool', 'instructed') - shareOf(matches, 'tool', 'task'))

const isOfTask: Measure = (matches) =>
  distinctiveShare(matches, 'task') > 0 && distinctiveShare(matches, 'instructedOnly') === 0 ? 1 : 0

/** The order in every record: new features are appended, and none is ever removed. */
const HISTORY_FEATURES: readonly HistoryFeature[] = [
  ...RESULT_SIGNALS.map(mostOf),
  { name: 'instructed.results', after: countIf(isInstructed) },
  {
    name: 'instructed.first',
    after: (value, event) => (value === 0 && isInstructed(event) ? event.steps : value),
  },
  {
    name: 'instructed.latest',
    after: (value, event) => (isInstructed(event) ? event.steps : value),
  },
  {
    name: 'steps.instructedOnly',
    after: countIf(
      (event) =>
        event.kind === 'admitted' &&
        event.matches !== undefined &&
        distinctiveShare(event.matches, 'instructedOnly') > 0,
    ),
  },
  {
    name: 'steps.outgoing',
    after: countIf((event) => event.kind === 'admitted' && isOutgoing(event.labels)),
  },
  afterInstructed('steps', (value) => value + 1),
  most('tool', toolPull),
  sum('tools', toolPull),
  most('words', (matches) => shareOf(matches, 'word', 'instructedOnly')),
  most('targets', (matches) => countOf(matches, 'target', 'instructedOnly')),
  most('values', (matches) => distinctiveShare(matches, 'instructedOnly')),
  most('grams', (matches) => shareOf(matches, 'gram', 'instructedOnly')),
  most('tool.task', (matches) => shareOf(matches, 'tool', 'task')),
  sum('task', isOfTask),
  ofInstructions('known', knownShare),
  ofInstructions('topic', (matches) => shareOf(matches, 'word', 'task')),
  ofInstructions('targets', (matches) => countOf(matches, 'target', 'total')),
  ofInstructions('values', (matches) => distinctiveShare(matches, 'total')),
  ofInstructions('words', (matches) => countOf(matches, 'word', 'total')),
  {
    // How far no instruction calls for a tool of the agent: 0 if its tools are unknown, as if one called for it by name.
    name: 'instructed.unreached',
    after: (value, event, isInstructed) =>
      event.kind === 'completed' && event.instructed
        ? Math.min(isInstructed ? value : 1, unreached(event.signals?.['reach']))
        : value,
  },
  {
    name: 'task.unreached',
    after: (value, event) =>
      event.kind === 'started' && event.signals?.['taskReach'] !== undefined
        ? unreached(event.signals['taskReach'])
        : value,
  },
  {
    name: 'steps.changing',
    after: countIf(
      (event) => event.kind === 'admitted' && event.labels.escalation > 0 && event.labels.reversibility > 0,
    ),
  },
]

/** Names in the order of a record. */
export const HISTORY_NAMES: readonly string[] = HISTORY_FEATURES.map(({ name }) => name)

const HISTORY_INDEX: ReadonlyMap<string, number> = new Map(HISTORY_NAMES.map((name, i) => [name, i]))

export const historyValue = (history: readonly number[], name: string): number =>
  history[HISTORY_INDEX.get(name) ?? -1] ?? 0

/** The history of a session whose client reports no fingerprints and no signals. */
export const NO_HISTORY: readonly number[] = Object.freeze([])

/** `history` after one event. It is kept from the first event that reports fingerprints or signals. */
export function updateHistory(
  history: readonly number[],
  event: HistoryEvent,
  isReported: boolean,
): readonly number[] {
  if (history.length === 0 && !isReported) return history
  const isInstructed = historyValue(history, 'instructed.results') > 0
  return HISTORY_FEATURES.map(({ after }, i) => after(history[i] ?? 0, event, isInstructed))
}

const unreached = (reach = 1): number => rounded(1 - reach)

/** Three decimals are enough for a signal, and a record is short. */
const rounded = (signal: number): number => Math.round(signal * 1000) / 1000
