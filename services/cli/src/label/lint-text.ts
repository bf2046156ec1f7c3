import type { Agreement, Coverage, LintFinding } from '@plimsoll/labels'
import { plainText } from '../plain-text.js'
import { leftTable } from '../text-table.js'

/** The coverage of one file of recorded sessions. */
export interface FileCoverage extends Coverage {
  readonly file: string
}

export interface LintReport {
  readonly findings: readonly LintFinding[]
  readonly agreement: Agreement | undefined
  readonly coverage: readonly FileCoverage[]
}

/** Findings of one kind that are shown one by one. */
const SHOWN_MAX = 20

/** `coverageMin`: the least that is enough, percent. */
export function lintText({ findings, agreement, coverage }: LintReport, coverageMin: number): string {
  const parts = (['fail', 'warn', 'note'] as const).map((status) =>
    findingsOf(findings.filter((finding) => finding.status === status)),
  )
  const corrected = agreement?.corrected ?? []
  return [
    ...parts,
    ...coverage.map((each) => coverageLine(each, coverageMin)),
    agreement ? `${agreement.agreed} tools labelled as proposed, ${corrected.length} otherwise` : '',
    corrected.length > 0 ? `: ${corrected.map(plainText).join(', ')}` : '',
    agreement ? '\n' : '',
    `${sumText(findings)}\n`,
  ].join('')
}

function findingsOf(findings: readonly LintFinding[]): string {
  const rows = findings.slice(0, SHOWN_MAX).map(({ status, tool, what }) => [status, tool, what])
  const more = findings.length - rows.length
  return `${rows.length > 0 ? leftTable(rows) : ''}${more > 0 ? `      and ${more} more\n` : ''}`
}

export const shareOf = ({ steps, labelled }: Coverage): number => (steps === 0 ? 1 : labelled / steps)

function coverageLine(coverage: FileCoverage, coverageMin: number): string {
  const { file, steps, labelled, unlabelled } = coverage
  const missing = unlabelled.slice(0, SHOWN_MAX).map(([tool, steps]) => `${plainText(tool)} (${steps})`)
  const line = `${plainText(file)}: ${labelled} of ${steps} steps labelled, ${(100 * shareOf(coverage)).toFixed(1)}%`
  const isEnough = 100 * shareOf(coverage) >= coverageMin
  return `${line}${isEnough ? '' : `, too few: ${coverageMin}% are needed`}${missing.length > 0 ? `; not ${missing.join(', ')}` : ''}\n`
}

function sumText(findings: readonly LintFinding[]): string {
  const count = (status: LintFinding['status']) => findings.filter((each) => each.status === status).length
  return `${count('fail')} wrong, ${count('warn')} to look at, ${count('note')} notes`
}
