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
const MARGIN = { left: 52, right: 14, top: 12, bottom: 42 }

/** Series differ without colour too: each has its own dash. */
const DASHES = ',6 3,2 3,8 3 2 3,4 4,1 4,10 4,3 1,12 3 3 3,2 2 6 2,14 2,5 1 1 1'.split(',')

/** Colours of series, for a light page and for a dark one: the style sheet of whatever holds a plot needs them. */
export const SERIES_COLOURS = {
  light:
    '#1b6ca8 #c1440e #3a7d44 #6a4c93 #8a6d00 #555555 #b83280 #007777 #333399 #a0522d #2f6f00 #d2006b'.split(
      ' ',
    ),
  dark: '#6cb6f0 #ff9466 #7fd08c #c5a3f0 #e0bf4a #b8b8b8 #f58cc4 #5fd0d0 #a0a8ff #d9a07a #a5d86a #ff6fae'.split(
    ' ',
  ),
}

const stroke = (n: number): string =>
  `stroke="var(--s${n % SERIES_COLOURS.light.length})" stroke-dasharray="${DASHES[n % DASHES.length]}"`

/** Series as lines over two axes, with a legend below. `ideal`: a line from corner to corner, where all would lie. */
export function linePlot(series: readonly Series[], x: Axis, y: Axis, ideal = false): string {
  const lines = series.map(({ points }, n) => {
    const at = points.filter(([, value]) => Number.isFinite(value)).map(([a, b]) => `${px(x, a)},${py(y, b)}`)
    return `<polyline fill="none" ${stroke(n)} stroke-width="2" points="${at.join(' ')}"/>${dots(at, n)}`
  })
  const [left, right] = [px(x, x.low), px(x, x.high)]
  const corners = `<path class="ideal" d="M${left} ${py(y, y.low)}L${right} ${py(y, y.high)}"/>`
  return `${frame(x, y, `${ideal ? corners : ''}${lines.join('')}`)}${legend(series)}`
}

/** Few points are drawn as dots. */
const dots = (at: readonly string[], n: number): string =>
  at.length > 15
    ? ''
    : at
        .map((point) => point.split(','))
        .map(
          ([cx, cy]) =>
            `<circle cx="${cx}" cy="${cy}" r="2.5" fill="var(--s${n % SERIES_COLOURS.light.length})"/>`,
        )
        .join('')

/** Values as bars, each with a name below it and its value above. */
export function barPlot(
  bars: readonly (readonly [name: string, value: number])[],
  label: string,
  below = '',
): string {
  const high = Math.max(1, ...bars.map(([, value]) => value)) * 1.06
  const most = Math.max(1, ...bars.map(([, value]) => value))
  const y: Axis = { label, low: 0, high, ticks: [...new Set([0, Math.round(most / 2), Math.round(most)])] }
  const x: Axis = { label: below, low: 0, high: bars.length, ticks: [] }
  const width = (WIDTH - MARGIN.left - MARGIN.right) / bars.length
  const drawn = bars.map(([name, value], n) => {
    const top = Number(py(y, value))
    const left = Number(px(x, n))
    const bottom = HEIGHT - MARGIN.bottom
    const middle = (left + width / 2).toFixed(1)
    return (
      `<rect x="${(left + 3).toFixed(1)}" y="${top}" width="${(width - 6).toFixed(1)}" height="${(bottom - top).toFixed(1)}" fill="var(--s0)"><title>${escaped(name)}: ${value}</title></rect>` +
      `<text x="${middle}" y="${bottom + 15}" text-anchor="middle">${escaped(name)}</text>` +
      `<text x="${middle}" y="${(top - 3).toFixed(1)}" text-anchor="middle">${value}</text>`
    )
  })
  return frame(x, y, drawn.join(''))
}

const ROW = 20
const NAMES = 250

/** Shares, 0…1, as bars one below the other, each with its name to the left and its value to the right. */
export function rowPlot(rows: readonly (readonly [name: string, share: number, note: string])[]): string {
  const width = 620
  const room = width - NAMES - 110
  const drawn = rows.map(([name, share, note], n) => {
    const y = n * ROW + 4
    const length = (Math.min(1, Math.max(0, share)) * room).toFixed(1)
    return (
      `<text x="${NAMES - 8}" y="${y + 12}" text-anchor="end">${escaped(name)}</text>` +
      `<rect x="${NAMES}" y="${y}" width="${length}" height="${ROW - 5}" fill="var(--s0)"><title>${escaped(name)}: ${share}</title></rect>` +
      `<text x="${(NAMES + Number(length) + 6).toFixed(1)}" y="${y + 12}">${escaped(note)}</text>`
    )
  })
  return `<svg viewBox="0 0 ${width} ${rows.length * ROW + 8}" role="img">${drawn.join('')}</svg>`
}

function frame(x: Axis, y: Axis, content: string): string {
  const bottom = HEIGHT - MARGIN.bottom
  const ticksX = x.ticks.map(
    (tick) => `<text x="${px(x, tick)}" y="${bottom + 15}" text-anchor="middle">${tick}</text>`,
  )
  const ticksY = y.ticks.map(
    (tick) =>
      `<text x="${MARGIN.left - 6}" y="${Number(py(y, tick)) + 4}" text-anchor="end">${tick}</text>` +
      `<line class="grid" x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${py(y, tick)}" y2="${py(y, tick)}"/>`,
  )
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">${ticksY.join('')}${ticksX.join('')}
<path class="axis" d="M${MARGIN.left} ${MARGIN.top}V${bottom}H${WIDTH - MARGIN.right}"/>${content}
<text x="${(MARGIN.left + WIDTH - MARGIN.right) / 2}" y="${HEIGHT - 7}" text-anchor="middle">${escaped(x.label)}</text>
<text transform="translate(13 ${(MARGIN.top + bottom) / 2}) rotate(-90)" text-anchor="middle">${escaped(y.label)}</text></svg>`
}

const legend = (series: readonly Series[]): string =>
  `<p class="legend">${series
    .map(
      ({ name }, n) =>
        `<span><svg viewBox="0 0 30 8" width="30" height="8"><line x1="0" x2="30" y1="4" y2="4" stroke-width="2" ${stroke(n)}/></svg> ${escaped(name)}</span>`,
    )
    .join(' ')}</p>`

const placed = ({ low, high, place }: Axis, value: number): number =>
  Math.min(1, Math.max(0, place ? place(value) : (value - low) / (high - low)))
const px = (axis: Axis, value: number): string =>
  (MARGIN.left + placed(axis, value) * (WIDTH - MARGIN.left - MARGIN.right)).toFixed(1)
const py = (axis: Axis, value: number): string =>
  (HEIGHT - MARGIN.bottom - placed(axis, value) * (HEIGHT - MARGIN.bottom - MARGIN.top)).toFixed(1)

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes a text for HTML: names come from files. */
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)
