import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { projectRoot } from '../support/paths.js'

/** Pages of figures that are made, by file name: in docs/reference. */
export const FIGURE_PAGES = ['prediction-figures.md', 'configuration-figures.md'] as const
type FigurePages = Readonly<Record<string, string>>

/**
 * Figures in prose that are taken from a page of figures. Each is a link to a section of the page, whose title says where in its tables:
 * `[.985](prediction-figures.md#unseen-attacks "flow / banking")` is the cell of row `flow` and column `banking` in the first table of that
 * section that has both. With three parts the first is the table's first heading: `"by p5 / flow / banking"`. A row goes by its first cell,
 * or by its first cells joined by commas (`flow, p5After`).
 */
const LINK = new RegExp(
  String.raw`\[([^\]\n]+)\]\((?:[\w./-]*\/)?(${FIGURE_PAGES.join('|')})#([\w-]+)\s+"([^"]+)"\)`,
  'g',
)

/** Pages that quote such figures. */
export const PROSE_FILES = [
  'README.md',
  'docs/explanation/prediction.md',
  'docs/explanation/limits.md',
  'docs/reference/configuration-figures.md',
  'docs/guides/secure.md',
] as const

/** The pages of figures as they are. */
export const readFigurePages = (): FigurePages =>
  Object.fromEntries(
    FIGURE_PAGES.map((name) => [name, readFileSync(path.join(projectRoot, 'docs/reference', name), 'utf8')]),
  )

/** Writes the figures of the pages into the prose that quotes them. */
export function writeLinkedFigures(): void {
  const pages = readFigurePages()
  for (const name of PROSE_FILES) {
    const file = path.join(projectRoot, name)
    const text = readFileSync(file, 'utf8')
    const linked = linkFigures(text, pages)
    if (linked !== text) writeFileSync(file, linked)
  }
}

/** A figure that differs from the page, or that the page does not have. */
export interface WrongFigure {
  readonly text: string
  readonly where: string
  /** What the page says; undefined if it has no such cell. */
  readonly page: string | undefined
}

/** @param prose Markdown with linked figures */
export function wrongFigures(prose: string, pages: FigurePages): readonly WrongFigure[] {
  const cellOf = cellsOf(pages)
  return [...prose.matchAll(LINK)].flatMap(([, text = '', page = '', section = '', title = '']) => {
    const found = cellOf(page, section, title)
    return found === text ? [] : [{ text, where: `${page}#${section} "${title}"`, page: found }]
  })
}

/** The prose with the figures of the pages; those that a page does not have stay. */
export function linkFigures(prose: string, pages: FigurePages): string {
  const cellOf = cellsOf(pages)
  return prose.replaceAll(
    LINK,
    (link: string, text: string, page: string, section: string, title: string) => {
      const found = cellOf(page, section, title)
      return found === undefined ? link : link.replace(`[${text}]`, `[${found}]`)
    },
  )
}

type CellOf = (page: string, section: string, title: string) => string | undefined

function cellsOf(pages: FigurePages): CellOf {
  const cells = new Map(Object.entries(pages).map(([name, text]) => [name, cellsIn(text)]))
  return (page, section, title) => cells.get(page)?.(section, title)
}

/** Of a section (its anchor) and a title: the figure in the cell, without interval or count. */
function cellsIn(page: string): (section: string, title: string) => string | undefined {
  const sections = new Map(
    page.split(/^##+ /m).map((text) => [anchorOf(text.slice(0, text.indexOf('\n'))), tablesIn(text)]),
  )
  return (section, title) => {
    const parts = title.split(' / ')
    const [table, row = '', column = ''] = parts.length === 3 ? parts : [undefined, ...parts]
    for (const { head, rows } of sections.get(section) ?? []) {
      if (table !== undefined && head[0] !== table) continue
      const at = head.indexOf(column)
      const cells = rows.find((each) => isNamed(each, row))
      if (at > 0 && cells) return cells[at]?.replace(/ (?:\[|of ).*$/, '')
    }
    return undefined
  }
}

/** The anchor that a heading gets. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(/\s/g, '-')

interface Table {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

function tablesIn(text: string): readonly Table[] {
  return [...text.matchAll(/(?:^\|.*\|$\n?)+/gm)].flatMap(([block]) => {
    const [head, _rule, ...rows] = block
      .trim()
      .split('\n')
      .map((line) => line.slice(1, -1).split('|').map(plain))
    return head ? [{ head, rows }] : []
  })
}

const plain = (cell: string): string => cell.replaceAll(/[*`]/g, '').trim()

const isNamed = (cells: readonly string[], row: string): boolean =>
  cells.some((_, n) => cells.slice(0, n + 1).join(', ') === row)

/** The anchors of a page's sections. */
export const anchorsIn = (page: string): readonly string[] =>
  [...page.matchAll(/^##+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))
