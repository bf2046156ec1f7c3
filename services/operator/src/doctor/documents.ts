import { canonicalJson, PlimsollError, versionOf } from '@plimsoll/contracts'
import { readCatalogue, readDocument, type Documents } from '@plimsoll/policy'
import { fail, ok, type Finding } from './finding.js'

/** Files that the monitors are given; the document that ships with Plimsoll where a kind is left out. */
export interface DocumentFiles {
  readonly bundles?: readonly string[] | undefined
  readonly policies?: readonly string[] | undefined
  readonly catalogues?: readonly string[] | undefined
}

export interface DocumentsRead {
  readonly findings: readonly Finding[]
  /** Of those that could be read. */
  readonly versions: ReadonlySet<string>
  /** Of the largest, as it would be published. */
  readonly bytesMax: number
}

const KINDS = [
  ['bundle', 'bundles', 'PLIMSOLL_BUNDLES'],
  ['policy', 'policies', 'PLIMSOLL_POLICIES'],
  ['catalogue', 'catalogues', 'PLIMSOLL_CATALOGUES'],
] as const

/** Reads every document that the monitors would. */
export async function checkDocuments(files: DocumentFiles): Promise<DocumentsRead> {
  const versions = new Set<string>()
  const findings: Finding[] = []
  let bytesMax = 0
  for (const [kind, list, env] of KINDS)
    for (const file of files[list] ?? [undefined]) {
      const read = await readOne(kind, file, env)
      findings.push(read.finding)
      if (read.version !== undefined) versions.add(read.version)
      bytesMax = Math.max(bytesMax, read.bytes)
    }
  return { findings, versions, bytesMax }
}

const filesOf = (file: string | undefined): readonly string[] => (file === undefined ? [] : [file])

async function readOne(kind: keyof Documents, file: string | undefined, env: string) {
  const name = `${kind} ${file ?? '(the one that ships)'}`
  try {
    const document = await (kind === 'catalogue' ? readCatalogue(filesOf(file)) : readDocument(kind, file))
    const version = versionOf(document)
    const finding = ok(name, `\`${document.name}\`, version ${version}`)
    return { finding, version, bytes: Buffer.byteLength(canonicalJson(document)) }
  } catch (error) {
    if (!(error instanceof PlimsollError)) throw error
    return { finding: fail(name, error.message, `mend the file, or ${env}`), version: undefined, bytes: 0 }
  }
}
