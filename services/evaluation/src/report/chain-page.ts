import { stateName } from '@plimsoll/trainer'
import type { ChainFigures, ChainReport } from '../chains/chain-report.js'
import { type ChainView, type ChainsView } from '../chains/describe.js'
import { type Axis, escaped, linePlot, rowPlot } from './svg.js'
import { htmlTable } from './tables-page.js'

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
  const { space, of, horizon, threshold, categories } = view
  return `<h3>The space ${space}, fitted to ${escaped(of)}</h3>
<div class="plots">${aheadPlot(categories)}</div>
<h4>Points of no return: P(${horizon}) above ${threshold}</h4>
<div class="plots">${categories.map((chain) => noReturnPlot(chain)).join('')}</div>
${categories.map((chain) => details(view, chain)).join('\n')}`
}

function aheadPlot(categories: readonly ChainView[]): string {
  const series = categories.map(({ category, ahead }) => ({
    name: category,
    points: ahead.map((probability, h) => [h, probability] as const),
  }))
  const steps = Math.max(1, ...categories.map(({ ahead }) => ahead.length - 1))
  const high = Math.max(0.01, ...categories.flatMap(({ ahead }) => ahead)) * 1.05
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
  return `<details><summary>${escaped(category)}: ${sessions} sessions, ${steps} steps, ${violations} violations</summary>
<p>States, the ones most often left first: P(violated in the end), mean steps until a violation where one comes, P(horizon).</p>
${htmlTable([
  ['state', 'leftState', 'P(violated)', 'steps', 'P(h)'],
  ...often.map(({ state, left, absorbed, stepsToViolation, forward }) => [
    state,
    left,
    absorbed.toFixed(3),
    stepsToViolation === null ? '–' : stepsToViolation.toFixed(1),
    forward.toFixed(3),
  ]),
])}
<p>Transitions, the most often seen first (${seen.length} of ${transitions.length}), with Wilson 95% intervals.</p>
${htmlTable([
  ['from', 'to', 'n', 'of', 'share', 'low', 'high'],
  ...seen.map(({ from, to, n, of, rate, low, high }) => [
    stateName(space, from),
    stateName(space, to),
    n,
    of,
    rate.toFixed(3),
    low.toFixed(3),
    high.toFixed(3),
  ]),
])}</details>`
}
