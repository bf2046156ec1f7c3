import { access, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PlimsollError } from '@plimsoll/contracts'
import { type Proposal, type ToolLabelling, proposeLabels } from '@plimsoll/labels'
import { mergeCatalogues, parseDocument, readDocument } from '@plimsoll/policy'
import { defineCommand, flag, json, list, text } from '../../command.js'
import { jsonLine, leftTable, plainText } from '../../format/text.js'
import { catalogueText, evidenceText } from './catalogue-text.js'
import { toolServerOptions, toolsFrom } from './tools-from.js'

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

export const label = defineCommand({
  name: 'label',
  summary: 'proposes labels for the tools of an MCP server or of a list, and writes a catalogue',
  description:
    'Starts the server or connects to it, and lists its tools; it calls none. Takes labels from the catalogues of `--keep`, from the server (`dev.plimsoll/labels` in `_meta`, annotations), and from names, descriptions and schemas. Lists doubtful labels first; the catalogue marks them with `guessed: true`.',
  operands: [
    [
      '<TOOLS...>',
      'a `.json` file of tools as MCP lists them; the URL of a server; or, after `--`, its command',
    ],
  ],
  options: {
    out: text('FILE', 'writes the catalogue to a new file'),
    keep: list(
      'CATALOGUE',
      'keeps the labels of this catalogue, such as a proposal that you edited; the last file wins',
    ),
    trustServer: flag('trusts the labels of the server, even if its names suggest worse ones'),
    ...toolServerOptions,
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
    if (out !== undefined && !json) context.stdout.write(`${out}: review it, correct it, then publish it\n`)
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
