/** A line or a set of points of a plot. */
export interface Series {
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number])[]
}

export interface Axis {
  readonly label: string
  readonly low: number
  readonly high: number
  readonly ticks: readonly number[]
  /** Where on the axis, 0…1, a value stands; straight where left out. */
  readonly place?: (value: number) => number
}

const WIDTH = 460
const HEIGHT = 300
const MARGIN = { left: 52, right: 12, top: 12, bottom: 40 }

/** Told apart without colour too: each has a dash of its own. */
const STROKES = [
  '#1b6ca8',
  '#c1440e',
  '#3a7d44',
  '#6a4c93',
  '#8a6d00',
  '#555555',
  '#b83280',
  '#007777',
  '#333399',
]
const DASHES = ['', '6 3', '2 3', '8 3 2 3', '4 4', '1 4', '10 4', '3 1', '12 3 3 3']

/** Series as lines over two axes, with a legend below. */
export function linePlot(series: readonly Series[], x: Axis, y: Axis): string {
  const lines = series.map(({ points }, n) => {
    const at = points.filter(([, value]) => Number.isFinite(value)).map(([a, b]) => `${px(x, a)},${py(y, b)}`)
    return `<polyline fill="none" stroke="${STROKES[n % STROKES.length]}" stroke-width="2" stroke-dasharray="${DASHES[n % DASHES.length]}" points="${at.join(' ')}"/>`
  })
  return `${frame(x, y, lines.join(''))}${legend(series)}`
}

/** Values as bars, each with a name. */
export function barPlot(bars: readonly (readonly [name: string, value: number])[], label: string): string {
  const high = Math.max(1, ...bars.map(([, value]) => value))
  const y: Axis = { label, low: 0, high, ticks: [0, Math.round(high / 2), Math.round(high)] }
  const x: Axis = { label: '', low: 0, high: bars.length, ticks: [] }
  const width = (WIDTH - MARGIN.left - MARGIN.right) / bars.length
  const drawn = bars.map(([name, value], n) => {
    const top = py(y, value)
    const left = Number(px(x, n)) + 3
    const bottom = HEIGHT - MARGIN.bottom
    return (
      `<rect x="${left}" y="${top}" width="${(width - 6).toFixed(1)}" height="${(bottom - Number(top)).toFixed(1)}" fill="${STROKES[0]}"><title>${escaped(name)}: ${value}</title></rect>` +
      `<text x="${left + width / 2 - 3}" y="${bottom + 15}" text-anchor="middle">${escaped(name)}</text>`
    )
  })
  return frame(x, y, drawn.join(''))
}

function frame(x: Axis, y: Axis, content: string): string {
  const bottom = HEIGHT - MARGIN.bottom
  const ticksX = x.ticks.map(
    (tick) => `<text x="${px(x, tick)}" y="${bottom + 15}" text-anchor="middle">${tick}</text>`,
  )
  const ticksY = y.ticks.map(
    (tick) =>
      `<text x="${MARGIN.left - 6}" y="${Number(py(y, tick)) + 4}" text-anchor="end">${tick}</text>` +
      `<line x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${py(y, tick)}" y2="${py(y, tick)}" stroke="#ddd"/>`,
  )
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">${ticksY.join('')}${ticksX.join('')}
<path d="M${MARGIN.left} ${MARGIN.top}V${bottom}H${WIDTH - MARGIN.right}" fill="none" stroke="#333"/>${content}
<text x="${(MARGIN.left + WIDTH) / 2}" y="${HEIGHT - 6}" text-anchor="middle">${escaped(x.label)}</text>
<text transform="translate(13 ${bottom / 2}) rotate(-90)" text-anchor="middle">${escaped(y.label)}</text></svg>`
}

const legend = (series: readonly Series[]): string =>
  `<p class="legend">${series
    .map(
      ({ name }, n) =>
        `<span><svg viewBox="0 0 30 8" width="30" height="8"><line x1="0" x2="30" y1="4" y2="4" stroke-width="2" stroke="${STROKES[n % STROKES.length]}" stroke-dasharray="${DASHES[n % DASHES.length]}"/></svg> ${escaped(name)}</span>`,
    )
    .join(' ')}</p>`

const placed = ({ low, high, place }: Axis, value: number): number =>
  Math.min(1, Math.max(0, place ? place(value) : (value - low) / (high - low)))
const px = (axis: Axis, value: number): string =>
  (MARGIN.left + placed(axis, value) * (WIDTH - MARGIN.left - MARGIN.right)).toFixed(1)
const py = (axis: Axis, value: number): string =>
  (HEIGHT - MARGIN.bottom - placed(axis, value) * (HEIGHT - MARGIN.bottom - MARGIN.top)).toFixed(1)

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text that is markup nowhere: names come from files. */
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)
