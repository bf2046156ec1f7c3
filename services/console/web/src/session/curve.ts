import type { Verdict } from '@plimsoll/contracts'
import type uPlot from 'uplot'
import type { Step } from '../../../src/api.js'
import { VERDICT_SIGNS } from '../parts/verdict-mark.js'

export interface CurvePoint {
  /** In the list of steps. */
  readonly place: number
  /** Number of the step in the session. */
  readonly step: number
  readonly probability: number
  readonly verdict: Verdict | undefined
  readonly isNoReturn: boolean
}

/** The steps that have a number and a risk; blocked ones too, which have the number of the step that follows. */
export const curveOf = (steps: readonly Step[]): readonly CurvePoint[] =>
  steps.flatMap(({ step, probability, verdict, firstVerdict, pointOfNoReturn }, place) =>
    step === 0 || probability === undefined
      ? []
      : {
          place,
          step,
          probability,
          verdict: firstVerdict ?? verdict,
          isNoReturn: pointOfNoReturn !== undefined,
        },
  )

/** The greatest probability on the axis: the curve, and the threshold that it would pass next. */
export function topOf(points: readonly CurvePoint[], forward: readonly number[]): number {
  const most = Math.max(0, ...points.map(({ probability }) => probability))
  const next = forward.find((threshold) => threshold > most) ?? 0
  return Math.min(1, Math.max(0.05, 1.18 * Math.max(most, next)))
}

/** Thresholds, the point of no return, and a sign at each step that was not simply allowed. */
export function drawCurveMarks(
  plot: uPlot,
  points: readonly CurvePoint[],
  forward: readonly number[],
  colour: (name: string) => string,
): void {
  const { ctx, bbox } = plot
  const ratio = devicePixelRatio
  ctx.save()
  ctx.lineWidth = ratio
  ctx.font = `${11 * ratio}px system-ui, sans-serif`
  for (const [at, threshold] of forward.entries()) {
    const y = plot.valToPos(threshold, 'y', true)
    if (y < bbox.top) continue
    ctx.strokeStyle = ctx.fillStyle = colour(`--band-${at + 1}`)
    dashed(ctx, ratio, [bbox.left, y], [bbox.left + bbox.width, y])
    ctx.textAlign = 'left'
    ctx.textBaseline = 'bottom'
    ctx.fillText(`threshold ${at + 1}`, bbox.left + 4 * ratio, y - 2 * ratio)
  }
  const lost = points.find(({ isNoReturn }) => isNoReturn)
  if (lost !== undefined) {
    const x = plot.valToPos(lost.place, 'x', true)
    ctx.strokeStyle = ctx.fillStyle = colour('--block')
    dashed(ctx, ratio, [x, bbox.top], [x, bbox.top + bbox.height])
    const isRight = x > bbox.left + bbox.width / 2
    ctx.textAlign = isRight ? 'right' : 'left'
    ctx.textBaseline = 'top'
    ctx.fillText('▲ point of no return', x + (isRight ? -5 : 5) * ratio, bbox.top + 2 * ratio)
  }
  ctx.textAlign = 'center'
  ctx.textBaseline = 'middle'
  for (const { place, probability, verdict } of points) {
    if (verdict === undefined) continue
    const x = plot.valToPos(place, 'x', true)
    const y = plot.valToPos(probability, 'y', true)
    const isAllowed = verdict === 'allow'
    ctx.beginPath()
    ctx.arc(x, y, (isAllowed ? 3 : 7.5) * ratio, 0, 2 * Math.PI)
    ctx.fillStyle = isAllowed ? colour('--accent') : colour(`--${verdict}`)
    ctx.fill()
    if (isAllowed) continue
    ctx.fillStyle = colour('--surface')
    ctx.font = `bold ${10 * ratio}px system-ui, sans-serif`
    ctx.fillText(VERDICT_SIGNS[verdict], x, y + 0.5 * ratio)
  }
  ctx.restore()
}

function dashed(
  ctx: CanvasRenderingContext2D,
  ratio: number,
  from: readonly [number, number],
  to: readonly [number, number],
): void {
  ctx.setLineDash([5 * ratio, 4 * ratio])
  ctx.beginPath()
  ctx.moveTo(...from)
  ctx.lineTo(...to)
  ctx.stroke()
  ctx.setLineDash([])
}
