/**
 * Makes docs/terminal.svg, the picture of the first tutorial: what `npm start -- --once` shows of a few sessions, with its totals.
 * Needs a build (`npm run build`).
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

const OUT = 'docs/terminal.svg'
const COLUMNS_MAX = 140
const LINES_MAX = 16
/** Sessions with every verdict among their steps. */
const SHOWN = /fleet:(?:member-merge|harbour-dues)|^verdict/
const FILLS = { allow: '#7ee787', warn: '#e3b341', confirm: '#d2a8ff', block: '#ff7b72' }

const args = ['services/cli/bin/plimsoll.js', 'up', '--once', '--port', '0', '--gateway', '0']
const text = execFileSync(process.execPath, args, { encoding: 'utf8' })
const [, fleet = '', totals = ''] = /(verdict +session[^]*?)\n\n(category[^]*?)\n\n/.exec(text) ?? []
const decisions = fleet.split('\n').filter((line) => SHOWN.test(line))
const lines = ['$ npm start', '', ...decisions.slice(0, LINES_MAX), '', ...totals.split('\n')]

const escaped = (part) => part.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const cut = (line) => (line.length > COLUMNS_MAX ? `${line.slice(0, COLUMNS_MAX - 1)}…` : line)

function row(line, index) {
  const [first] = line.split(' ', 1)
  const fill = FILLS[first]
  const y = 24 + index * 18
  const body = fill
    ? `<tspan fill="${fill}">${first}</tspan>${escaped(line.slice(first.length))}`
    : escaped(line)
  return `<text x="16" y="${y}" xml:space="preserve">${body}</text>`
}

const width = 32 + COLUMNS_MAX * 7.3
const height = 24 + lines.length * 18
writeFileSync(
  OUT,
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Decisions of npm start">
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="12" fill="#c9d1d9">
${lines.map((line, index) => row(cut(line), index)).join('\n')}
</g>
</svg>
`,
)
process.stdout.write(`${OUT}: ${lines.length} lines\n`)
