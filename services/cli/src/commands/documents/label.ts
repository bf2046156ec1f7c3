import { access, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PlimsollError } from '@plimsoll/contracts'
import {
  type Agreement,
  type CategoryReading,
  type Coverage,
  type LintFinding,
  type Proposal,
  type ToolLabelling,
  agreementOf,
  coverageOf,
  lintCatalogue,
  proposeLabels,
  readCategory,
  shippedCategoryModel,
} from '@plimsoll/labels'
import { mergeCatalogues, parseDocument, readDocument } from '@plimsoll/policy'
import { readTraces } from '@plimsoll/fit'
import { defineCommand, duration, flag, json, list, text } from '../../command.js'
import { jsonLine, leftTable, plainText } from '../../format/text.js'
import { catalogueText, evidenceText } from './catalogue-text.js'
import { readToolFile, toolsFrom } from './tools-from.js'

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

const HEADER = ['tool', 'capability', 'reversibility', 'confidentiality', 'trust', 'because']

/** A table with a line a tool, the doubtful first with what is doubtful; a sum at the end. */
export function proposalText({ labellings, refused }: Proposal, took: number): string {
  const doubtful = labellings.filter(({ doubts }) => doubts.length > 0)
  const clear = labellings.length - doubtful.length
  const left = refused.map(({ tool, why }) => `left out: ${plainText(tool).slice(0, 100)}: ${why}\n`)
  const sum = [
    `${labellings.length + refused.length} tools`,
    `${clear} clear`,
    `${doubtful.length} doubtful`,
    ...(refused.length > 0 ? [`${refused.length} left out`] : []),
    `${(took / 1000).toFixed(1)} s`,
  ]
  const [header = '', ...rows] = leftTable([HEADER, ...labellings.map(cellsOf)]).split('\n')
  const lines = labellings.flatMap(({ doubts }, at) => [`${rows[at] ?? ''}\n`, ...doubts.map(doubtLine)])
  return [...(labellings.length > 0 ? [`${header}\n`] : []), ...lines, ...left, `${sum.join(', ')}\n`].join(
    '',
  )
}

const doubtLine = (doubt: string): string => `    ? ${plainText(doubt)}\n`

function cellsOf({ tool, perLabel }: ToolLabelling): string[] {
  const { capability, confidentiality, trust, reversibility } = perLabel
  return [
    tool,
    capability.value,
    reversibility.value,
    confidentiality.value,
    trust.value,
    evidenceText(perLabel),
  ]
}

const serverOptions = {
  set: text('NAME', 'which list, if the file has several'),
  env: list(
    'NAME',
    'the command gets only these variables; default: all but those of Plimsoll (`PLIMSOLL_…`)',
  ),
  header: list(
    'NAME=VARIABLE',
    'a header for a server at a URL, and the variable of this environment with its value, so that no secret is on the command line',
  ),
  timeout: duration('how long the server may take', '30s'),
}

export const label = defineCommand({
  name: 'label',
  summary: 'proposes labels for the tools of an MCP server or of a list, and writes a catalogue',
  description:
    'Starts the server or connects to it, and lists its tools; it calls none. Labels come from the catalogues to keep, from `_meta` (`dev.plimsoll/labels`) and annotations of the server, and from names, descriptions and schemas. Doubtful labels come first, with `guessed: true` in the catalogue.',
  operands: [
    [
      '<TOOLS...>',
      'a `.json` file of tools as MCP lists them; the URL of a server; or, after `--`, its command',
    ],
  ],
  options: {
    out: text('FILE', 'where to write the catalogue; never over an existing file'),
    keep: list(
      'CATALOGUE',
      'keeps the labels of this catalogue, such as an earlier proposal that you edited; the last one wins',
    ),
    trustServer: flag('believes what the server says even if its names say worse'),
    ...serverOptions,
    json,
  },
  examples: [
    ['--out files.yaml -- npx -y @modelcontextprotocol/server-filesystem /srv', 'the tools of a server'],
    ['tools.json --set mail', 'one list of a file'],
    ['--header authorization=MCP_AUTHORIZATION https://mcp.example.com/mcp', 'a server at a URL'],
  ],
  async run(options, operands, context) {
    const { out, json, timeout: timeoutMs, set, env, header } = options
    if (out !== undefined) await assertNew(out)
    const started = performance.now()
    const [first, ...later] = await Promise.all(options.keep.map((file) => readDocument('catalogue', file)))
    const catalogue = first && mergeCatalogues(first, ...later)
    const tools = await toolsFrom(operands, { set, env, header, timeoutMs }, context)
    const proposal = proposeLabels(tools, catalogue, { trustsServer: options.trustServer })
    const text = catalogueText('proposed', proposal, tools)
    // The proposal must be a valid catalogue.
    parseDocument('catalogue', text, out ?? 'proposed')
    if (out !== undefined) await writeFile(out, text, { flag: 'wx' })
    const took = performance.now() - started
    context.stdout.write(
      json ? jsonLine({ ...proposal, seconds: took / 1000 }) : proposalText(proposal, took),
    )
    if (out !== undefined && !json)
      context.stdout.write(`${out}: read it, change what is wrong, publish it\n`)
    return 0
  },
})

/** An edited catalogue is never overwritten. Throws `usage_invalid`. */
async function assertNew(file: string): Promise<void> {
  const refuse = (why: string) => {
    throw new PlimsollError('usage_invalid', `\`${file}\` ${why}`)
  }
  const isThere = await access(file).then(
    () => true,
    () => false,
  )
  if (isThere) refuse('exists: give another name, or delete it')
  await access(path.dirname(path.resolve(file))).catch(() => refuse('cannot be written'))
}

export const labelCheck = defineCommand({
  name: 'label check',
  summary: 'compares a catalogue with its tools and with recorded sessions',
  description:
    'Lists tools without labels, entries that contradict each other or the tools, names without a tool, and the share of recorded steps with labels. With tools, also how many have the proposed labels. Exit code 1 if anything is wrong, or guessed and not reviewed.',
  operands: [
    [
      '<CATALOGUE...>',
      'the file; after it the URL or, after `--`, the command of a server whose tools it is for',
    ],
  ],
  options: {
    tools: text('FILE', 'the tools that it is for, as MCP lists them'),
    traces: list('FILE', 'recorded sessions'),
    allowGuesses: flag('does not fail on labels marked as guesses'),
    ...serverOptions,
    json,
  },
  examples: [
    ['catalogue.yaml --traces sessions.jsonl.gz', 'whether it covers what agents really call'],
    ['files.yaml -- npx -y @modelcontextprotocol/server-filesystem /srv', 'whether it fits a server'],
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
  if (calls.size === 0) throw new PlimsollError('traces_invalid', `there is no step in \`${file}\``)
  return calls
}

const WORDS_SHOWN = 10

export const category = defineCommand({
  name: 'category',
  summary: 'shows the category of a task text, and the words that decide it',
  description:
    'The category that a client reports for a task without a declared one. It finds none for a task unlike those that the model was fitted to: the session is read by the aggregate then.',
  operands: [['<TEXT...>', 'the task']],
  options: { json },
  examples: [['"Count the files in /var/log"', 'one task']],
  async run({ json }, operands, { stdout }) {
    const model = shippedCategoryModel()
    const reading = readCategory(operands.join(' '), model)
    stdout.write(json ? `${jsonLine(reading)}\n` : readingText(reading, model.threshold))
    return 0
  },
})

function readingText(
  { found, nearest, words, known, distinctive: reporting }: CategoryReading,
  threshold: number,
): string {
  const rows = reporting.slice(0, WORDS_SHOWN).map(({ word, odds }) => [word, odds.toFixed(2)])
  return [
    `category: ${found?.category ?? 'none, the aggregate is read'}\n`,
    `nearest: ${nearest?.category ?? '-'}, ${nearest?.confidence ?? 0} of at least ${threshold}; ${known} of ${words} words are known\n`,
    ...(rows.length > 0 ? [leftTable([['word', 'speaks for it'], ...rows])] : []),
  ].join('')
}
