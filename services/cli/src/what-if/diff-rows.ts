import { VERDICTS } from '@plimsoll/contracts'
import { VERDICT_CHANGES, type Cause } from '@plimsoll/engine'
import type { Compared, DecisionDiff } from '@plimsoll/trainer'
import { shareText } from './share-text.js'

/** A table: its head, then rows. */
export type Rows = readonly (readonly (string | number)[])[]

/** Tables of specs and tools show so many. */
const ROWS_MAX = 40

export const CHANGE_WORDS = {
  blocked: 'newly blocked',
  asked: 'newly asked',
  warned: 'newly warned',
  eased: 'milder',
} as const

const HOW_WORDS = {
  speaks: 'speaks',
  harsher: 'is more severe',
  lifts_no_more: 'lifts it no more',
  silent: 'is silent now',
  milder: 'is milder',
  lifts: 'lifts it',
} as const

export const causeText = ({ source, code, how }: Cause): string => `${source} ${code} ${HOW_WORDS[how]}`

export const changeRows = ({ changes }: DecisionDiff): Rows => [
  ['what would change', 'steps', 'sessions'],
  ...VERDICT_CHANGES.map((kind) => [CHANGE_WORDS[kind], changes[kind].steps, changes[kind].sessions]),
]

/** Steps by both verdicts. */
export const verdictRows = ({ verdicts }: DecisionDiff): Rows => [
  ['steps, old verdict down, new across', ...VERDICTS],
  ...VERDICTS.map((old) => [old, ...VERDICTS.map((candidate) => verdicts[old][candidate])]),
]

export const specRows = ({ bySpec }: DecisionDiff): Rows => [
  [
    'what makes the difference',
    ...VERDICT_CHANGES.map((kind) => CHANGE_WORDS[kind]),
    'sessions',
    'safe ones',
    'violated, in time',
  ],
  ...bySpec
    .slice(0, ROWS_MAX)
    .map((spec) => [
      causeText(spec),
      ...VERDICT_CHANGES.map((kind) => spec.steps[kind]),
      spec.sessions,
      spec.safeSessions,
      spec.violatedSessions,
    ]),
]

export const toolRows = ({ byTool }: DecisionDiff): Rows => [
  ['tool', ...VERDICT_CHANGES.map((kind) => CHANGE_WORDS[kind])],
  ...byTool
    .slice(0, ROWS_MAX)
    .map(({ tool, steps }) => [tool, ...VERDICT_CHANGES.map((kind) => steps[kind])]),
]

/** What it would mean for honest sessions and for harmful ones; each share with its 95% interval (Wilson). */
export function truthRows({ safe, violated }: DecisionDiff): Rows {
  const row = (name: string, { old, candidate, newly, noLonger }: Compared) => [
    name,
    ...[old, candidate, newly, noLonger].map(shareText),
  ]
  return [
    ['share of sessions', 'old', 'new', 'under new alone', 'under old alone'],
    row('safe, a step blocked', safe.stopped),
    row('safe, blocked or asked about', safe.disturbed),
    row('violated, blocked in time', violated.stopped),
    row('violated, blocked or asked about in time', violated.caught),
  ]
}
