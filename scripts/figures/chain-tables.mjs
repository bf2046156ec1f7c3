/** What chains say, by category, and how they predict what was held out. */
import { count, figure, joined, table } from './markdown.mjs'

export function chainParts(report) {
  return [comparedChains(report), ...report.described.flatMap((view) => describedChains(view, report.target))]
}

/** The tables of the SafetyDrift paper, by category. */
function describedChains({ space, of, horizon, threshold, categories }, target) {
  const ahead = categories[0]?.figures.ahead.map((_, h) => `P(${h + 1})`) ?? []
  const tested = categories.filter(({ orders }) => orders.length > 0)
  const orders = tested[0]?.orders.map(({ order }) => order) ?? []
  const noReturn = categories.flatMap(({ category, noReturn: points }) =>
    points.map((point) => [category, point.state, point.horizon, figure(point.probability)]),
  )
  const shown = noReturn.slice(0, NO_RETURN_SHOWN)
  return [
    `Chains of the space \`${space}\`, ${target}, fitted to ${of}.`,
    table([
      ['category', 'sessions', 'steps', 'violated', ...ahead, 'in the end', 'mean steps', 'to the violation'],
      ...categories.map(({ category, sessions, steps, violations, figures }) => [
        category,
        count(sessions),
        count(Math.round(steps)),
        count(Math.round(violations)),
        ...figures.ahead.map((p) => figure(p)),
        figure(figures.violated),
        figure(figures.steps, 1),
        figure(figures.stepsToViolation, 1),
      ]),
    ]),
    table([
      [
        'order',
        ...orders.flatMap((k) => [`χ² ${k}:${k - 1}`, `df ${k}`, `p ${k}`]),
        ...orders.map((k) => `next, order ${k}`),
      ],
      ...tested.map((chain) => [
        chain.category,
        ...chain.orders.flatMap(({ chiSquare, degrees, p }) => [
          figure(chiSquare, 0),
          count(degrees),
          p < 1e-4 ? '< .0001' : figure(p, 4),
        ]),
        ...orders.map((k) => {
          const { correct, transitions } = chain.nextState.find(({ order }) => order === k) ?? {}
          return figure(transitions ? correct / transitions : Number.NaN)
        }),
      ]),
    ]),
    noReturn.length === 0
      ? `No state that was seen is a point of no return: P(${horizon}) above ${threshold}.`
      : `Points of no return, P(${horizon}) above ${threshold}: ${noReturn.length}${noReturn.length > shown.length ? `, the first ${shown.length}` : ''}.`,
    table([['category', 'point of no return', 'from h', `P(${horizon})`], ...shown]),
  ]
}
const NO_RETURN_SHOWN = 20

const comparedChains = ({ target, compared }) =>
  compared.length === 0
    ? ''
    : joined([
        `Chains, ${target}: mean ln P of what came next (violated, ended, going on), AUC of the highest P(5) before the call, held out.`,
        table([
          ['chain', 'ln P', 'AUC before'],
          ...compared.map(({ name, logLikelihood, before }) => [
            name,
            figure(logLikelihood, 4),
            figure(before),
          ]),
        ]),
      ])
