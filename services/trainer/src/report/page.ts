import { AHEAD } from '../evaluation/forecasts.js'
import type { Evaluation } from '../evaluation/evaluate-files.js'
import { CURVE_AT } from '../evaluation/group-figures.js'
import { barPlot, escaped, linePlot, type Axis } from './svg.js'

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
  const { folds, group } = evaluation
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Plimsoll: evaluation</title><style>
body{font:15px/1.45 system-ui,sans-serif;max-width:1040px;margin:2rem auto;padding:0 1rem;color:#222}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(440px,1fr));gap:1.5rem}
figure{margin:0}figcaption{font-weight:600;margin-bottom:.3rem}svg text{font-size:11px;fill:#333}
.legend span{white-space:nowrap;margin-right:.8rem;font-size:12px}pre{overflow-x:auto;background:#f6f6f6;padding:1rem;font-size:12px}
td,th{padding:.1rem .8rem .1rem 0;text-align:left}</style></head><body>
<h1>How well violations are told beforehand</h1>
<p>Folds: ${escaped(folds)}. Ranked within each ${escaped(group)}.</p>
<div class="plots">${plots(evaluation).join('\n')}</div>
${noReturnTables(evaluation)}
<h2>Figures</h2><pre>${escaped(report)}</pre></body></html>
`
}

function plots(evaluation: Evaluation): string[] {
  const { methods } = evaluation
  const [best] = methods
  const detection = methods.map(({ name, rankings }) => ({
    name,
    points: CURVE_AT.map((at, n) => [at, rankings.p1.within.detection[n] ?? Number.NaN] as const),
  }))
  const reliability = (kind: 'p1' | 'p5After') => [
    { name: 'as it should be', points: [[0, 0] as const, [1, 1] as const] },
    ...methods
      .filter(({ name }) => name === best?.name || name.startsWith('paper'))
      .map(({ name, calibration }) => ({
        name,
        points: calibration[kind].all.bins.map(({ said, came }) => [said, came.rate] as const),
      })),
  ]
  return [
    figure(
      'Detection against false positives, by p1 (means of the curves within groups)',
      linePlot(detection, spread('false positives'), share('detected')),
    ),
    figure('Reliability of p1', linePlot(reliability('p1'), share('said'), share('came'))),
    figure(
      `Reliability of p5After (the next ${AHEAD} steps)`,
      linePlot(reliability('p5After'), share('said'), share('came')),
    ),
    ...(best?.rankings.p5.alarms ?? []).map(({ name, figures }) =>
      figure(
        `Steps of warning, ${best?.name ?? ''} at ${name}`,
        barPlot(
          figures.leadCounts.map((n, steps) => [
            steps === figures.leadCounts.length - 1 ? `${steps}+` : String(steps),
            n,
          ]),
          'detected sessions',
        ),
      ),
    ),
    ...aheadPlot(evaluation),
  ]
}

function aheadPlot({ chains = [] }: Evaluation): string[] {
  if (chains.length === 0) return []
  const series = chains.map(({ category, ahead }) => ({
    name: category,
    points: ahead.map((probability, h) => [h, probability] as const),
  }))
  const steps = (chains[0]?.ahead.length ?? 1) - 1
  const high = Math.max(0.01, ...chains.flatMap(({ ahead }) => ahead))
  const x: Axis = { label: 'steps ahead', low: 0, high: steps, ticks: [0, 5, steps] }
  const ticks = [0, high / 2, high].map((tick) => Number(tick.toPrecision(2)))
  const y: Axis = { label: 'P(violated)', low: 0, high, ticks }
  return [figure('P(h) of a session that begins, by category', linePlot(series, x, y))]
}

function noReturnTables({ chains = [] }: Evaluation): string {
  if (chains.length === 0) return ''
  const rows = chains.flatMap(({ category, noReturn }) =>
    noReturn.map(
      ({ state, probability }) =>
        `<tr><td>${escaped(category)}</td><td>${escaped(state)}</td><td>${probability.toFixed(3)}</td></tr>`,
    ),
  )
  const none = '<p>No state that was seen reaches the threshold.</p>'
  const table = `<table><tr><th>category</th><th>state</th><th>P(${AHEAD})</th></tr>${rows.join('')}</table>`
  return `<h2>Points of no return</h2>${rows.length > 0 ? table : none}`
}

const figure = (caption: string, content: string): string =>
  `<figure><figcaption>${escaped(caption)}</figcaption>${content}</figure>`
