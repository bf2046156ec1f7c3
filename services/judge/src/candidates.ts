import { readFile, rename, writeFile } from 'node:fs/promises'
import { type Catalogue, type CatalogueEntry, PlimsollError } from '@plimsoll/contracts'
import { parseDocument } from '@plimsoll/policy'
import type { Logger } from '@plimsoll/runtime'
import { stringify } from 'yaml'
import { type Answer, labelsOf } from './asking/answer.js'

const HEAD = `# What a model made of tools that no catalogue labels. Nothing is decided by this file: read each entry, mend it, and
# move it into the catalogue. The descriptions are the model's, on names that agents gave.
`

/** A catalogue of `entries` as YAML. */
export function candidatesText(entries: readonly CatalogueEntry[]): string {
  const catalogue = { schema: 1, kind: 'plimsoll.catalogue', name: 'candidates', tools: entries }
  return `${HEAD}${stringify(catalogue, { lineWidth: 120 })}`
}

/** A catalogue of what was judged, in a file of its own, for an operator to read and adopt. */
export interface Candidates {
  /** The first answer on a tool stays. */
  add(tool: string, answer: Answer): void
  /** Resolves when everything added is in the file, or could not be written. */
  flush(): Promise<void>
}

export interface CandidatesOptions {
  readonly file: string
  /** Name of the model. */
  readonly by: string
  readonly logger: Logger
}

/** As many as a catalogue may have entries. */
const ENTRIES_MAX = 4096

/** Opens the file, which may be there from an earlier run. Throws `document_invalid` where it is no catalogue. */
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
      // `*` stands for anything in a catalogue: a tool of that name would label all others.
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

/** Anyone who reads it meanwhile sees the whole of the old or the whole of the new. */
async function replaceFile(file: string, text: string): Promise<void> {
  const beside = `${file}.new`
  await writeFile(beside, text)
  await rename(beside, file)
}
