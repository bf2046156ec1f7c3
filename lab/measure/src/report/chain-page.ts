import { stateName } from '@plimsoll/fit'
import type { ChainFigures, ChainReport } from '../chains/chain-report.js'
import type { ChainView, ChainsView } from '../chains/describe.js'
import { type Axis, escaped, linePlot, rowPlot } from './svg.js'
import { type Cell, htmlTable } from './tables-page.js'

/** Rows of a table of states or transitions: the ones most often seen. */
const ROWS_MAX = 40
const POINTS_MAX = 16

/** What a report says of chains, as sections of the page. */
export const chainSections = (reports: readonly ChainReport[]): string =>
  reports.map((report) => section(report)).join('\n')

function section({ target, compared, described }: ChainReport): string {
  return `<h2>Chains, ${target}</h2>
${compared.length > 0 ? comparison(compared) : ''}
${described.map((view) => spaceSection(view)).join('\n')}`
}

const comparison = (compared: readonly ChainFigures[]): string =>
  `<h3>Each space, without each of its dimensions, and looking further back</h3>
<p>On sessions held out: mean ln P of what came next (violated, ended or going on), and the area under the curve of the highest P(5)
before the violating call.</p>${htmlTable([
    ['chain', 'transitions', 'ln P', 'AUC before the call'],
    ...compared.map(({ name, steps, logLikelihood, before }) => [
      name,
      steps,
      logLikelihood.toFixed(4),
      before.toFixed(3),
    ]),
  ])}`

function spaceSection(view: ChainsView): string {
  const { space, of, horizon, threshold } = view
  // Without sessions of its own a category's chain is the aggregate's.
  const categories = view.categories.filter(({ sessions }) => sessions > 0)
  return `<h3>The space ${space}, fitted to ${escaped(of)}</h3>
${categoryTable(categories)}
${orderTable(categories)}
<div class="plots">${aheadPlot(categories)}</div>
<h4>Points of no return: P(${horizon}) above ${threshold}</h4>
<div class="plots">${categories.map((chain) => noReturnPlot(chain)).join('')}</div>
${categories.map((chain) => details(view, chain)).join('\n')}`
}

/** The table of the first paper, of a session from its beginning. */
function categoryTable(categories: readonly ChainView[]): string {
  const horizons = categories[0]?.figures.ahead.map((_, h) => `P(${h + 1})`) ?? []
  return htmlTable([
    [
      'category',
      'sessions',
      'violated',
      ...horizons,
      'P(violated)',
      'steps',
      'to the violation',
      'points of no return',
    ],
    ...categories.map(({ category, sessions, violations, figures, noReturn }): Cell[] => [
      category,
      sessions,
      Math.round(violations),
      ...figures.ahead.map((p) => p.toFixed(3)),
      figures.violated.toFixed(3),
      figures.steps.toFixed(1),
      stepsText(figures.stepsToViolation),
      noReturn.length,
    ]),
  ])
}

/** χ² of each order against the one below, and the share of next states that it predicts. */
function orderTable(categories: readonly ChainView[]): string {
  const tested = categories.filter(({ orders }) => orders.length > 0)
  if (tested.length === 0) return ''
  return `<h4>Order: χ² against the order below, and next states predicted in sessions held out (without ends)</h4>${htmlTable(
    [
      ['category', 'order', 'transitions', 'χ²', 'degrees of freedom', 'p', 'predicted', 'of'],
      ...tested.flatMap(({ category, orders, nextState }) =>
        orders.map(({ order, transitions, chiSquare, degrees, p }): Cell[] => {
          const { correct = Number.NaN, transitions: of = 0 } =
            nextState.find((one) => one.order === order) ?? {}
          const share = of > 0 ? (correct / of).toFixed(3) : '–'
          return [
            category,
            order,
            Math.round(transitions),
            chiSquare.toFixed(1),
            degrees,
            pText(p),
            share,
            of,
          ]
        }),
      ),
    ],
  )}`
}

const stepsText = (steps: number | null): string => (steps === null ? '–' : steps.toFixed(1))

/** A probability that may be too small to tell from 0. */
const pText = (p: number): string =>
  Number.isNaN(p) ? '–' : p < 1e-12 ? '< 1e-12' : p < 0.001 ? p.toExponential(1) : p.toFixed(3)

function aheadPlot(categories: readonly ChainView[]): string {
  const series = categories.map(({ category, figures: { ahead } }) => ({
    name: category,
    points: [0, ...ahead].map((probability, h) => [h, probability] as const),
  }))
  const steps = Math.max(1, ...categories.map(({ figures: { ahead } }) => ahead.length))
  const high = Math.max(0.01, ...categories.flatMap(({ figures: { ahead } }) => ahead)) * 1.05
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((part) => Number((part * high).toPrecision(2)))
  const x: Axis = { label: 'steps ahead', low: 0, high: steps, ticks: [...Array(steps + 1).keys()] }
  const y: Axis = { label: 'P(violated)', low: 0, high, ticks }
  return `<figure><figcaption>P(h) of a session that begins, by category</figcaption>${linePlot(series, x, y)}</figure>`
}

function noReturnPlot({ category, noReturn }: ChainView): string {
  const shown = noReturn.slice(0, POINTS_MAX)
  const rest = noReturn.length > shown.length ? `<p>… and ${noReturn.length - shown.length} more.</p>` : ''
  const plot =
    shown.length === 0
      ? '<p>No state that was seen.</p>'
      : rowPlot(
          shown.map(({ state, probability, horizon }) => [
            state,
            probability,
            `${probability.toFixed(2)}, from h = ${horizon}`,
          ]),
        )
  return `<figure><figcaption>${escaped(category)}</figcaption>${plot}${rest}</figure>`
}

function details({ space }: ChainsView, chain: ChainView): string {
  const { category, sessions, steps, violations, states, transitions } = chain
  const often = [...states].sort((a, b) => b.left - a.left).slice(0, ROWS_MAX)
  const seen = [...transitions].sort((a, b) => b.n - a.n).slice(0, ROWS_MAX)
  return `<details><summary>${escaped(category)}: ${sessions} sessions, ${Math.round(steps)} steps, ${Math.round(violations)} violations</summary>
<p>States, the ones most often left first: share of sessions that begin there, mean visits of a session, mean steps from there to the
violation or the end, P(violated in the end), mean steps until a violation where one comes, P(horizon).</p>
${htmlTable([
  ['state', 'start', 'visits', 'left', 'steps', 'P(violated)', 'to the violation', 'P(h)'],
  ...often.map(({ state, start, visits, left, steps: until, absorbed, stepsToViolation, forward }) => [
    state,
    start.toFixed(3),
    visits.toFixed(2),
    Math.round(left),
    until.toFixed(1),
    absorbed.toFixed(3),
    stepsText(stepsToViolation),
    forward.toFixed(3),
  ]),
])}
<p>Transitions, the most often seen first (${seen.length} of ${transitions.length}), with Wilson 95% intervals.</p>
${htmlTable([
  ['from', 'to', 'n', 'of', 'share', 'low', 'high'],
  ...seen.map(({ from, to, n, of, rate, low, high }) => [
    stateName(space, from),
    stateName(space, to),
    Math.round(n),
    Math.round(of),
    rate.toFixed(3),
    low.toFixed(3),
    high.toFixed(3),
  ]),
])}</details>`
}
