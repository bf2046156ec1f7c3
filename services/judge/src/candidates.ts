import { readFile, rename, writeFile } from 'node:fs/promises'
import { type Catalogue, type CatalogueEntry, PlimsollError } from '@plimsoll/contracts'
import { parseDocument } from '@plimsoll/policy'
import type { Logger } from '@plimsoll/runtime'
import { stringify } from 'yaml'
import { type Answer, labelsOf } from './asking/answer.js'

const HEAD = `# Labels that a model proposed for tools without a catalogue entry. No decision uses this file: review each entry, correct it and
# move it into the catalogue. The model wrote the descriptions, about names chosen by agents.
`

/** A catalogue of `entries` as YAML. */
export function candidatesText(entries: readonly CatalogueEntry[]): string {
  const catalogue = { schema: 1, kind: 'plimsoll.catalogue', name: 'candidates', tools: entries }
  return `${HEAD}${stringify(catalogue, { lineWidth: 120 })}`
}

/** A catalogue file of judged tools, for an operator to review and adopt. */
export interface Candidates {
  /** Keeps the first answer for a tool. */
  add(tool: string, answer: Answer): void
  /** Resolves once all additions are written, or have failed. */
  flush(): Promise<void>
}

export interface CandidatesOptions {
  readonly file: string
  /** Name of the model. */
  readonly by: string
  readonly logger: Logger
}

/** Limit of entries in a catalogue. */
const ENTRIES_MAX = 4096

/** Opens the file, which may exist from an earlier run. Throws `document_invalid` if it is no catalogue. */
export async function openCandidates({ file, by, logger }: CandidatesOptions): Promise<Candidates> {
  const entries = [...((await existing(file))?.tools ?? [])]
  const known = new Set(entries.flatMap(({ tools }) => tools))
  let writing: Promise<void> = Promise.resolve()
  let isWaiting = false

  const write = async (): Promise<void> => {
    isWaiting = false
    try {
      await replaceFile(file, candidatesText(entries))
    } catch (error) {
      logger.error('the candidates cannot be written', { error, file })
    }
  }

  return {
    add(tool, answer) {
      if (known.has(tool)) return
      // `*` is a wildcard in a catalogue: a tool with that name would label others.
      if (tool.includes('*') || entries.length >= ENTRIES_MAX) return
      known.add(tool)
      entries.push({
        tools: [tool],
        description: `${by}: ${answer.reason}`,
        labels: { ...labelsOf(answer), confidentiality: answer.confidentiality },
      })
      if (isWaiting) return
      isWaiting = true
      writing = writing.then(write)
    },
    flush: () => writing,
  }
}

async function existing(file: string): Promise<Catalogue | undefined> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    throw new PlimsollError('document_invalid', `catalogue \`${file}\` cannot be read`, { cause })
  }
  return parseDocument('catalogue', text, file)
}

/** Replaces the file atomically. */
async function replaceFile(file: string, text: string): Promise<void> {
  const beside = `${file}.new`
  await writeFile(beside, text)
  await rename(beside, file)
}
