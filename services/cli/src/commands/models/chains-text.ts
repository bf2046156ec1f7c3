import type { ChainFigures, ChainReport, ChainView, ChainsView } from '@plimsoll/measure'
import { stateName } from '@plimsoll/fit'
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
          'On held-out sessions: mean ln P of what came next (violation, end, next step); AUC of the highest P(5) before the violating step:\n',
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
  const points = categories.flatMap(({ category, noReturn }) =>
    noReturn.map((point) => ({ category, ...point })),
  )
  const [all] = categories
  return [
    `Space ${space}, fitted to ${of}:\n`,
    categoryTable(categories),
    ...orderText(categories),
    points.length === 0
      ? `No state seen is a point of no return (P(${horizon}) above ${threshold}).\n`
      : cutTable(
          [`point of no return: P(${horizon}) above ${threshold}`, 'of', 'from h', `P(${horizon})`],
          points.map(({ category, state, horizon: from, probability }) => [
            state,
            category,
            from,
            figureOf(probability),
          ]),
        ),
    ...(space === 'paper5' ? categories.filter(({ sessions }) => sessions > 0) : categories.slice(0, 1)).map(
      (chain) => statesTable(chain, horizon),
    ),
    cutTable(
      ['transition, of all categories', 'n', 'of', 'share'],
      [...(all?.transitions ?? [])]
        .sort((a, b) => b.n - a.n)
        .map((seen) => [
          `${stateName(space, seen.from)} → ${stateName(space, seen.to).replace('→ ', '')}`,
          Math.round(seen.n),
          Math.round(seen.of),
          shareText(seen),
        ]),
    ),
  ]
}

/** The table of the first paper: a session from its beginning. */
function categoryTable(categories: readonly ChainView[]): string {
  const horizons = categories[0]?.figures.ahead.map((_, h) => `P(${h + 1})`) ?? []
  return textTable([
    [
      'category',
      'sessions',
      'steps',
      'violated',
      ...horizons,
      'in the end',
      'mean steps',
      'to the violation',
    ],
    // Without sessions of its own a category's chain is the aggregate's.
    ...categories
      .filter(({ sessions }) => sessions > 0)
      .map(({ category, sessions, steps, violations, figures }) => [
        category,
        sessions,
        Math.round(steps),
        Math.round(violations),
        ...figures.ahead.map((p) => figureOf(p)),
        figureOf(figures.violated),
        figures.steps.toFixed(1),
        stepsText(figures.stepsToViolation),
      ]),
  ])
}

function statesTable({ category, states }: ChainView, horizon: number): string {
  const name = category === 'aggregate' ? 'all categories' : category
  return cutTable(
    [`state, of ${name}`, 'start', 'visits', 'left', 'steps', 'in the end', 'steps to it', `P(${horizon})`],
    [...states]
      .sort((a, b) => b.left - a.left)
      .map(({ state, start, visits, left, steps, absorbed, stepsToViolation, forward }) => [
        state,
        figureOf(start),
        visits.toFixed(2),
        Math.round(left),
        steps.toFixed(1),
        figureOf(absorbed),
        stepsText(stepsToViolation),
        figureOf(forward),
      ]),
  )
}

/** χ² of each order against the one below, and the share of next states that it predicts. */
function orderText(categories: readonly ChainView[]): string[] {
  const tested = categories.filter(({ orders, sessions }) => orders.length > 0 && sessions > 0)
  if (tested.length === 0) return []
  const heads = tested[0]?.orders.flatMap(({ order }) => [`χ² ${order}:${order - 1}`, 'df', 'p']) ?? []
  const predicted = tested[0]?.orders.map(({ order }) => `next, order ${order}`) ?? []
  return [
    'χ² of each order against the next lower one; share of next states predicted in held-out sessions, without ends:\n',
    textTable([
      ['category', ...heads, ...predicted],
      ...tested.map(({ category, orders, nextState }) => [
        category,
        ...orders.flatMap(({ chiSquare, degrees, p }) => [chiSquare.toFixed(0), degrees, pText(p)]),
        ...orders.map(({ order }) => {
          const { correct, transitions } = nextState.find((one) => one.order === order) ?? {}
          return figureOf(transitions ? (correct ?? 0) / transitions : Number.NaN)
        }),
      ]),
    ]),
  ]
}

const stepsText = (steps: number | null): string => (steps === null ? '–' : steps.toFixed(1))

/** A probability that may be too small to tell from 0. */
const pText = (p: number): string =>
  Number.isNaN(p) ? '–' : p < 1e-12 ? '<1e-12' : p < 0.001 ? p.toExponential(1) : figureOf(p)

function cutTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const rest = rows.length > ROWS_MAX ? `… and ${rows.length - ROWS_MAX} more: \`--json\` shows all\n` : ''
  return textTable([head, ...rows.slice(0, ROWS_MAX)]) + rest
}
