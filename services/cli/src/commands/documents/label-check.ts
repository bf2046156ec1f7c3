import { PlimsollError } from '@plimsoll/contracts'
import { readTraces } from '@plimsoll/fit'
import {
  type Agreement,
  type Coverage,
  type LintFinding,
  agreementOf,
  coverageOf,
  lintCatalogue,
} from '@plimsoll/labels'
import { readDocument } from '@plimsoll/policy'
import { defineCommand, flag, json, text, tracesOption } from '../../command.js'
import { jsonLine, leftTable, plainText } from '../../format/text.js'
import { readToolFile, toolServerOptions, toolsFrom } from './tools-from.js'

/** The coverage of one file of recorded sessions. */
export interface FileCoverage extends Coverage {
  readonly file: string
}

export interface LintReport {
  readonly findings: readonly LintFinding[]
  readonly agreement: Agreement | undefined
  readonly coverage: readonly FileCoverage[]
}

/** Percent of the steps of a file; with less a catalogue does not fit its sessions. */
const COVERAGE_MIN = 95

/** Findings of one kind that are shown one by one. */
const SHOWN_MAX = 20

export function lintText({ findings, agreement, coverage }: LintReport): string {
  const parts = (['fail', 'warn', 'note'] as const).map((status) =>
    findingsOf(findings.filter((finding) => finding.status === status)),
  )
  const corrected = agreement?.corrected ?? []
  return [
    ...parts,
    ...coverage.map(coverageLine),
    agreement ? `${agreement.agreed} tools labelled as proposed, ${corrected.length} differently` : '',
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

function coverageLine(coverage: FileCoverage): string {
  const { file, steps, labelled, unlabelled } = coverage
  const missing = unlabelled.slice(0, SHOWN_MAX).map(([tool, steps]) => `${plainText(tool)} (${steps})`)
  const line = `${plainText(file)}: ${labelled} of ${steps} steps labelled, ${(100 * shareOf(coverage)).toFixed(1)}%`
  const isEnough = 100 * shareOf(coverage) >= COVERAGE_MIN
  return `${line}${isEnough ? '' : `, too few: ${COVERAGE_MIN}% are needed`}${missing.length > 0 ? `; not ${missing.join(', ')}` : ''}\n`
}

function sumText(findings: readonly LintFinding[]): string {
  const count = (status: LintFinding['status']) => findings.filter((each) => each.status === status).length
  return `${count('fail')} wrong, ${count('warn')} to look at, ${count('note')} notes`
}

export const labelCheck = defineCommand({
  name: 'label check',
  summary: 'compares a catalogue with its tools and with recorded sessions',
  description:
    'Lists tools without labels, entries that contradict each other or the tools, names without a tool, and the share of recorded steps with labels. With tools, also how many have the proposed labels. Exit code 1 if anything is wrong, or still marked as a guess.',
  operands: [
    [
      '<CATALOGUE...>',
      'the file; then the URL of the server whose tools it labels or, after `--`, its command',
    ],
  ],
  options: {
    tools: text('FILE', 'the tools that it labels, as MCP lists them'),
    traces: tracesOption,
    allowGuesses: flag('does not fail on labels marked as guesses'),
    ...toolServerOptions,
    json,
  },
  examples: [
    ['catalogue.yaml --traces sessions.jsonl.gz', 'whether it covers the tools that agents call'],
    [
      'files.yaml -- npx -y @modelcontextprotocol/server-filesystem /srv',
      'whether it fits the tools of a server',
    ],
  ],
  async run(options, [file = '', ...command], context) {
    const { tools: toolFile, traces, set, env, header, timeout: timeoutMs, json } = options
    const catalogue = await readDocument('catalogue', file)
    const source = toolFile === undefined ? command : [toolFile]
    const tools =
      toolFile === undefined
        ? source.length > 0
          ? await toolsFrom(source, { set, env, header, timeoutMs }, context)
          : undefined
        : await readToolFile(toolFile, set)
    const coverage: FileCoverage[] = []
    for (const file of traces) coverage.push({ file, ...coverageOf(catalogue, await callsIn(file)) })
    const findings = lintCatalogue(catalogue, {
      allowsGuesses: options.allowGuesses,
      ...(tools && { tools }),
    })
    const report = { findings, agreement: tools && agreementOf(catalogue, tools), coverage }
    context.stdout.write(json ? jsonLine(report) : lintText(report))
    const isCovered = coverage.every((each) => 100 * shareOf(each) >= COVERAGE_MIN)
    return isCovered && findings.every(({ status }) => status !== 'fail') ? 0 : 1
  },
})

/** Steps by the name of their tool. */
async function callsIn(file: string): Promise<ReadonlyMap<string, number>> {
  const calls = new Map<string, number>()
  for await (const { steps } of readTraces([file]))
    for (const { tool } of steps) calls.set(tool, (calls.get(tool) ?? 0) + 1)
  // Without steps everything would count as covered.
  if (calls.size === 0) throw new PlimsollError('traces_invalid', `\`${file}\` has no step`)
  return calls
}
