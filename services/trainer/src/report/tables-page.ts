import { STYLE } from './style.js'
import { escaped } from './svg.js'
import { htmlTable, type Cell } from './table.js'

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
