import type { Evaluation } from '@plimsoll/trainer'
import { textTable } from '../text-table.js'
import { figureOf, shareText } from './figure-text.js'

/** What alarms at thresholds chosen in training came to. */
export function alarmsTable({ methods }: Evaluation): string {
  const all = methods.flatMap(({ rankings }) =>
    rankings.p5.alarms.flatMap(({ figures }) => Object.keys(figures.falsePositivesBySource)),
  )
  const sources = new Set(all).size > 1 ? [...new Set(all)].sort() : []
  const rows = methods.flatMap(({ name, rankings }) =>
    rankings.p5.alarms.map(({ name: at, figures }) => [
      name,
      at,
      shareText(figures.detection),
      shareText(figures.falsePositives),
      ...sources.map((source) => shareText(figures.falsePositivesBySource[source])),
      figureOf(figures.leadMedian, 0),
      figureOf(figures.leadMean, 1),
      shareText(figures.early),
    ]),
  )
  return textTable([
    [
      'method',
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

/** How far the probabilities mean what they say. */
export function calibrationTable({ methods }: Evaluation): string {
  const kinds = ['p1', 'p5After'] as const
  const groups = Object.entries(methods[0]?.calibration.p1.groups ?? {})
    .filter(([, { skill }]) => !Number.isNaN(skill))
    .map(([name]) => name)
  const rows = methods.flatMap(({ name, calibration }) =>
    kinds.map((kind) => {
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
