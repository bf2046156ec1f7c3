import type { ChainFigures, ChainReport, ChainsView } from '@plimsoll/evaluation'
import { stateName } from '@plimsoll/trainer'
import { textTable } from '../../format/text.js'

/** A figure to three places without its leading 0; a dash where there is none. */
export function figureOf(value: number, places = 3): string {
  if (Number.isNaN(value)) return '–'
  return value.toFixed(places).replace(/^(-?)0\./, '$1.')
}

/** A share with its interval, in percent; a dash where there is none. */
export function shareText(share: { rate: number; low: number; high: number } | undefined): string {
  if (!share || Number.isNaN(share.rate)) return '–'
  const [rate, low, high] = [share.rate, share.low, share.high].map((part) => (100 * part).toFixed(1))
  return `${rate}% [${low}, ${high}]`
}

/** Rows of the longer tables; `--json` has all. */
const ROWS_MAX = 12

/** What there is to say of chains. */
export const chainsText = (reports: readonly ChainReport[]): string[] =>
  reports.flatMap(({ target, compared, described }) => [
    `== Chains, ${target}.\n`,
    ...(compared.length > 0
      ? [
          'Held out: mean ln P of what came next (violated, ended, going on); AUC of the highest P(5) before the call:\n',
          comparison(compared),
        ]
      : []),
    ...described.flatMap((view) => spaceText(view)),
  ])

const comparison = (figures: readonly ChainFigures[]): string =>
  textTable([
    ['chain', 'transitions', 'ln P', 'AUC before'],
    ...figures.map(({ name, steps, logLikelihood, before }) => [
      name,
      steps,
      logLikelihood.toFixed(4),
      figureOf(before),
    ]),
  ])

function spaceText({ space, of, horizon, threshold, categories }: ChainsView): string[] {
  const steps = categories[0]?.ahead.map((_, h) => `P(${h})`).slice(1) ?? []
  const points = categories.flatMap(({ category, noReturn }) =>
    noReturn.map((point) => ({ category, ...point })),
  )
  const [all] = categories
  return [
    `Space ${space}, fitted to ${of}:\n`,
    textTable([
      ['category', 'sessions', 'steps', 'violations', ...steps],
      ...categories.map(({ category, sessions, steps: taken, violations, ahead }) => [
        category,
        sessions,
        taken,
        violations,
        ...ahead.slice(1).map((p) => figureOf(p)),
      ]),
    ]),
    points.length === 0
      ? `No state that was seen is a point of no return: P(${horizon}) above ${threshold}.\n`
      : cutTable(
          [`point of no return: P(${horizon}) above ${threshold}`, 'of', 'from h', `P(${horizon})`],
          points.map(({ category, state, horizon: from, probability }) => [
            state,
            category,
            from,
            figureOf(probability),
          ]),
        ),
    cutTable(
      ['state, of all categories', 'left', 'P(violated in the end)', 'mean steps to it', `P(${horizon})`],
      [...(all?.states ?? [])]
        .sort((a, b) => b.left - a.left)
        .map(({ state, left, absorbed, stepsToViolation, forward }) => [
          state,
          left,
          figureOf(absorbed),
          stepsToViolation === null ? '–' : stepsToViolation.toFixed(1),
          figureOf(forward),
        ]),
    ),
    cutTable(
      ['transition, of all categories', 'n', 'of', 'share'],
      [...(all?.transitions ?? [])]
        .sort((a, b) => b.n - a.n)
        .map((seen) => [
          `${stateName(space, seen.from)} → ${stateName(space, seen.to).replace('→ ', '')}`,
          seen.n,
          seen.of,
          shareText(seen),
        ]),
    ),
  ]
}

function cutTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const rest = rows.length > ROWS_MAX ? `… and ${rows.length - ROWS_MAX} more: \`--json\` has them\n` : ''
  return textTable([head, ...rows.slice(0, ROWS_MAX)]) + rest
}
