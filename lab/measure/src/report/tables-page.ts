import { SERIES_COLOURS, escaped } from './svg.js'

const coloursOf = (kind: keyof typeof SERIES_COLOURS): string =>
  SERIES_COLOURS[kind].map((colour, n) => `--s${n}:${colour}`).join(';')

/** Style of the page: light or dark as the reader's browser is, and narrow enough for a telephone. */
export const STYLE = `
:root{color-scheme:light dark;--ink:#222;--page:#fff;--soft:#f4f4f4;--line:#ddd;${coloursOf('light')}}
@media (prefers-color-scheme:dark){:root{--ink:#e4e4e4;--page:#17191c;--soft:#22252a;--line:#3a3e45;${coloursOf('dark')}}}
body{font:15px/1.45 system-ui,sans-serif;max-width:1040px;margin:2rem auto;padding:0 1rem;color:var(--ink);background:var(--page)}
.plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,420px),1fr));gap:1.5rem}
figure{margin:0;min-width:0}figcaption{font-weight:600;margin-bottom:.3rem}
svg{max-width:100%}figure>svg{width:100%;height:auto}svg text{font-size:11px;fill:var(--ink)}
.grid,.ideal{stroke:var(--line)}.axis{stroke:var(--ink);fill:none}
.legend{margin:.2rem 0 0}.legend span{white-space:nowrap;margin-right:.8rem;font-size:12px}
pre,.wide{overflow-x:auto}pre{background:var(--soft);padding:1rem;font-size:12px}
table{border-collapse:collapse;font-size:13px}td,th{padding:.1rem .8rem .1rem 0;text-align:left;white-space:nowrap}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
details{margin:.5rem 0}summary{cursor:pointer;font-weight:600}
`

export type Cell = string | number

/** Rows as a table, the first as its head; numbers to the right. */
export function htmlTable([head = [], ...rows]: readonly (readonly Cell[])[]): string {
  const cell = (tag: 'td' | 'th', value: Cell): string =>
    typeof value === 'number'
      ? `<${tag} class="n">${numberText(value)}</${tag}>`
      : `<${tag}>${escaped(value)}</${tag}>`
  const row = (tag: 'td' | 'th', values: readonly Cell[]): string =>
    `<tr>${values.map((value) => cell(tag, value)).join('')}</tr>`
  return `<div class="wide"><table>${row('th', head)}${rows.map((values) => row('td', values)).join('')}</table></div>`
}

/** Shares to three places, larger figures to one, counts as they are. */
function numberText(value: number): string {
  if (Number.isNaN(value)) return '–'
  if (Number.isInteger(value)) return String(value)
  return value.toFixed(Math.abs(value) < 10 ? 3 : 1)
}

/** What a page of tables shows. */
export interface TablesPage {
  readonly title: string
  readonly paragraphs: readonly string[]
  /** The first row of each is its head. */
  readonly tables: readonly (readonly [heading: string, rows: readonly (readonly Cell[])[]])[]
  /** Text that is shown as it is. */
  readonly report: string
}

/** One page that needs nothing else; whatever is in it is text. */
export function tablesPage({ title, paragraphs, tables, report }: TablesPage): string {
  const sections = tables.map(([heading, rows]) => `<h2>${escaped(heading)}</h2>${htmlTable(rows)}`)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escaped(title)}</title><style>${STYLE}</style></head><body>
<h1>${escaped(title)}</h1>
${paragraphs.map((text) => `<p>${escaped(text)}</p>`).join('\n')}
${sections.join('\n')}
<h2>Examples</h2><pre>${escaped(report)}</pre></body></html>
`
}
