import { readFileSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { documentKindOf, PlimsollError } from '@plimsoll/contracts'
import { parseText } from '../document/documents.js'
import { parseCases, type Case, type CaseSource } from './case.js'

/** The cases of one file. */
export interface CasesOfFile {
  readonly file: string
  readonly cases: readonly Case[]
}

const CASE_FILE = /\.(json|ya?ml)$/

/**
 * The cases of files, and of the JSON and YAML files in folders (not in folders of these), those that are documents left aside. Throws
 * `document_invalid` for what cannot be read, and for folders without any.
 */
export async function findCases(places: readonly string[], base: CaseSource['base']): Promise<CasesOfFile[]> {
  const found: CasesOfFile[] = []
  for (const place of places) {
    const isFolder = await stat(place).then((stats) => stats.isDirectory(), unreadable(place))
    const files = isFolder ? await filesIn(place) : [place]
    const read = await Promise.all(files.map((file) => readCases(file, base, isFolder)))
    const cases = read.filter((each) => each !== undefined)
    if (cases.length === 0) throw new PlimsollError('document_invalid', `\`${place}\` has no cases`)
    found.push(...cases)
  }
  return found
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(unreadable(folder))
  const names = entries
    .filter((entry) => entry.isFile() && CASE_FILE.test(entry.name))
    .map(({ name }) => name)
  return names.toSorted().map((name) => path.join(folder, name))
}

async function readCases(
  file: string,
  base: CaseSource['base'],
  skipsDocuments: boolean,
): Promise<CasesOfFile | undefined> {
  const text = await readFile(file, 'utf8').catch(unreadable(file))
  if (skipsDocuments && documentKindOf(parseText(text, file)) !== undefined) return undefined
  const textOf = (named: string): string => {
    const beside = path.resolve(path.dirname(file), named)
    try {
      return readFileSync(beside, 'utf8')
    } catch (cause) {
      throw new PlimsollError('document_invalid', `case \`${file}\`: \`${named}\` cannot be read`, { cause })
    }
  }
  return { file, cases: parseCases(text, { name: file, base, textOf }) }
}

const unreadable =
  (file: string) =>
  (cause: unknown): never => {
    throw new PlimsollError('document_invalid', `\`${file}\` cannot be read`, { cause })
  }
