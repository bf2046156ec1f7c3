import { type MethodResult, type SessionFigures, CUTS, SCORE_KINDS } from '@plimsoll/measure'
import { plainText, textTable } from '../../format/text.js'
import { figureOf, shareText } from './chains-text.js'

/** Figures of sessions by source and suite: of the first, best method; `--json` has those of the others. */
export function sessionsText([best]: readonly MethodResult[]): string[] {
  const lines = best?.sessions ?? []
  if (!best || lines.length === 0) return []
  const of = `${plainText(best.name)}, by source and suite; [95% intervals by bootstrap over tasks]`
  const ranked = lines.filter(({ ranked }) => ranked)
  const judged = lines.filter(({ verdicts }) => verdicts).filter(({ suite, ranked }) => !suite || ranked)
  const warned = lines.filter(({ warning }) => warning)
  return [
    ...(ranked.length > 0
      ? [`Sessions by their highest score, ${of}; AUC after a share of the steps:\n`, rankedTable(ranked)]
      : []),
    ...(judged.length > 0
      ? [
          `Verdicts of the policy, ${of}; stopped: unsafe sessions, asked: safe sessions with a block or confirm, warned: sessions with no more than a warning:\n`,
          verdictsTable(judged),
          `The same by verdict source: sessions in which it blocks or asks, and sessions in which only it does (alone):\n`,
          sourcesTable(judged),
        ]
      : []),
    ...(warned.length > 0
      ? [
          `N steps before the violation, by p5After, beside two upper limits: a score that knows when the instruction is read, and a score that also knows the outcome:\n`,
          beforeTable(warned),
          `Steps between alarm and violation, by p5 and p5After, beside the possible maximum (steps from the instruction to the violation):\n`,
          warningTable(warned),
        ]
      : []),
  ]
}

/** A source, or one of its suites. */
export const nameOf = ({ source, suite }: SessionFigures): string =>
  plainText(suite === undefined ? source : `${source}/${suite}`)

type Interval = Readonly<Record<'value' | 'low' | 'high', number>>

/** A figure with its interval. */
export const spanText = ({ value, low, high }: Interval): string =>
  Number.isNaN(low) ? figureOf(value) : `${figureOf(value)} [${figureOf(low)}, ${figureOf(high)}]`

const rankedTable = (lines: readonly SessionFigures[]): string =>
  textTable([
    ['source', 'by', 'tasks', 'unsafe', 'safe', ...CUTS, 'within a task', 'at 5%', 'at 1%'],
    ...lines.flatMap((line) =>
      SCORE_KINDS.map((kind) => {
        const { whole } = line.ranked?.[kind] ?? {}
        return [
          nameOf(line),
          kind,
          line.tasks,
          line.unsafe,
          line.safe,
          ...CUTS.map((cut) => (line.ranked ? spanText(line.ranked[kind][cut].auc) : '–')),
          whole ? spanText(whole.withinTask) : '–',
          figureOf(whole?.detected['5%'] ?? Number.NaN),
          figureOf(whole?.detected['1%'] ?? Number.NaN),
        ]
      }),
    ),
  ])

/** A share with its interval, and its counts. */
export const sharesOf = (share: Interval & { n: number; of: number }): string[] => [
  shareText({ ...share, rate: share.value }),
  `${share.n} of ${share.of}`,
]

const verdictsTable = (lines: readonly SessionFigures[]): string =>
  textTable([
    ['source', 'stopped', '', 'asked', '', 'warned, unsafe', 'warned, safe'],
    ...lines.map((line) => {
      const { verdicts } = line
      if (!verdicts) return [nameOf(line)]
      const { stopped, asked, warnedUnsafe, warnedSafe } = verdicts
      return [nameOf(line), ...sharesOf(stopped), ...sharesOf(asked), warnedUnsafe.n, warnedSafe.n]
    }),
  ])

const sourcesTable = (lines: readonly SessionFigures[]): string =>
  textTable([
    ['source', 'by', 'unsafe', 'alone', 'safe', 'alone'],
    ...lines.flatMap((line) =>
      Object.entries(line.verdicts?.by ?? {}).map(([by, { unsafe, unsafeAlone, safe, safeAlone }]) => [
        nameOf(line),
        by,
        unsafe,
        unsafeAlone,
        safe,
        safeAlone,
      ]),
    ),
  ])

const beforeTable = (lines: readonly SessionFigures[]): string =>
  textTable([
    [
      'source',
      'steps',
      'unsafe',
      'AUC',
      'at 5%',
      'at 1%',
      'knows the step',
      'reached',
      'knows the outcome',
      'reached',
    ],
    ...lines.flatMap((line) =>
      (line.warning?.before ?? []).map(({ steps, unsafe, ranked: { p5After }, ceiling }) => [
        nameOf(line),
        steps,
        unsafe,
        figureOf(p5After.auc),
        ...['5%', '1%'].map((budget) => figureOf(p5After.detected[budget as '5%'] ?? Number.NaN)),
        ...[ceiling?.instruction, ceiling?.ofInstruction, ceiling?.label, ceiling?.ofLabel].map((value) =>
          figureOf(value ?? Number.NaN),
        ),
      ]),
    ),
  ])

const warningTable = (lines: readonly SessionFigures[]): string =>
  textTable([
    [
      'source',
      'at',
      'detected',
      'before the step',
      'steps, median',
      'mean',
      'possible, median',
      'mean',
      'reached',
    ],
    ...lines.flatMap((line) =>
      Object.entries(line.warning?.within ?? {}).map(([budget, { detected, early, lead, ofPossible }]) => [
        nameOf(line),
        budget,
        shareText(detected),
        shareText(early),
        lead.median,
        figureOf(lead.mean, 2),
        line.warning?.possible?.median ?? '–',
        figureOf(line.warning?.possible?.mean ?? Number.NaN, 2),
        figureOf(ofPossible),
      ]),
    ),
  ])
