import { HORIZON } from '@plimsoll/fit'
import type { Evaluation } from '../evaluate-files.js'
import type { MethodResult } from '../folds/evaluate.js'
import { CURVE_AT, RANKINGS } from '../metrics/group-figures.js'
import { type ForecastKind, FORECAST_KINDS } from '../metrics/method-fold.js'
import { chainSections } from './chain-page.js'
import { type Axis, barPlot, escaped, linePlot } from './svg.js'
import { STYLE } from './tables-page.js'

const SHARE_TICKS = [0, 0.25, 0.5, 0.75, 1]
const share = (label: string): Axis => ({ label, low: 0, high: 1, ticks: SHARE_TICKS })

/** Roots spread the low end, where thresholds live. */
const spread = (label: string): Axis => ({
  ...share(label),
  ticks: [0.01, 0.05, 0.1, 0.3, 1],
  place: (value) => Math.cbrt(value),
})

/** An evaluation as one page that needs nothing else. `report`: its tables as text. */
export function evaluationPage(evaluation: Evaluation, report: string): string {
  const { folds, group, methods, modelled, chains } = evaluation
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Plimsoll: evaluation</title><style>${STYLE}</style></head><body>
<h1>How well violations are predicted</h1>
<p>Folds: ${escaped(folds)}. Ranked within each ${escaped(group)}.</p>
${targetSection('Observed: violated is what the recording says', methods)}
${targetSection('Modelled: violated is what the cascade says', modelled)}
${chainSections(chains)}
<h2>Figures</h2><pre>${escaped(report)}</pre></body></html>
`
}

const targetSection = (title: string, methods: readonly MethodResult[]): string =>
  methods.length === 0
    ? ''
    : `<h2>${title}</h2><div class="plots">${[...detectionPlots(methods), ...reliabilityPlots(methods), ...warningPlots(methods)].join('\n')}</div>`

const detectionPlots = (methods: readonly MethodResult[]): string[] =>
  RANKINGS.map((ranking) => {
    const series = methods.map(({ name, rankings }) => ({
      name,
      points: CURVE_AT.map((at, n) => [at, rankings[ranking].within.detection[n] ?? Number.NaN] as const),
    }))
    return figure(
      `Detection against false positives, by ${ranking} (means of the curves within groups)`,
      linePlot(series, spread('false positives'), share('detected')),
    )
  })

const FORECASTS: Readonly<Record<ForecastKind, string>> = {
  p1: 'p1, this step',
  p5: `p5, this step or one of the next ${HORIZON - 1}`,
  p5After: `p5After, one of the next ${HORIZON}, once the result is in`,
  session: 'the session: that one of its steps is',
}

function reliabilityPlots(methods: readonly MethodResult[]): string[] {
  const [best] = methods
  const shown = methods.filter(({ name }) => name === best?.name || name.startsWith('paper'))
  return FORECAST_KINDS.map((kind) => {
    const series = shown.map(({ name, calibration }) => ({
      name,
      points: calibration[kind].all.bins.map(
        ({ predicted, observed }) => [predicted, observed.rate] as const,
      ),
    }))
    const axes = [spread('predicted'), { ...spread('observed'), ticks: spread('').ticks }] as const
    return figure(`Reliability of ${FORECASTS[kind]}`, linePlot(series, ...axes, true))
  })
}

const warningPlots = ([best]: readonly MethodResult[]): string[] =>
  (best?.rankings.p5.alarms ?? []).map(({ name, figures: { leadCounts, detection } }) =>
    figure(
      `Steps of warning, ${best?.name ?? ''} at ${name}: ${detection.n} of ${detection.of} detected`,
      barPlot(
        leadCounts.map((n, steps) => [steps === leadCounts.length - 1 ? `${steps}+` : String(steps), n]),
        'detected sessions',
        'steps from the first alarm to the violating call',
      ),
    ),
  )

const figure = (caption: string, content: string): string =>
  `<figure><figcaption>${escaped(caption)}</figcaption>${content}</figure>`
