import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { projectRoot } from '../support/paths.js'

/** Where each claim and its holder stand. Its first lines say what a claim is. */
export const CLAIMS_FILE = 'docs/reference/claims.tsv'

/** One line of the table. */
export interface ClaimRow {
  /** From the project's root. */
  readonly page: string
  readonly claim: string
  /** `test: TITLE`, `code: TEXT`, `run: COMMAND`, `study`, or `-` for a definition, advice or an instruction. */
  readonly holder: string
}

export function readClaims(): readonly ClaimRow[] {
  const lines = readFileSync(path.join(projectRoot, CLAIMS_FILE), 'utf8').trimEnd().split('\n')
  return lines
    .filter((line) => !line.startsWith('#'))
    .map((line) => {
      const [page = '', claim = '', holder = ''] = line.split('\t')
      return { page, claim, holder }
    })
}

/** The pages whose claims are all in the table; other pages have those that somebody put there. */
export function claimPages(): readonly string[] {
  const explanation = readdirSync(path.join(projectRoot, 'docs/explanation'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/explanation/${name}`)
  return ['README.md', 'CHANGELOG.md', 'docs/reference/configuration-figures.md', ...explanation]
}

/** The sentences and rows of tables of a page, as plain text on one line: no code blocks, headings or parts that a script writes. */
export function sentencesOf(text: string): readonly string[] {
  const prose = text
    .replaceAll(/^<!-- (?:made by |attacks)[^]*?^<!-- end of .*-->$/gm, '')
    .replaceAll(/^```[^]*?^ *```$/gm, '')
    .replaceAll(/^#.*$/gm, '')
    .replaceAll(/^\|[-:| ]+\|$/gm, '')
    // A linked figure is held by the test of linked figures; of another link only its text is read.
    .replaceAll(/\[[^\]]*\]\([^()\s]*\s+"[^"]*"\)/g, '…')
    .replaceAll(/\[([^\]]*)\]\([^()]*\)/g, '$1')
  return prose
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s)|\n(?=\|)/)
    .map((block) => block.replaceAll(/\s+/g, ' ').trim())
    .flatMap((block) =>
      block.startsWith('|')
        ? [block]
        : block.replace(/^(?:[-*]|\d+\.) /, '').split(/(?<=[.!?][)*]*) (?=[A-Z`*[(τ…])/),
    )
    .filter((sentence) => sentence !== '')
}

const FIGURE = /(?<![\w.-])[.−]?\d[\d.,]*(?![\w-])/
const ABSOLUTE = /\b(?:every|each|never|always|all|none|nothing|nobody|no)\b/i

/** Whether a sentence claims a number or something without exception. Code does not count. */
export function isClaim(sentence: string): boolean {
  const words = sentence.replaceAll(/`[^`]*`/g, '')
  return FIGURE.test(words) || ABSOLUTE.test(words)
}
