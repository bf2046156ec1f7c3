import { detectionAt, type Evaluation, type MethodResult, type RankFigures } from '@plimsoll/trainer'
import { textTable } from '../text-table.js'
import { figureOf } from './figure-text.js'

/** A row for each part that is added: the figures of the bars side by side, ranked by p1. */
export function ablationTable({ methods, group, ablation }: Evaluation): string {
  const names = Object.entries(methods[0]?.rankings.p1.groups ?? {})
    .filter(([, { unsafe, safe }]) => unsafe > 0 && safe > 0)
    .map(([name]) => name)
  const early = names.map((name) => `early ${name}`)
  const skills = names.map((name) => `skill ${name}`)
  const head = ['what is known of a step', 'all', ...names, 'early', ...early, '5%', '1%', 'skill', ...skills]
  return [
    `AUC of the highest p1 at the violating call, and strictly before it (early); detection within ${group} at false positives; Brier skill of p1.`,
    `Each row knows what those above it know, below the published method; detector of instructions: ${ablation}.\n`,
    textTable([head, ...methods.map((method) => rowOf(method, names))]),
  ].join('\n')
}

function rowOf({ name, rankings, calibration }: MethodResult, groups: readonly string[]): string[] {
  const { all, within, groups: byGroup } = rankings.p1
  const { p1 } = calibration
  const each = (pick: (figures: RankFigures) => number) =>
    groups.map((group) => (byGroup[group] ? pick(byGroup[group]) : Number.NaN))
  const figures = [
    all.auc,
    ...each(({ auc }) => auc),
    all.before,
    ...each(({ before }) => before),
    detectionAt(within, 0.05),
    detectionAt(within, 0.01),
    p1.all.skill,
    ...groups.map((group) => p1.groups[group]?.skill ?? Number.NaN),
  ]
  return [name, ...figures.map((figure) => figureOf(figure))]
}
