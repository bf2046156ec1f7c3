import { readFile, writeFile } from 'node:fs/promises'
import { PlimsollError } from '@plimsoll/contracts'
import { lintText, readDocument, traceabilityOf } from '@plimsoll/policy'
import { assertWritable } from '../assert-writable.js'
import { defineCommand } from '../command.js'
import { jsonLine } from '../plain-text.js'
import { findingsText } from '../policy/findings-text.js'
import { traceMarkdown } from '../policy/trace-markdown.js'
import { tracePage } from '../policy/trace-page.js'

export const policyLint = defineCommand({
  name: 'policy lint',
  summary: "reads a policy closely: its form, its analysis from losses to specs, specs in each other's way",
  description: [
    'Tells what is wrong or hardly meant, each with its line and what to do, and how losses, hazards, unsafe control actions, requirements and',
    'specs hang together, as Markdown or a page. Fails where there are errors. What each code means: docs/reference/policies.md.',
  ],
  operands: { name: 'FILE', help: 'a policy, YAML or JSON', min: 1, max: 1 },
  options: {
    tools: {
      type: 'text',
      value: 'CATALOGUE',
      help: 'the catalogue of the tools that agents have, this file alone: tells also which patterns match none of them',
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
