import { readFile, writeFile } from 'node:fs/promises'
import { PlimsollError } from '@plimsoll/contracts'
import {
  type HazardRow,
  type LocatedFinding,
  type Severity,
  type Traceability,
  lintText,
  readDocument,
  traceabilityOf,
} from '@plimsoll/policy'
import { assertWritable } from '../../assert-writable.js'
import { defineCommand } from '../../command.js'
import { jsonLine, plainText } from '../../format/text-table.js'
import { traceMarkdown } from '../../policy/trace-markdown.js'

/** `policy.yaml:6:12: error requirement-without-spec: …`, a line each, as editors and terminals follow it; then how many there are. */
export function findingsText(findings: readonly LocatedFinding[], file: string): string {
  const lines = findings.map(({ severity, code, place, part, path, message }) => {
    const at = place ? `${place.line}:${place.column}` : path.join('.')
    const where = part === undefined ? '' : ` (${part})`
    return `${plainText(`${file}:${at}: ${severity} ${code}${where}: ${message}`)}\n`
  })
  return `${lines.join('')}${sumText(findings)}\n`
}

export function sumText(findings: readonly LocatedFinding[]): string {
  const count = (severity: Severity) => findings.filter((each) => each.severity === severity).length
  return `${count('error')} errors, ${count('warning')} warnings, ${count('note')} notes`
}

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:80rem;padding:0 1rem;color:#1b2733}
table{border-collapse:collapse;width:100%;margin:1rem 0}th,td{border:1px solid #cfd8e0;padding:.35rem .6rem;text-align:left;vertical-align:top}
th{background:#eef3f7}td.mark{text-align:center;color:#0b6e4f}td.none{background:#fff1f0}code{background:#eef3f7;padding:0 .2em}
.error{color:#b3261e}.warning{color:#8a5a00}.note{color:#47607a}`

/** From losses to specs, as one page that needs nothing else. */
export function tracePage(name: string, trace: Traceability, findings: readonly LocatedFinding[]): string {
  const { hazards, requirements, specs } = trace
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Plimsoll: ${escaped(name)}</title><style>${STYLE}</style></head><body>
<h1>${escaped(name)}: from losses to specs</h1>
${hazards.length > 0 ? hazardTable(hazards) : '<p>The policy has no analysis.</p>'}
<h2>Requirements and specs</h2>
<table><thead><tr><th>spec</th><th>tier</th>${requirements.map(({ id, text }) => `<th title="${escaped(text)}">${escaped(id)}</th>`).join('')}</tr></thead><tbody>
${specs
  .map(
    (spec) =>
      `<tr><td><code>${escaped(spec.id)}</code></td><td>${spec.tier}</td>${requirements.map(({ id }) => `<td class="mark">${spec.requirements.includes(id) ? '●' : ''}</td>`).join('')}</tr>`,
  )
  .join('\n')}
</tbody></table>
<h2>Findings</h2><p>${sumText(findings)}</p><ul>
${findings.map(findingItem).join('\n')}
</ul></body></html>
`
}

const hazardTable = (hazards: readonly HazardRow[]): string =>
  `<table><thead><tr>${['losses', 'hazard', 'can be verified', 'unsafe control actions', 'requirements', 'specs'].map((head) => `<th>${head}</th>`).join('')}</tr></thead><tbody>
${hazards
  .map(
    ({ losses, hazard, isReached, actions, requirements, specs }) =>
      `<tr>${[items(losses), items([hazard]), isReached ? 'yes' : 'no', items(actions), items(requirements), specs.map((id) => `<code>${escaped(id)}</code>`).join(' ')].map((cell) => `<td${cell === '' ? ' class="none"' : ''}>${cell}</td>`).join('')}</tr>`,
  )
  .join('\n')}
</tbody></table>`

const items = (list: readonly { readonly id: string; readonly text: string }[]): string =>
  list.map(({ id, text }) => `<b>${escaped(id)}</b> ${escaped(text)}`).join('<br>')

const findingItem = ({ severity, code, place, part, message }: LocatedFinding): string =>
  `<li class="${severity}">${severity} <code>${code}</code>${place ? `, line ${place.line}` : ''}${part === undefined ? '' : `, ${escaped(part)}`}: ${escaped(message)}</li>`

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)

export const policyLint = defineCommand({
  name: 'policy lint',
  summary: "reads a policy closely: its form, its analysis from losses to specs, specs in each other's way",
  description: [
    'Lists errors and likely mistakes, each with its line and what to do, and how losses, hazards, unsafe control actions, requirements and',
    'specs hang together, as Markdown or a page. Fails where there are errors. What each code means: docs/reference/policies.md.',
  ],
  operands: { name: 'FILE', help: 'a policy, YAML or JSON', min: 1, max: 1 },
  options: {
    tools: {
      type: 'text',
      value: 'CATALOGUE',
      help: 'the catalogue of the tools that agents have, this file alone: also lists patterns that match none of them',
    },
    markdown: { type: 'text', value: 'OUT.md', help: 'writes the traceability matrix as Markdown' },
    html: { type: 'text', value: 'OUT.html', help: 'writes the traceability matrix as a page' },
    json: { type: 'flag', help: 'one JSON object on stdout: findings and traceability' },
  },
  examples: [
    ['policy.yaml', 'what is to be mended'],
    [
      'policy.yaml --tools catalogue.yaml --markdown matrix.md --html matrix.html',
      'with the matrix, for a review',
    ],
  ],
  async run({ tools, markdown, html, json }, [file = ''], { stdout }) {
    for (const out of [markdown, html]) if (out !== undefined) await assertWritable(out)
    const catalogue = tools === undefined ? undefined : await readDocument('catalogue', tools)
    const { findings, policy } = lintText(await textOf(file), file, catalogue)
    const trace = policy && traceabilityOf(policy)
    if (policy && trace) {
      if (markdown !== undefined) await write(markdown, traceMarkdown(policy.name, trace, findings))
      if (html !== undefined) await write(html, tracePage(policy.name, trace, findings))
    }
    stdout.write(json ? jsonLine({ file, findings, traceability: trace }) : findingsText(findings, file))
    return findings.some(({ severity }) => severity === 'error') ? 1 : 0
  },
})

const textOf = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((cause: unknown) => {
    throw new PlimsollError('document_invalid', `policy \`${file}\` cannot be read`, { cause })
  })

async function write(file: string, text: string): Promise<void> {
  await writeFile(file, text).catch((cause: unknown) => {
    throw new PlimsollError('usage_invalid', `\`${file}\` cannot be written`, { cause })
  })
}
