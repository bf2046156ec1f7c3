import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import type { Step, Thresholds } from '../../../src/api.js'
import { counted, percent } from '../text/format.js'
import { type CurvePoint, curveOf, drawCurveMarks, topOf } from './curve.js'

const HEIGHT = 190
const stepped = uPlot.paths.stepped?.({ align: 1 })

/** P(h) after each step, with the thresholds of the forward risk and the point of no return. */
export function RiskCurve({
  steps,
  thresholds,
  onStep,
}: {
  readonly steps: readonly Step[]
  readonly thresholds: Thresholds | undefined
  /** @param place in `steps` */
  readonly onStep: (place: number) => void
}) {
  const place = useRef<HTMLDivElement>(null)
  const [pointed, setPointed] = useState<CurvePoint>()
  const points = useMemo(() => curveOf(steps), [steps])
  const forward = thresholds?.forward ?? []
  const scheme = useScheme()
  const latest = useRef({ points, onStep })
  latest.current = { points, onStep }
  const plot = useRef<uPlot | undefined>(undefined)
  const key = forward.join()

  useEffect(() => {
    const element = place.current
    if (element === null) return undefined
    const colour = (name: string) => getComputedStyle(element).getPropertyValue(name).trim()
    const axis = {
      stroke: colour('--muted'),
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { show: false },
    }
    const created = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { y: false, drag: { setScale: false } },
        scales: {
          x: { time: false, range: (_, min, max) => [min - 0.5, Math.max(max + 0.5, min + 4.5)] },
          y: { range: () => [0, topOf(latest.current.points, forward)] },
        },
        axes: [
          {
            ...axis,
            grid: { show: false },
            incrs: [1, 2, 5, 10, 20, 50, 100, 200],
            size: 28,
            values: (_, places) =>
              places.map((place) => latest.current.points.find((each) => each.place === place)?.step ?? ''),
          },
          { ...axis, values: (_, values) => values.map((value) => percent(value)), size: 46 },
        ],
        series: [
          {},
          {
            stroke: colour('--accent'),
            width: 2,
            fill: colour('--accent-soft'),
            ...(stepped && { paths: stepped }),
            points: { show: false },
          },
        ],
        hooks: {
          draw: [(self) => drawCurveMarks(self, latest.current.points, forward, colour)],
          setCursor: [({ cursor }) => setPointed(latest.current.points[cursor.idx ?? -1])],
        },
      },
      dataOf(latest.current.points),
      element,
    )
    plot.current = created
    created.over.addEventListener('click', () => {
      const at = latest.current.points[created.cursor.idx ?? -1]
      if (at !== undefined) latest.current.onStep(at.place)
    })
    const size = new ResizeObserver(() => created.setSize({ width: element.clientWidth, height: HEIGHT }))
    size.observe(element)
    return () => {
      size.disconnect()
      created.destroy()
    }
  }, [scheme, key])
  useEffect(() => plot.current?.setData(dataOf(points)), [points])

  return (
    <figure class="curve">
      <figcaption>
        <h2>Risk</h2>
        <span class="muted" aria-hidden="true">
          {pointed === undefined
            ? 'chance of a violation within the next steps, after each step'
            : `step ${pointed.step}: ${percent(pointed.probability)}`}
        </span>
      </figcaption>
      <div ref={place} class="plot" role="img" aria-label={inWords(points, forward)} />
    </figure>
  )
}

const dataOf = (points: readonly CurvePoint[]): uPlot.AlignedData => [
  points.map(({ place }) => place),
  points.map(({ probability }) => probability),
]

/** The curve for those who do not see it; each value is in the timeline too. */
function inWords(points: readonly CurvePoint[], forward: readonly number[]): string {
  const last = points.at(-1)
  if (last === undefined) return 'Risk curve: no step yet'
  const most = points.reduce((top, point) => (point.probability > top.probability ? point : top), last)
  const lost = points.find(({ isNoReturn }) => isNoReturn)
  return [
    `Risk curve over ${counted(points.length, 'step')}: ${percent(last.probability)} now`,
    `at most ${percent(most.probability)}, at step ${most.step}`,
    ...(forward.length > 0 ? [`thresholds at ${forward.map(percent).join(', ')}`] : []),
    ...(lost ? [`point of no return at step ${lost.step}`] : []),
  ].join('; ')
}

/** Light or dark: the curve is drawn again where it changes, as a canvas knows no styles. */
function useScheme(): boolean {
  const query = useMemo(() => matchMedia('(prefers-color-scheme: dark)'), [])
  const [isDark, setDark] = useState(query.matches)
  useEffect(() => {
    const follow = () => setDark(query.matches)
    query.addEventListener('change', follow)
    return () => query.removeEventListener('change', follow)
  }, [query])
  return isDark
}
