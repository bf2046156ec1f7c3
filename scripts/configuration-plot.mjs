/** Plots of shares against shares with their intervals, side by side, as an SVG that stands by itself on a light page and on a dark one. */

const WIDTH = 420
const HEIGHT = 340
const LEFT = 56
const RIGHT = 20
const TOP = 16
const BOTTOM = 52
const ROW = 22
/** One for what stands alone, then a pair's each. */
const COLOURS = ['#555555', '#1b6ca8', '#1b6ca8', '#3a7d44', '#3a7d44', '#c1440e', '#c1440e']

const STYLE = `.page{fill:#fff}text{font:12px system-ui,sans-serif;fill:#222}.grid{stroke:#ddd}.axis{stroke:#222;fill:none}`

/**
 * @param points each with its `name`, the share `x`, and a share `y` for each plot
 * @param labels `x`, and a `y` for each plot
 */
export function scatterPlots(points, labels) {
  const width = WIDTH * labels.y.length
  const height = HEIGHT + ROW * points.length + 10
  const plots = labels.y.map(
    (label, n) =>
      `<g transform="translate(${n * WIDTH} 0)">${plot(
        points.map(({ x, y }) => ({ x, y: y[n] })),
        { x: labels.x, y: label },
      )}</g>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">
<style>${STYLE}</style>
<rect class="page" width="${width}" height="${height}"/>
${plots.join('\n')}
${points.map(({ name }, n) => key(n, name)).join('\n')}
</svg>
`
}

function plot(points, labels) {
  return [
    ...[0, 0.2, 0.4, 0.6, 0.8, 1].map(grid),
    `<path class="axis" d="M${LEFT} ${TOP}V${HEIGHT - BOTTOM}H${WIDTH - RIGHT}"/>`,
    `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 14}" text-anchor="middle">${labels.x}</text>`,
    `<text transform="translate(14 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">${labels.y}</text>`,
    ...points.map(point),
  ].join('\n')
}

const round = (value) => Number(value.toFixed(1))
const px = (share) => round(LEFT + share * (WIDTH - LEFT - RIGHT))
const py = (share) => round(HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP))

const grid = (at) =>
  `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${py(at)}" y2="${py(at)}"/>` +
  `<text x="${LEFT - 6}" y="${py(at) + 4}" text-anchor="end">${100 * at}%</text>` +
  `<text x="${px(at)}" y="${HEIGHT - BOTTOM + 16}" text-anchor="middle">${100 * at}%</text>`

const point = ({ x, y }, n) =>
  `<path stroke="${COLOURS[n]}" d="M${px(x.low)} ${py(y.rate)}H${px(x.high)}M${px(x.rate)} ${py(y.low)}V${py(y.high)}"/>` +
  mark(px(x.rate), py(y.rate), n)

/** Every second is filled, from the first on; circles and squares in turn tell the pairs apart without their colours. */
function mark(x, y, n) {
  const look = `stroke="${COLOURS[n]}" stroke-width="2" fill="${n % 2 === 0 ? COLOURS[n] : '#fff'}"`
  const pair = Math.ceil(n / 2)
  if (pair === 0) return `<path d="M${x} ${y - 6}L${x + 6} ${y}L${x} ${y + 6}L${x - 6} ${y}Z" ${look}/>`
  if (pair === 1) return `<circle cx="${x}" cy="${y}" r="5" ${look}/>`
  if (pair === 2) return `<rect x="${x - 5}" y="${y - 5}" width="10" height="10" ${look}/>`
  return `<path d="M${x} ${y - 6}L${x + 6} ${y + 5}H${x - 6}Z" ${look}/>`
}

function key(n, text) {
  const y = HEIGHT + ROW * n + 8
  return `${mark(LEFT, y, n)}<text x="${LEFT + 14}" y="${y + 4}">${text}</text>`
}
