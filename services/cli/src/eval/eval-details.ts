import { FORECAST_KINDS, RANKINGS, type MethodResult } from '@plimsoll/trainer'
import { textTable } from '../text-table.js'
import { figureOf, shareText } from './figure-text.js'

/** What alarms at thresholds chosen in training came to. */
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
      'before the call',
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
  // The first is the best there is; of the rest `--json` tells.
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

/** How far the probabilities mean what they say. */
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
