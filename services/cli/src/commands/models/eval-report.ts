import {
  type Evaluation,
  type Grouping,
  type MethodResult,
  type RankFigures,
  type Ranking,
  FORECAST_KINDS,
  RANKINGS,
  detectionAt,
} from '@plimsoll/measure'
import { plainText, textTable } from '../../format/text.js'
import { chainsText, figureOf, shareText } from './chains-text.js'
import { judgeText } from './judge-text.js'
import { sessionsText } from './sessions-text.js'

/** Results of alarms at thresholds that were chosen in training. */
export function alarmsTable(methods: readonly MethodResult[]): string {
  const each = methods.flatMap(({ name, rankings }) =>
    (name === methods[0]?.name ? RANKINGS : (['p5'] as const)).flatMap((ranking) =>
      rankings[ranking].alarms.map(({ name: at, figures }) => ({ name, ranking, at, figures })),
    ),
  )
  const all = new Set(each.flatMap(({ figures }) => Object.keys(figures.falsePositivesBySource)))
  const sources = all.size > 1 ? [...all].sort() : []
  const rows = each.map(({ name, ranking, at, figures }) => [
    name,
    ranking,
    at,
    shareText(figures.detection),
    shareText(figures.falsePositives),
    ...sources.map((source) => shareText(figures.falsePositivesBySource[source])),
    figureOf(figures.leadMedian, 0),
    figureOf(figures.leadMean, 1),
    shareText(figures.early),
  ])
  return textTable([
    [
      'method',
      'by',
      'at',
      'detected',
      'false positives',
      ...sources,
      'steps ahead, median',
      'mean',
      'before the step',
    ],
    ...rows,
  ])
}

/** How many of the detected sessions had how many steps of warning. */
export function warningsTable(methods: readonly MethodResult[]): string {
  const rows = methods.flatMap(({ name, rankings }) =>
    rankings.p5.alarms.map(({ name: at, figures }) => [name, at, ...figures.leadCounts]),
  )
  const steps = (rows[0]?.length ?? 2) - 2
  const names = Array.from({ length: steps }, (_, n) => (n === steps - 1 ? `${n}+` : String(n)))
  return textTable([['method, by p5', 'at', ...names], ...rows])
}

/** What fixed thresholds do, over the sessions of all folds. */
export function sweepTable(methods: readonly MethodResult[]): string {
  const thresholds = methods[0]?.rankings.p1.sweep.map(({ threshold }) => threshold) ?? []
  // Only the first, best method; `--json` has the rest.
  const rows = methods
    .slice(0, 1)
    .flatMap(({ name, rankings }) =>
      RANKINGS.flatMap((ranking) =>
        (['detection', 'falsePositives'] as const).map((kind) => [
          `${name}, ${ranking}: ${kind === 'detection' ? 'detected' : 'false positives'}`,
          ...rankings[ranking].sweep.map((point) => figureOf(point[kind].rate)),
        ]),
      ),
    )
  return textTable([['at a score of', ...thresholds], ...rows])
}

/** How well the probabilities are calibrated. */
export function calibrationTable(methods: readonly MethodResult[]): string {
  const groups = Object.entries(methods[0]?.calibration.p1.groups ?? {})
    .filter(([, { skill }]) => !Number.isNaN(skill))
    .map(([name]) => name)
  const rows = methods.flatMap(({ name, calibration }) =>
    FORECAST_KINDS.map((kind) => {
      const { all, groups: byGroup } = calibration[kind]
      return [
        name,
        kind,
        figureOf(all.brier, 4),
        figureOf(all.error),
        figureOf(all.riskiestTenth),
        figureOf(all.skill),
        ...groups.map((group) => figureOf(byGroup[group]?.skill ?? Number.NaN)),
        ...groups.map((group) => figureOf(byGroup[group]?.riskiestTenth ?? Number.NaN)),
      ]
    }),
  )
  const skills = groups.map((group) => `skill ${group}`)
  const tenths = groups.map((group) => `tenth ${group}`)
  return textTable([
    ['method', 'of', 'Brier', 'ECE', 'riskiest tenth', 'skill', ...skills, ...tenths],
    ...rows,
  ])
}

/** The results of an evaluation, for a human. */
export function evalReport(evaluation: Evaluation): string {
  const { sources, folds, foldNames, group } = evaluation
  const parts = [
    `${foldNames.length} folds: ${folds}; means within each ${group}, weighted by violated sessions\n`,
    textTable([
      ['source', 'sessions', 'steps', 'violated', 'safe', 'left out', 'fitted to'],
      ...sources.map((line) => [
        line.source,
        line.sessions,
        line.steps,
        line.unsafe,
        line.safe,
        Object.values(line.excluded).reduce((sum, n) => sum + n, 0),
        line.fittable,
      ]),
    ]),
    ...proposedText(evaluation),
    ...targetParts('Observed: a violation is a recorded one.', evaluation.methods, group),
    ...targetParts('Modelled: a violation is the risk level `violated`.', evaluation.modelled, group),
    ...chainsText(evaluation.chains),
    ...(evaluation.judge ? judgeText(evaluation.judge, evaluation.methods) : []),
    timing(evaluation),
  ]
  return parts.join('\n')
}

function targetParts(title: string, methods: readonly MethodResult[], group: Grouping): string[] {
  if (methods.length === 0) return []
  const hasAlarms = methods.some(({ rankings }) => rankings.p5.alarms.length > 0)
  return [
    `== ${title}\n`,
    ...barTables(methods, group),
    ...sessionsText(methods),
    ...(hasAlarms
      ? [
          `At thresholds chosen on the training folds (for a bundle: its own), with Wilson 95% intervals:\n`,
          alarmsTable(methods),
          `Detected sessions by the number of steps between the first alarm and the violating step:\n`,
          warningsTable(methods),
        ]
      : []),
    `At fixed thresholds:\n`,
    sweepTable(methods),
    `Calibration:\n`,
    calibrationTable(methods),
  ]
}

/** Names come from recordings: they must be harmless to the terminal. */
function proposedText({ proposedTools: tools }: Evaluation): string[] {
  if (tools.length === 0) return []
  const shown = tools.slice(0, TOOLS_SHOWN).map((tool) => plainText(tool))
  const rest = tools.length > shown.length ? `, and ${tools.length - shown.length} more` : ''
  return [
    `Tools outside the catalogue, labelled by name and description as \`plimsoll label\` does: ${shown.join(', ')}${rest}\n`,
  ]
}
const TOOLS_SHOWN = 12

/** The tables that the bars are read off. */
function barTables(methods: readonly MethodResult[], group: Grouping): string[] {
  return RANKINGS.map((ranking) => {
    const names = Object.entries(methods[0]?.rankings[ranking].groups ?? {})
      .filter(([, { unsafe, safe }]) => unsafe > 0 && safe > 0)
      .map(([name]) => name)
    const head = [
      `ranked by ${ranking}`,
      'all',
      ...names,
      'early all',
      ...names,
      'matched',
      '5%',
      '1%',
      '5% all',
      '1% all',
    ]
    return `AUC at the violating step, before it (early), and between sessions of equal length (matched); share detected within each ${group} at 5% and 1% false positives:\n${textTable(
      [head, ...methods.map((method) => barRow(method, ranking, names))],
    )}`
  })
}

function barRow({ name, rankings }: MethodResult, ranking: Ranking, groups: readonly string[]): string[] {
  const { all, within, groups: byGroup } = rankings[ranking]
  const each = (pick: (figures: RankFigures) => number) =>
    groups.map((group) => figureOf(byGroup[group] ? pick(byGroup[group]) : Number.NaN))
  return [
    name,
    figureOf(all.auc),
    ...each(({ auc }) => auc),
    figureOf(all.before),
    ...each(({ before }) => before),
    figureOf(within.matched),
    ...[within, all].flatMap((figures) =>
      [0.05, 0.01].map((budget) => figureOf(detectionAt(figures, budget))),
    ),
  ]
}

function timing({ readMs, extractMs, methods, modelled, cost }: Evaluation): string {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  const all = [...methods, ...modelled]
  const each = all.map(({ name, spent }) => `${name} ${seconds(spent.fitMs)} + ${seconds(spent.scoreMs)}`)
  const stepCost = cost
    ? `Cost of a step, client and engine, over ${cost.steps}: p50 ${cost.p50.toFixed(0)} µs, p90 ${cost.p90.toFixed(0)} µs, p99 ${cost.p99.toFixed(0)} µs\n`
    : ''
  const total = readMs + extractMs + all.reduce((sum, { spent }) => sum + spent.fitMs + spent.scoreMs, 0)
  return `${stepCost}Time of all threads: ${seconds(total)}: reading ${seconds(readMs)}, features ${seconds(extractMs)}; fitting + scoring: ${each.join(', ')}\n`
}
